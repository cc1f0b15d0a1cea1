// Expected values are from the binomial tables for confidence intervals of a median.
#include "autotune/Records/CostInterval.h"

#include <gtest/gtest.h>

using namespace cameo::autotune;

namespace {

TEST(CostInterval, MedianOfOddAndEvenCounts) {
  EXPECT_EQ(costInterval({3, 1, 2}).median, 2);
  EXPECT_EQ(costInterval({4, 1, 2, 3}).median, 2.5);
  EXPECT_EQ(costInterval({5}).median, 5);
}

TEST(CostInterval, FewMeasurementsGiveTheWholeRange) {
  CostInterval interval = costInterval({1, 2, 3, 4, 5});
  EXPECT_EQ(interval.low, 1);
  EXPECT_EQ(interval.high, 5);
  EXPECT_DOUBLE_EQ(interval.confidence, 1 - 2.0 / 32);
  EXPECT_EQ(costInterval({1}).confidence, 0);
}

TEST(CostInterval, ManyMeasurementsCutTheEnds) {
  // Of 15 values, the fourth and the twelfth have 0.9648; of 9, the second and the eighth have 0.9609.
  CostInterval fifteen = costInterval({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  EXPECT_EQ(fifteen.low, 4);
  EXPECT_EQ(fifteen.high, 12);
  EXPECT_NEAR(fifteen.confidence, 0.9648, 1e-4);
  CostInterval nine = costInterval({1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_EQ(nine.low, 2);
  EXPECT_EQ(nine.high, 8);
  EXPECT_NEAR(nine.confidence, 0.9609, 1e-4);
}

/// Of n values, the k-th and the k-th from the end, with k = n / 2 - sqrt(n), are about two standard deviations from
/// the median.
TEST(CostIntervalTest, ThousandsOfCostsHaveANarrowInterval) {
  std::vector<double> costs;
  for (int number = 1; number <= 10000; ++number)
    costs.push_back(number);
  CostInterval interval = costInterval(costs);
  EXPECT_NEAR(interval.low, 5000 - 98, 2);
  EXPECT_NEAR(interval.high, 5001 + 98, 2);
  EXPECT_NEAR(interval.confidence, 0.95, 0.002);
}

} // namespace
