// The worker, which is in C, generates the same inputs and compares results in the same way as 'cameo verify'.
#include "utils/Driver/Run/CompareTensors.h"
#include "utils/Driver/Run/RandomInputs.h"

extern "C" {
#include "utils/cameo-worker/compare.h"
#include "utils/cameo-worker/seeded_data.h"
}

#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace cameo;

namespace {

const cameo_element_type types[] = {CAMEO_FLOAT32, CAMEO_FLOAT64, CAMEO_FLOAT16, CAMEO_BFLOAT16, CAMEO_INT8,
                                    CAMEO_UINT8,   CAMEO_BOOL,    CAMEO_INT16,   CAMEO_UINT16,   CAMEO_INT32,
                                    CAMEO_UINT32,  CAMEO_INT64,   CAMEO_UINT64};

Tensor randomTensor(cameo_element_type type, uint64_t seed, float deviation = 1) {
  Tensor tensor("x", type, {997});
  fillRandom(tensor, seed, /*largestInteger=*/1, deviation);
  return tensor;
}

TEST(WorkerCompares, TheSameSeedGivesTheSameData) {
  for (cameo_element_type type : types)
    for (uint64_t seed : {1, 42}) {
      Tensor expected = randomTensor(type, seed, 0.25f), own("x", type, {997});
      cameo_package_input input = {seed, 0.25f, type};
      fill_seeded(own.data(), own.sizeBytes(), &input);
      EXPECT_EQ(std::memcmp(own.data(), expected.data(), own.sizeBytes()), 0) << type;
    }
}

TEST(WorkerCompares, AsVerifyDoes) {
  for (cameo_element_type type : types) {
    Tensor expected = randomTensor(type, 1);
    for (uint64_t seed : {1, 2}) {
      Tensor actual = randomTensor(type, seed);
      Difference known = compareTensors(actual, expected, Tolerance());
      difference own =
          compare_outputs(actual.data(), expected.data(), expected.sizeBytes(), type, /*least_tolerance=*/0);
      EXPECT_EQ(own.max_absolute, known.maxAbsolute) << type;
      EXPECT_EQ(own.max_ulp, known.maxUlp) << type;
      EXPECT_EQ(own.bound, known.bound) << type;
      EXPECT_EQ(own.worst_index, known.worstIndex) << type;
      EXPECT_EQ(own.within_bound, known.withinBound) << type;
    }
  }
}

TEST(WorkerCompares, InfinitiesAndWhatIsNoNumber) {
  float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  float expected[] = {1, infinity, nan, 2}, same[] = {1, infinity, nan, 2}, other[] = {1, -infinity, 3, 2};
  EXPECT_TRUE(compare_outputs(same, expected, sizeof(same), CAMEO_FLOAT32, 0).within_bound);
  EXPECT_FALSE(compare_outputs(other, expected, sizeof(other), CAMEO_FLOAT32, 0).within_bound);
}

TEST(WorkerCompares, FloatsMayBeFurtherOff) {
  constexpr double part = 0.01;
  float expected[] = {1, 100}, near[] = {1.9f, 100}, far[] = {2.1f, 100};
  EXPECT_TRUE(compare_outputs(near, expected, sizeof(near), CAMEO_FLOAT32, part).within_bound);
  EXPECT_FALSE(compare_outputs(near, expected, sizeof(near), CAMEO_FLOAT32, 0).within_bound);
  EXPECT_FALSE(compare_outputs(far, expected, sizeof(far), CAMEO_FLOAT32, part).within_bound);
  int32_t number = 100, other = 101;
  EXPECT_FALSE(compare_outputs(&other, &number, sizeof(number), CAMEO_INT32, part).within_bound);
}

TEST(WorkerCompares, HalfFloatsAreRoundedAlike) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = halfToFloat(static_cast<uint16_t>(bits));
    if (value != value)
      continue;
    EXPECT_EQ(float_of_half(static_cast<uint16_t>(bits)), value);
    for (float near : {value, value * 1.0003f, value * 0.9997f})
      EXPECT_EQ(half_of_float(near), floatToHalf(near)) << near;
  }
}

} // namespace
