// Kernels with planted faults, in the form that the compiler emits for the emulator. The emulator must show each fault,
// and none in the kernels without one.
#include "utils/gpu/emulator/Block.h"
#include "utils/gpu/emulator/Check.h"
#include "utils/gpu/emulator/Memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

using namespace emulator;

namespace {

volatile int32_t thread, block;
void (*barrier)();
void (*copy)(void *, const void *, int32_t, int32_t);
void (*commit)();
void (*await)(int32_t);
void (*loadMatrices)(const void *, int32_t, int32_t, uint32_t *);
void (*multiply)(int32_t, uint32_t *);
const ImageVariables variables{&thread, &block, &barrier,      /*access=*/nullptr, &copy,
                               &commit, &await, &loadMatrices, &multiply};
constexpr int32_t threads = 64;

/// Runs one block on two buffers.
bool run(Kernel kernel, float *first, float *second, bool isBackward, int32_t number = 0) {
  void *arguments[] = {&first, &second};
  Order order(isBackward ? Order::Kind::Backward : Order::Kind::Forward);
  return runBlock(variables, kernel, arguments, number, threads, order);
}

float *buffer(void **arguments, int index) { return *static_cast<float **>(arguments[index]); }

/// Returns the output of `kernel` for the inputs 1, 2, 3, ..., with threads in either order.
std::vector<float> resultOf(Kernel kernel, bool isBackward) {
  std::vector<float> in(threads), out(threads, NAN);
  std::iota(in.begin(), in.end(), 1.0f);
  EXPECT_TRUE(run(kernel, in.data(), out.data(), isBackward));
  return out;
}

bool dependsOnOrder(Kernel kernel) { return resultOf(kernel, false) != resultOf(kernel, true); }

// ---- kernels ----

/// Every thread reads the element that its neighbour has doubled.
template <bool hasBarrier> void readNeighbour(void **arguments) {
  float *in = buffer(arguments, 0), *out = buffer(arguments, 1);
  int32_t own = thread;
  in[own] *= 2;
  if (hasBarrier)
    barrier();
  out[own] = in[(own + 1) % threads];
}

/// A tree reduction: each step reads the partial sums of the previous step.
template <bool hasBarrier> void sumByHalves(void **arguments) {
  float *in = buffer(arguments, 0), *out = buffer(arguments, 1);
  int32_t own = thread;
  for (int32_t half = threads / 2; half > 0; half /= 2) {
    if (own < half)
      in[own] += in[own + half];
    if (hasBarrier)
      barrier();
  }
  if (!hasBarrier)
    barrier();
  out[own] = in[0];
}

/// The first threads return before the others wait at the barrier.
void leaveEarly(void **) {
  if (thread >= 8)
    barrier();
}

/// Without the barrier, a row is written before the previous row is read.
template <bool hasBarrier> void passRows(void **arguments) {
  float *row = buffer(arguments, 0), *out = buffer(arguments, 1);
  int32_t own = thread;
  out[own] = 0;
  for (int step = 0; step < 3; ++step) {
    float left = row[(own + threads - 1) % threads];
    if (hasBarrier)
      barrier();
    row[own] = left + 1;
    barrier();
    out[own] += row[own];
  }
}

/// Asynchronous copies with two stages: the next element is copied while the neighbour's previous one is read.
template <bool awaits, bool hasBarrier> void copyStages(void **arguments) {
  static float stages[2][threads];
  float *in = buffer(arguments, 0), *out = buffer(arguments, 1);
  int32_t own = thread;
  out[own] = 0;
  copy(&stages[0][own], in + own, sizeof(float), sizeof(float));
  commit();
  for (int step = 0; step < 3; ++step) {
    await(awaits ? 0 : 1);
    if (hasBarrier || step == 0)
      barrier();
    if (step < 2)
      copy(&stages[(step + 1) % 2][own], in + (own + step + 1) % threads, sizeof(float), sizeof(float));
    commit();
    out[own] += stages[step % 2][(own + 1) % threads];
  }
}

/// The part of a copy without source bytes is filled with zeros.
void copyHalf(void **arguments) {
  copy(buffer(arguments, 1) + thread, buffer(arguments, 0) + thread, sizeof(float),
       thread < threads / 2 ? sizeof(float) : 0);
  commit();
  await(0);
}

/// Returns the bits of an integer as f16.
uint16_t halfOf(int number) {
  auto half = static_cast<_Float16>(number);
  uint16_t bits;
  memcpy(&bits, &half, sizeof bits);
  return bits;
}
uint16_t brainOf(int number) {
  auto single = static_cast<float>(number);
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  return static_cast<uint16_t>(bits >> 16);
}
int leftAt(int row, int step) { return (row * 5 + step * 3) % 7 - 3; }
int rightAt(int step, int column) { return (step * 2 + column * 3) % 5 - 2; }

alignas(16) uint16_t left[16][16], right[8][16], turnedLeft[16][16], turnedRight[16][8];

/// Multiplies 16 x 16 by 16 x 8 elements: each of two warps stores the product to its half of the output, 64 elements
/// at a time. `isTurned`: the factors are transposed in memory. `swaps`: the lane map exchanges rows and columns of the
/// sums.
template <bool isBrain, bool isTurned, bool swaps> void multiplyByWarp(void **arguments) {
  int32_t lane = thread % 32, row = lane % 8, matrix = lane / 8;
  uint32_t registers[10] = {};
  loadMatrices(isTurned ? &turnedLeft[row + matrix / 2 * 8][matrix % 2 * 8]
                        : &left[row + matrix % 2 * 8][matrix / 2 * 8],
               4, isTurned, registers);
  loadMatrices(isTurned ? &turnedRight[row + matrix % 2 * 8][0] : &right[row][matrix % 2 * 8], 2, isTurned,
               registers + 4);
  multiply(isBrain, registers);
  float *out = buffer(arguments, 1) + thread / 32 * 16 * 8;
  for (int32_t sum = 0; sum < 4; ++sum) {
    float number;
    memcpy(&number, registers + 6 + sum, sizeof number);
    int32_t at = lane / 4 + sum / 2 * 8, column = lane % 4 * 2 + sum % 2;
    out[swaps ? at % 8 + column * 16 : at * 8 + column] = number;
  }
}

alignas(16) float wideLeft[16][8], wideRight[8][8];

/// Multiplies 16 x 8 by 8 x 8 elements of tf32, as multiplyByWarp. `converts`: numbers are truncated to tf32. `swaps`:
/// the upper and the lower rows of the left factor are exchanged.
template <bool converts, bool swaps> void multiplyWide(void **arguments) {
  int32_t lane = thread % 32, row = lane % 8, matrix = lane / 8;
  uint32_t registers[10] = {};
  loadMatrices(&wideLeft[row + matrix % 2 * 8][matrix / 2 * 4], 4, 0, registers);
  loadMatrices(&wideRight[row][matrix % 2 * 4], 2, 0, registers + 4);
  for (uint32_t *each = registers; converts && each < registers + 6; ++each)
    *each &= ~0x1fffu;
  if (swaps)
    std::swap(registers[0], registers[1]);
  multiply(/*numbers=*/6, registers);
  float *out = buffer(arguments, 1) + thread / 32 * 16 * 8;
  for (int32_t sum = 0; sum < 4; ++sum)
    memcpy(&out[(lane / 4 + sum / 2 * 8) * 8 + lane % 4 * 2 + sum % 2], registers + 6 + sum, sizeof(float));
}

alignas(16) uint8_t byteLeft[16][32], byteRight[8][32];

/// Multiplies 16 x 32 by 32 x 8 bytes, as multiplyByWarp; sums are integers.
template <int32_t numbers> void multiplyBytes(void **arguments) {
  int32_t lane = thread % 32, row = lane % 8, matrix = lane / 8;
  uint32_t registers[10] = {};
  loadMatrices(&byteLeft[row + matrix % 2 * 8][matrix / 2 * 16], 4, 0, registers);
  loadMatrices(&byteRight[row][matrix % 2 * 16], 2, 0, registers + 4);
  multiply(numbers, registers);
  float *out = buffer(arguments, 1) + thread / 32 * 16 * 8;
  for (int32_t sum = 0; sum < 4; ++sum)
    out[(lane / 4 + sum / 2 * 8) * 8 + lane % 4 * 2 + sum % 2] =
        static_cast<float>(static_cast<int32_t>(registers[6 + sum]));
}

/// One thread does not take part in the multiplication of its warp.
void multiplyAlone(void **) {
  uint32_t registers[10] = {};
  if (thread != 3)
    multiply(0, registers);
}

void readBlock(void **arguments) { buffer(arguments, 1)[thread] = static_cast<float>(block); }

/// Thread numbers are read again after a barrier.
void readThreadAgain(void **arguments) {
  int32_t before = thread;
  barrier();
  buffer(arguments, 1)[before] = static_cast<float>(thread);
}

} // namespace

