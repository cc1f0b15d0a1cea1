// Shared libraries with planted faults, as images for the worker.
#ifndef CAMEO_TEST_UNIT_AUTOTUNE_MEASURE_PLANTEDIMAGES_H
#define CAMEO_TEST_UNIT_AUTOTUNE_MEASURE_PLANTEDIMAGES_H

#include "autotune/Measure/BuildCandidate.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace cameo::autotune {

/// `fault`: sound, crashes, hangs, eats-memory, refuses, is-wrong.
inline CandidateImage plantedImage(const std::string &fault) {
  std::ifstream file(std::string(PLANTED_FOLDER) + "/planted-" + fault + ".so", std::ios::binary);
  EXPECT_TRUE(file) << fault;
  CandidateImage image;
  image.library.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return image;
}

/// Of the task that they compute.
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
