#include "frontend/Import/Versions/OperatorVersions.h"

#include <gtest/gtest.h>

using namespace cameo;

TEST(OperatorVersions, NewestVersionNotAboveTheOpset) {
  EXPECT_EQ(getVersionInOpset("Conv", 7), 1);
  EXPECT_EQ(getVersionInOpset("Conv", 11), 11);
  EXPECT_EQ(getVersionInOpset("Conv", 21), 11);
  EXPECT_EQ(getVersionInOpset("Conv", kLastOpset), 22);
}

TEST(OperatorVersions, NothingBeforeTheFirstVersion) {
  EXPECT_EQ(getVersionInOpset("Gelu", 19), std::nullopt);
  EXPECT_EQ(getVersionInOpset("Gelu", 20), 20);
}

TEST(OperatorVersions, RemovedOperatorsAreNegative) {
  EXPECT_EQ(getVersionInOpset("Upsample", 9), 9);
  EXPECT_EQ(getVersionInOpset("Upsample", 10), -10);
}

TEST(OperatorVersions, UnknownOperatorHasNone) {
  EXPECT_TRUE(getOperatorVersions("Foo").empty());
  EXPECT_TRUE(getOperatorVersions("").empty());
  EXPECT_TRUE(getOperatorVersions("Zzz").empty());
}

TEST(OperatorVersions, FirstAndLastOfTheTableAreFound) {
  EXPECT_FALSE(getOperatorVersions("Abs").empty());
  EXPECT_FALSE(getOperatorVersions("Xor").empty());
}