TEST(EmulatedBlock, ThreadsMeetAtBarriers) {
  std::vector<float> out = resultOf(readNeighbour<true>, false);
  EXPECT_EQ(out[0], 4);
  EXPECT_EQ(out[threads - 1], 2);
  EXPECT_FALSE(dependsOnOrder(readNeighbour<true>));
}

TEST(EmulatedBlock, MissingBarrierShowsInTheOrder) {
  EXPECT_TRUE(dependsOnOrder(readNeighbour<false>));
  EXPECT_TRUE(dependsOnOrder(sumByHalves<false>));
  EXPECT_TRUE(dependsOnOrder(passRows<false>));
}

TEST(EmulatedBlock, BarriersInLoops) {
  EXPECT_EQ(resultOf(sumByHalves<true>, false), std::vector<float>(threads, threads * (threads + 1) / 2));
  EXPECT_FALSE(dependsOnOrder(sumByHalves<true>));
  EXPECT_FALSE(dependsOnOrder(passRows<true>));
}

TEST(EmulatedBlock, BarrierThatSomeThreadsMissIsAnError) {
  EXPECT_FALSE(run(leaveEarly, nullptr, nullptr, false));
  EXPECT_FALSE(run(leaveEarly, nullptr, nullptr, true));
  // The next block runs as usual.
  EXPECT_FALSE(dependsOnOrder(readNeighbour<true>));
}

