#include "base/letter_case.h"

#include <gtest/gtest.h>

#include "base/did_you_mean.h"
#include "base/estimate.h"

namespace mekiki {
namespace {

TEST(LowerCase, LeavesEverythingButLettersOfAscii) {
  EXPECT_EQ(lower_case("H100-SXM 80GB"), "h100-sxm 80gb");
  EXPECT_EQ(lower_case("\xC3\x84 目利き"), "\xC3\x84 目利き");
}

TEST(OneOf, ListsWhatIsKnownWhereNothingIsNear) {
  constexpr std::string_view kKnown[] = {"spot", "reserved"};
  EXPECT_EQ(one_of(kKnown), "one of spot, reserved");
  EXPECT_EQ(one_of({}), "");
  EXPECT_EQ(did_you_mean_or_one_of("spott", kKnown), did_you_mean("spott", kKnown));
  EXPECT_EQ(did_you_mean_or_one_of("quantum", kKnown), one_of(kKnown));
}

TEST(BasisNamed, IsTheInverseOfItsName) {
  for (const Basis basis : {Basis::assumed, Basis::fitted, Basis::datasheet, Basis::measured}) {
    EXPECT_EQ(basis_named(name(basis)), basis);
  }
  EXPECT_EQ(basis_named("guessed"), std::nullopt);
}

}  // namespace
}  // namespace mekiki
