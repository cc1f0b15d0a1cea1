#include "utils/Driver/Run/CompareTensors.h"
#include "utils/Driver/Run/RandomInputs.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace cameo;

static Tensor floats(std::vector<float> values) {
  Tensor tensor("t", CAMEO_FLOAT32, static_cast<int64_t>(values.size()));
  std::copy(values.begin(), values.end(), tensor.elements<float>().begin());
  return tensor;
}

TEST(CompareTensors, EqualTensors) {
  Difference result = compareTensors(floats({1, 2}), floats({1, 2}), {});
  EXPECT_TRUE(result.withinBound);
  EXPECT_EQ(result.worstIndex, -1);
}

TEST(CompareTensors, BoundScalesWithTheLargestMagnitude) {
  Tolerance tolerance{0, 1e-3};
  EXPECT_TRUE(compareTensors(floats({-100, 0.05f}), floats({-100, 0}), tolerance).withinBound);
  EXPECT_FALSE(compareTensors(floats({-10, 0.05f}), floats({-10, 0}), tolerance).withinBound);
}

TEST(CompareTensors, AbsoluteBoundIsAdded) {
  EXPECT_FALSE(compareTensors(floats({0.5f}), floats({0}), {0, 1e-3}).withinBound);
  EXPECT_TRUE(compareTensors(floats({0.5f}), floats({0}), {0.5, 1e-3}).withinBound);
}

TEST(CompareTensors, CountsUlps) {
  float next = std::nextafter(std::nextafter(3.0f, 4.0f), 4.0f);
  Difference result = compareTensors(floats({next}), floats({3}), {});
  EXPECT_EQ(result.maxUlp, 2);
  EXPECT_EQ(result.worstIndex, 0);
  EXPECT_NEAR(result.maxRelative, result.maxAbsolute / 3, 1e-12);
}

TEST(CompareTensors, NansAndInfinities) {
  float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(compareTensors(floats({nan, inf, -inf}), floats({nan, inf, -inf}), {}).withinBound);
  EXPECT_FALSE(compareTensors(floats({nan, 1}), floats({0, 1}), {}).withinBound);
  EXPECT_FALSE(compareTensors(floats({0, 1}), floats({nan, 1}), {}).withinBound);
  EXPECT_FALSE(compareTensors(floats({-inf}), floats({inf}), {}).withinBound);
  EXPECT_FALSE(compareTensors(floats({inf}), floats({1}), {1e30, 1}).withinBound);
}

TEST(CompareTensors, IntegersMustBeEqual) {
  Tensor a("t", CAMEO_INT64, 1), b("t", CAMEO_INT64, 1);
  a.elements<int64_t>()[0] = (int64_t(1) << 60) + 1;
  b.elements<int64_t>()[0] = int64_t(1) << 60;
  EXPECT_FALSE(compareTensors(a, b, {1e30, 1e30}).withinBound);
  EXPECT_TRUE(compareTensors(a, a, {}).withinBound);
}

TEST(CompareTensors, EmptyTensorsAreEqual) { EXPECT_TRUE(compareTensors(floats({}), floats({}), {}).withinBound); }

TEST(RandomInputs, SameSeedSameValues) {
  Tensor a("a", CAMEO_FLOAT32, {1000}), b("b", CAMEO_FLOAT32, {1000}), c("c", CAMEO_FLOAT32, {1000});
  fillRandom(a, 1);
  fillRandom(b, 1);
  fillRandom(c, 2);
  EXPECT_EQ(a.elements<float>(), b.elements<float>());
  EXPECT_NE(a.elements<float>(), c.elements<float>());
}

TEST(RandomInputs, FloatsAreStandardNormal) {
  for (auto type : {CAMEO_FLOAT32, CAMEO_FLOAT64, CAMEO_FLOAT16, CAMEO_BFLOAT16}) {
    Tensor tensor("t", type, {20000});
    fillRandom(tensor, 7);
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < 20000; ++i) {
      sum += tensor.valueAt(i);
      squares += tensor.valueAt(i) * tensor.valueAt(i);
    }
    EXPECT_NEAR(sum / 20000, 0, 0.03);
    EXPECT_NEAR(squares / 20000, 1, 0.05);
  }
}

TEST(RandomInputs, IntegersStayInRange) {
  Tensor ids("ids", CAMEO_INT64, {1000}), bytes("bytes", CAMEO_INT8, {1000});
  fillRandom(ids, 3, 9);
  fillRandom(bytes, 3);
  bool sawNegative = false, sawLargest = false;
  for (int64_t i = 0; i < 1000; ++i) {
    EXPECT_GE(ids.valueAt(i), 0);
    EXPECT_LE(ids.valueAt(i), 9);
    sawLargest |= ids.valueAt(i) == 9;
    sawNegative |= bytes.valueAt(i) < 0;
  }
  EXPECT_TRUE(sawLargest && sawNegative);
}

TEST(HalfFloats, Convert) {
  EXPECT_EQ(floatToHalf(1.0f), 0x3c00);
  EXPECT_EQ(halfToFloat(0xc000), -2.0f);
  EXPECT_EQ(floatToBfloat(1.0f), 0x3f80);
  EXPECT_EQ(bfloatToFloat(0x3f80), 1.0f);
}

TEST(CompareTensors, StringsAreEqualOrNot) {
  Tensor a("a", CAMEO_STRING, {3}), b("b", CAMEO_STRING, {3});
  a.setString(1, "x");
  b.setString(1, "x");
  EXPECT_TRUE(compareTensors(a, b, {}).withinBound);
  b.setString(2, "y");
  Difference difference = compareTensors(a, b, {});
  EXPECT_FALSE(difference.withinBound);
  EXPECT_EQ(difference.worstIndex, 2);
}