namespace {
class EmulatedCopies : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override { setenv("CAMEO_EMULATOR_COPIES", GetParam(), /*overwrite=*/1); }
  void TearDown() override { unsetenv("CAMEO_EMULATOR_COPIES"); }
  /// Whether each output is the sum of three inputs from the next one on, for both orders of threads.
  static bool isRight(Kernel kernel) {
    for (bool isBackward : {false, true}) {
      std::vector<float> out = resultOf(kernel, isBackward);
      for (int32_t own = 0; own < threads; ++own)
        for (int step = 0; step < 3; ++step)
          out[own] -= static_cast<float>((own + 1 + step) % threads + 1);
      if (out != std::vector<float>(threads, 0))
        return false;
    }
    return true;
  }
};
} // namespace

TEST_P(EmulatedCopies, ArriveBeforeTheyAreRead) {
  EXPECT_TRUE((isRight(copyStages<true, true>)));
  std::vector<float> out = resultOf(copyHalf, false);
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[threads - 1], 0);
}

TEST_P(EmulatedCopies, OneThatNobodyWaitsForShowsWhereTheyAreLate) {
  EXPECT_EQ((isRight(copyStages<false, true>)), GetParam() == std::string("early"));
}

TEST_P(EmulatedCopies, AMissingBarrierShows) { EXPECT_FALSE((isRight(copyStages<true, false>))); }

INSTANTIATE_TEST_SUITE_P(Modes, EmulatedCopies, testing::Values("early", "late"),
                         [](const auto &info) { return std::string(info.param); });

namespace {
/// Whether both warps have the product of the factors, for both orders of threads.
bool multipliesRight(Kernel kernel, uint16_t (*numberOf)(int)) {
  for (int row = 0; row < 16; ++row)
    for (int step = 0; step < 16; ++step)
      left[row][step] = turnedLeft[step][row] = numberOf(leftAt(row, step));
  for (int step = 0; step < 16; ++step)
    for (int column = 0; column < 8; ++column)
      right[column][step] = turnedRight[step][column] = numberOf(rightAt(step, column));
  bool isRight = true;
  for (bool isBackward : {false, true}) {
    std::vector<float> out(2 * 16 * 8, NAN);
    EXPECT_TRUE(run(kernel, nullptr, out.data(), isBackward));
    for (int number = 0; number < 2 * 16 * 8; ++number) {
      int sum = 0;
      for (int step = 0; step < 16; ++step)
        sum += leftAt(number / 8 % 16, step) * rightAt(step, number % 8);
      isRight &= out[static_cast<size_t>(number)] == static_cast<float>(sum);
    }
  }
  return isRight;
}
} // namespace

TEST(EmulatedWarp, MultipliesMatrices) {
  EXPECT_TRUE((multipliesRight(multiplyByWarp<false, false, false>, halfOf)));
  EXPECT_TRUE((multipliesRight(multiplyByWarp<false, true, false>, halfOf)));
  EXPECT_TRUE((multipliesRight(multiplyByWarp<true, false, false>, brainOf)));
  EXPECT_TRUE((multipliesRight(multiplyByWarp<true, true, false>, brainOf)));
}

TEST(EmulatedWarp, AWrongLaneMapShows) {
  EXPECT_FALSE((multipliesRight(multiplyByWarp<false, false, true>, halfOf)));
  EXPECT_FALSE((multipliesRight(multiplyByWarp<true, false, false>, halfOf)));
}

