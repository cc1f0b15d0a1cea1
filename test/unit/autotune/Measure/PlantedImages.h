// Shared libraries with planted faults, as images for the worker.
#ifndef CAMEO_TEST_UNIT_AUTOTUNE_MEASURE_PLANTEDIMAGES_H
#define CAMEO_TEST_UNIT_AUTOTUNE_MEASURE_PLANTEDIMAGES_H

#include "autotune/Measure/BuildCandidate.h"
#include "autotune/Measure/MeasurementPolicy.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace cameo::autotune {

/// `fault` is one of sound, crashes, hangs, eats-memory, refuses, is-wrong.
inline CandidateImage plantedImage(const std::string &fault) {
  std::ifstream file(std::string(PLANTED_FOLDER) + "/planted-" + fault + ".so", std::ios::binary);
  EXPECT_TRUE(file) << fault;
  CandidateImage image;
  image.library.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return image;
}

/// Returns a policy with short limits: some faults are found at once, others hang.
inline MeasurementPolicy quickPolicy() {
  MeasurementPolicy policy;
  policy.runTimeoutSeconds = 2;
  policy.memoryBytes = uint64_t(64) << 20;
  policy.minRepeatSeconds = 1e-5;
  policy.disturbedRetries = 0;
  return policy;
}

/// Returns the source of the task that the images compute.
inline TaskSource plantedSource() {
  TaskSource source;
  source.key = "planted";
  source.name = "mul_0";
  source.flops = 4;
  source.constant = {false};
  source.inputBytes = 64;
  return source;
}

} // namespace cameo::autotune

#endif
