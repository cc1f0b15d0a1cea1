// Descriptors of matrices in shared memory, against the figures of the PTX ISA.
#include "utils/gpu/emulator/Descriptor.h"

#include <gtest/gtest.h>

#include <string>

using namespace emulator;

namespace {

constexpr uint32_t start = 4096, leading = 16384, stride = 2048;

uint64_t bitsOf(uint32_t mode, uint32_t from = start, uint32_t leadingBytes = leading, uint32_t strideBytes = stride) {
  return from >> 4 | uint64_t(leadingBytes >> 4) << 16 | uint64_t(strideBytes >> 4) << 32 | uint64_t(mode) << 62;
}

/// Returns the number of the vector of 16 bytes in its row in which vector `vector` of row `row` of a pattern lies.
uint32_t exchanged(uint32_t mode, uint32_t row, uint32_t vector) {
  return mode == 1 ? vector ^ row : mode == 2 ? vector ^ row / 2 : mode == 3 ? vector ^ row / 4 : vector;
}
constexpr uint32_t rowBytes[] = {16, 128, 64, 32};

std::string problemOf(uint64_t bits, bool isTransposed) {
  const char *problem = Descriptor(bits, isTransposed).problem();
  return problem ? problem : "";
}

} // namespace

TEST(GroupDescriptor, StepsThatAreNeighbours) {
  for (uint32_t mode : {1, 2, 3})
    for (uint32_t begin = 0; begin + 32 <= rowBytes[mode]; begin += 32)
      for (int point = 0; point < 64; ++point)
        for (int step = 0; step < 16; ++step) {
          uint32_t row = static_cast<uint32_t>(point) % 8, inRow = begin + static_cast<uint32_t>(step) * 2;
          EXPECT_EQ(Descriptor(bitsOf(mode, start + begin), false).addressOf(point, step),
                    start + static_cast<uint32_t>(point) / 8 * stride + row * rowBytes[mode] +
                        exchanged(mode, row, inRow / 16) * 16 + inRow % 16);
        }
}

TEST(GroupDescriptor, PointsThatAreNeighbours) {
  for (uint32_t mode : {1, 2, 3})
    for (int point = 0; point < 256; ++point)
      for (int step = 0; step < 16; ++step) {
        uint32_t along = static_cast<uint32_t>(point) * 2, inRow = along % rowBytes[mode],
                 row = static_cast<uint32_t>(step) % 8;
        EXPECT_EQ(Descriptor(bitsOf(mode), true).addressOf(point, step),
                  start + along / rowBytes[mode] * leading + static_cast<uint32_t>(step) / 8 * stride +
                      row * rowBytes[mode] + exchanged(mode, row, inRow / 16) * 16 + inRow % 16);
      }
}

// Atoms are eight rows of 16 bytes, which may begin at any vector.
TEST(GroupDescriptor, WithoutExchangedVectors) {
  uint32_t from = start + 48;
  for (int point = 0; point < 64; ++point)
    for (int step = 0; step < 16; ++step) {
      auto i = static_cast<uint32_t>(point), k = static_cast<uint32_t>(step);
      EXPECT_EQ(Descriptor(bitsOf(0, from, 2880, 160), false).addressOf(point, step),
                from + i / 8 * 160 + i % 8 * 16 + k / 8 * 2880 + k % 8 * 2);
      EXPECT_EQ(Descriptor(bitsOf(0, from, 2880, 160), true).addressOf(point, step),
                from + i / 8 * 160 + i % 8 * 2 + k / 8 * 2880 + k % 8 * 16);
    }
}

TEST(GroupDescriptor, Problems) {
  for (uint32_t mode : {0, 1, 2, 3})
    for (bool isTransposed : {false, true})
      EXPECT_EQ(problemOf(bitsOf(mode), isTransposed), "");
  const std::string meaning = "multiplies by a descriptor with bits that have no meaning",
                    begin = "multiplies a matrix that does not begin with a row of its pattern of vectors",
                    behind = "multiplies a matrix whose rows go on behind those of its pattern of vectors";
  for (uint32_t place : {14, 31, 46, 52, 61})
    EXPECT_EQ(problemOf(bitsOf(1) | uint64_t(1) << place, false), meaning);
  EXPECT_EQ(problemOf(bitsOf(1) | uint64_t(1) << 49, false),
            "multiplies by a descriptor with a base offset, which the emulator does not know");
  EXPECT_EQ(problemOf(bitsOf(1, start + 128), false), begin);
  EXPECT_EQ(problemOf(bitsOf(2, start, leading, stride + 256), false), begin);
  EXPECT_EQ(problemOf(bitsOf(1, start, leading + 512), true), begin);
  EXPECT_EQ(problemOf(bitsOf(2, start + 48), false), behind);
  EXPECT_EQ(problemOf(bitsOf(1, start + 32), true), behind);
}