namespace {
/// Whether both warps have the product of tf32 numbers, to which `added` is added; none if the emulator rejects the
/// kernel.
std::optional<bool> multipliesWideRight(Kernel kernel, float added = 0) {
  for (int row = 0; row < 16; ++row)
    for (int step = 0; step < 8; ++step)
      wideLeft[row][step] = static_cast<float>(leftAt(row, step)) + added;
  for (int step = 0; step < 8; ++step)
    for (int column = 0; column < 8; ++column)
      wideRight[column][step] = static_cast<float>(rightAt(step, column));
  std::vector<float> out(2 * 16 * 8, NAN);
  if (!run(kernel, nullptr, out.data(), false))
    return std::nullopt;
  bool isRight = true;
  for (int number = 0; number < 2 * 16 * 8; ++number) {
    int sum = 0;
    for (int step = 0; step < 8; ++step)
      sum += leftAt(number / 8 % 16, step) * rightAt(step, number % 8);
    isRight &= out[static_cast<size_t>(number)] == static_cast<float>(sum);
  }
  return isRight;
}
} // namespace

TEST(EmulatedWarp, MultipliesNumbersOfTf32) {
  EXPECT_EQ((multipliesWideRight(multiplyWide<true, false>)), true);
  EXPECT_EQ((multipliesWideRight(multiplyWide<true, true>)), false);
}

namespace {
/// Whether both warps have the product of bytes with this signedness.
bool multipliesBytesRight(Kernel kernel, bool isLeftSigned, bool isRightSigned) {
  auto valueOf = [](uint8_t byte, bool isSigned) { return isSigned ? static_cast<int8_t>(byte) : int(byte); };
  for (int row = 0; row < 16; ++row)
    for (int step = 0; step < 32; ++step)
      byteLeft[row][step] = static_cast<uint8_t>(row * 37 + step * 11);
  for (int column = 0; column < 8; ++column)
    for (int step = 0; step < 32; ++step)
      byteRight[column][step] = static_cast<uint8_t>(column * 53 + step * 29 + 100);
  std::vector<float> out(2 * 16 * 8, NAN);
  EXPECT_TRUE(run(kernel, nullptr, out.data(), false));
  bool isRight = true;
  for (int number = 0; number < 2 * 16 * 8; ++number) {
    int sum = 0;
    for (int step = 0; step < 32; ++step)
      sum +=
          valueOf(byteLeft[number / 8 % 16][step], isLeftSigned) * valueOf(byteRight[number % 8][step], isRightSigned);
    isRight &= out[static_cast<size_t>(number)] == static_cast<float>(sum);
  }
  return isRight;
}
} // namespace

TEST(EmulatedWarp, MultipliesBytes) {
  EXPECT_TRUE(multipliesBytesRight(multiplyBytes<2>, false, false));
  EXPECT_TRUE(multipliesBytesRight(multiplyBytes<3>, true, false));
  EXPECT_TRUE(multipliesBytesRight(multiplyBytes<4>, false, true));
  EXPECT_TRUE(multipliesBytesRight(multiplyBytes<5>, true, true));
  EXPECT_FALSE(multipliesBytesRight(multiplyBytes<5>, true, false));
}

TEST(EmulatedWarp, ANumberThatWasNotConvertedShows) {
  EXPECT_EQ((multipliesWideRight(multiplyWide<false, false>)), true);
  EXPECT_EQ((multipliesWideRight(multiplyWide<false, false>, 0x1p-12f)), std::nullopt);
  beginLaunch();
}

TEST(EmulatedWarp, WaitsForAllOfItsThreads) {
  EXPECT_FALSE(run(multiplyAlone, nullptr, nullptr, false));
  EXPECT_FALSE(run(multiplyAlone, nullptr, nullptr, true));
  EXPECT_TRUE((multipliesRight(multiplyByWarp<false, false, false>, halfOf)));
}

TEST(EmulatedBlock, KnowsItsNumberAndItsThreads) {
  std::vector<float> out(threads);
  EXPECT_TRUE(run(readBlock, nullptr, out.data(), false, 7));
  EXPECT_EQ(out, std::vector<float>(threads, 7));
  std::vector<float> numbers(threads);
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  EXPECT_TRUE(run(readThreadAgain, nullptr, out.data(), true));
  EXPECT_EQ(out, numbers);
}

TEST(EmulatedMemory, HoldsNanAtFirst) {
  auto *memory = static_cast<float *>(allocate(400));
  EXPECT_TRUE(std::isnan(memory[0]) && std::isnan(memory[99]));
  EXPECT_TRUE(release(memory));
  EXPECT_FALSE(release(memory));
}

TEST(EmulatedMemory, EndsAtAPageThatNobodyMayTouch) {
  auto *memory = static_cast<volatile char *>(allocate(256));
  EXPECT_DEATH(memory[256] = 1, "");
  EXPECT_TRUE(isInside(const_cast<char *>(memory), 256));
  EXPECT_FALSE(isInside(const_cast<char *>(memory) + 1, 256));
  EXPECT_TRUE(release(const_cast<char *>(memory)));
}
