#include "utils/Driver/Run/MachinePeaks.h"

#include <gtest/gtest.h>

using namespace cameo;

TEST(MachinePeaks, TheSlowerOfComputingAndReadingCounts) {
  MachinePeaks peaks{100, 10};
  EXPECT_DOUBLE_EQ(peaks.leastSeconds(200e9, 10e9), 2);
  EXPECT_DOUBLE_EQ(peaks.leastSeconds(200e9, 30e9), 3);
}

TEST(MachinePeaks, AreThoseOfAnExistingMachine) {
  for (int threads : {1, 2}) {
    MachinePeaks peaks = measurePeaks(threads);
    // The lower limit fits an emulated core, the upper one is above all real cores.
    EXPECT_GT(peaks.gflops, 0.01 * threads);
    EXPECT_LT(peaks.gflops, 2000.0 * threads);
    EXPECT_GT(peaks.readGbs, 0.01);
    EXPECT_LT(peaks.readGbs, 2000);
  }
}
