#include "autotune/Space/KnobSpace.h"

#include <gtest/gtest.h>

#include <set>

using namespace cameo::autotune;

namespace {

TEST(KnobSpace, TwoKnobsOfFiveValuesMakeTwentyFivePoints) {
  KnobSpace space;
  space.defineKnob("tile_y", {1, 2, 4, 8, 16});
  space.defineKnob("tile_x", {1, 2, 4, 8, 16});
  EXPECT_EQ(space.size().getZExtValue(), 25U);
}

TEST(KnobSpace, ExtentOf32SplitsInTwoInSixWays) {
  KnobSpace space;
  space.defineSplit("tile_x", 32, 2, SplitPolicy::Factors, 64);
  EXPECT_EQ(space.size().getZExtValue(), 6U);
}

TEST(KnobSpace, FactorsDivideAndVerboseSplitsNeedNot) {
  KnobSpace space;
  unsigned exact = space.defineSplit("exact", 12, 3, SplitPolicy::Factors, 64);
  unsigned any = space.defineSplit("any", 12, 3, SplitPolicy::Verbose, 64);
  for (const auto &pieces : space.getKnobs()[exact].values)
    EXPECT_EQ(12 % (pieces[0] * pieces[1]), 0);
  EXPECT_GT(space.getKnobs()[any].values.size(), space.getKnobs()[exact].values.size());
  for (const auto &pieces : space.getKnobs()[any].values)
    EXPECT_LE(pieces[0] * pieces[1], 12);
}

TEST(KnobSpace, NumbersAndPointsAreEachOthersInverse) {
  KnobSpace space;
  space.defineKnob("a", {1, 2, 3});
  space.defineReorder("b", 4, ReorderPolicy::All);
  space.defineAnnotate("c", AnnotatePolicy::TryUnrollVec);
  ASSERT_EQ(space.size().getZExtValue(), 3U * 24 * 3);
  std::set<std::vector<unsigned>> points;
  for (llvm::APInt index(128, 0); index.ult(space.size()); ++index) {
    KnobPoint point = space.decode(index);
    EXPECT_EQ(space.encode(point), index);
    points.insert({point.begin(), point.end()});
  }
  EXPECT_EQ(points.size(), 3U * 24 * 3);
}

TEST(KnobSpace, TheFirstKnobIsTheLeastSignificantDigit) {
  KnobSpace space;
  space.defineKnob("a", {1, 2, 3});
  space.defineKnob("b", {1, 2});
  EXPECT_EQ(space.decode(llvm::APInt(128, 4)), (KnobPoint{1, 1}));
}

TEST(KnobSpace, NumbersMayHaveMoreThan64Bits) {
  KnobSpace space;
  for (unsigned knob = 0; knob < 40; ++knob)
    space.defineKnob("k", {0, 1, 2, 3, 4, 5, 6});
  KnobPoint last(40, 6);
  EXPECT_GT(space.encode(last).getActiveBits(), 64U);
  EXPECT_EQ(space.decode(space.encode(last)), last);
}

TEST(KnobSpace, NeighboursDifferInOneKnob) {
  KnobSpace space;
  space.defineKnob("a", {1, 2, 3});
  space.defineKnob("fixed", {1});
  space.defineKnob("b", {1, 2});
  Random random(1);
  for (unsigned round = 0; round < 100; ++round) {
    KnobPoint point = space.sample(random), other = space.neighbour(point, random);
    EXPECT_EQ((point[0] != other[0]) + (point[1] != other[1]) + (point[2] != other[2]), 1);
  }
}

} // namespace
