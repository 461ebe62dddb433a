#include <gtest/gtest.h>

#include "explain/size_rule.h"
#include "explain/term.h"

namespace mekiki {
namespace {

TEST(Terms, ByNameAndAll) {
  EXPECT_EQ(read_terms("logits-and-loss").value(), std::vector<Term>{Term::logits_and_loss});
  EXPECT_EQ(read_terms("all").value().size(), kTerms);
}

TEST(Terms, ASlipGetsItsNearestName) {
  const Result<std::vector<Term>> terms = read_terms("activation");
  ASSERT_FALSE(terms);
  EXPECT_EQ(terms.error().code, ErrorCode::not_found);
  EXPECT_NE(terms.error().hint.find("activations"), std::string::npos);
}

TEST(SizeRule, PowersOfBatchAndLength) {
  EXPECT_EQ(size_rule(Bytes{8}, Bytes{16}, Bytes{16}), (SizeRule{true, 1, 1}));
  EXPECT_EQ(size_rule(Bytes{8}, Bytes{16}, Bytes{32}), (SizeRule{true, 1, 2}));
  EXPECT_EQ(size_rule(Bytes{8}, Bytes{8}, Bytes{8}), (SizeRule{true, 0, 0}));
  EXPECT_FALSE(size_rule(Bytes{8}, Bytes{12}, Bytes{8}).known);
  EXPECT_FALSE(size_rule(Bytes{}, Bytes{}, Bytes{}).known);
}

}  // namespace
}  // namespace mekiki
