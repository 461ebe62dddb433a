#include "report/listing.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

Listing sample() {
  return {.columns = {{"id", "id"}, {"gib", "GiB", Align::right}, {"note", "note", Align::left, false}},
          .rows = {{{"small", {}}, {"8", 8.0}, {"a, b", {}}},
                   {{"large", {}}, {"1,024", 1024.0}, {"-", {}}},
                   {{"unknown", {}}, {"-", {}}, {"c", {}}}}};
}

std::string csv_of(const ListingView& view) {
  const Listing listing = sample();
  const Result<ListingRows> rows = select(listing, view);
  return rows ? listing_csv(listing, *rows) : describe(rows.error()) + " | " + rows.error().hint;
}

TEST(Listing, FiltersSortsAndCuts) {
  const struct {
    const char* name;
    ListingView view;
    const char* expected;
  } table[] = {
      {"all", {}, "id,gib\nsmall,8\nlarge,1024\nunknown,\n"},
      {"at least", {.where = {"gib>=8"}}, "id,gib\nsmall,8\nlarge,1024\n"},
      {"more", {.where = {"gib>8"}}, "id,gib\nlarge,1024\n"},
      {"numbers are no texts", {.where = {"gib<100"}}, "id,gib\nsmall,8\n"},
      {"both", {.where = {"gib>=8", "id=SMALL"}}, "id,gib\nsmall,8\n"},
      {"not", {.where = {"id!=small"}}, "id,gib\nlarge,1024\nunknown,\n"},
      {"part", {.where = {"id~ar"}}, "id,gib\nlarge,1024\n"},
      {"an unknown fits no condition", {.where = {"gib!=8"}}, "id,gib\nlarge,1024\n"},
      {"largest first, unknown last", {.sort = "-gib"}, "id,gib\nlarge,1024\nsmall,8\nunknown,\n"},
      {"smallest first, unknown last", {.sort = "gib"}, "id,gib\nsmall,8\nlarge,1024\nunknown,\n"},
      {"columns", {.columns = {"note", "id"}}, "note,id\n\"a, b\",small\n,large\nc,unknown\n"},
      {"unknown column", {.sort = "gibb"}, "--sort: there is no column \"gibb\" | did you mean gib?"},
      {"no condition",
       {.where = {"gib"}},
       "--where: \"gib\" is no condition | write it like memory_gib>=80, link=nvlink or name~pro"},
  };
  for (const auto& row : table) {
    EXPECT_EQ(csv_of(row.view), row.expected) << row.name;
  }
}

TEST(Listing, TextKeepsTheHeadings) {
  const Listing listing = sample();
  EXPECT_EQ(listing_text(listing, *select(listing, {.where = {"id=large"}})), "id       GiB\nlarge  1,024\n");
}

}  // namespace
}  // namespace mekiki
