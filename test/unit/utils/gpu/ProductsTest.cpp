// Products of groups of warps with planted faults: each is found, and none in the same kernel without the fault.
#include "test/unit/utils/gpu/KernelVariables.h"
#include "utils/gpu/emulator/Block.h"
#include "utils/gpu/emulator/Check.h"
#include "utils/gpu/emulator/Memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

using namespace emulator;

namespace {

using namespace kernel_variables;

const char *volatile sharedBegin;
void (*multiplyGroup)(uint64_t, uint64_t, int32_t, int32_t, int32_t, int32_t, float *);
void (*fenceProducts)();
void (*commitProducts)();
void (*awaitProducts)(int32_t, int32_t, float *);
void (*publish)();

ImageVariables variablesFor(bool isChecked) {
  ImageVariables all = variablesOf(isChecked);
  all.sharedBegin = &sharedBegin;
  all.multiplyGroup = &multiplyGroup;
  all.fenceProducts = &fenceProducts;
  all.commitProducts = &commitProducts;
  all.awaitProducts = &awaitProducts;
  all.publish = &publish;
  return all;
}

constexpr int32_t threads = 128, rows = 64, columns = 128, depth = 64, sums = columns / 2;
/// Both operands, 64 steps of halves: rows of 128 bytes, or along the points in panels of 64.
struct Operands {
  _Float16 left[rows * depth], right[columns * depth];
};
alignas(1024) Operands shared;

float leftAt(int row, int step) { return static_cast<float>((row * 5 + step * 3) % 7 - 3); }
float rightAt(int step, int column) { return static_cast<float>((step * 2 + column * 3) % 5 - 2); }

/// The index of an element that lies in rows of 64 elements, whose vectors of 8 are exchanged.
int placeOf(int row, int element) { return row * 64 + (element ^ row % 8 * 8); }
int placeIn(int point, int step, bool isTurned) {
  return isTurned ? point / 64 * 64 * depth + placeOf(step, point % 64) : placeOf(point, step);
}

struct Faults {
  bool turnsLeft = false, turnsRight = false, hasNoBarrier = false, hasNoFence = false, readsEarly = false,
       overwrites = false, forgetsCommit = false, skipsThread = false, swapsRows = false, changesSums = false,
       movesWarp = false, movesRows = false;
};
Faults faults;

/// Returns the descriptor of a matrix in rows of 128 bytes, whose vectors are exchanged.
uint64_t descriptorOf(const _Float16 *from) {
  constexpr uint64_t leading = depth * 128, stride = 1024, exchanged = 1;
  auto begin = static_cast<uint64_t>(reinterpret_cast<const char *>(from) - sharedBegin);
  return begin >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | exchanged << 62;
}

/// Threads copy both operands, multiply them in four steps of 16, and store the sums.
void multiplyAll(void **arguments) {
  auto *source = *static_cast<Operands **>(arguments[0]);
  auto *out = *static_cast<float **>(arguments[1]);
  int32_t own = thread;
  constexpr int32_t bytes = 16;
  auto copyAll = [&] {
    for (size_t at = static_cast<size_t>(own) * bytes; at < sizeof shared; at += threads * bytes)
      copy(reinterpret_cast<char *>(&shared) + at, reinterpret_cast<const char *>(source) + at, bytes, bytes);
    commit();
  };
  copyAll();
  await(0);
  if (!faults.hasNoFence)
    publish();
  if (!faults.hasNoBarrier)
    barrier();
  float registers[sums] = {};
  if (!faults.changesSums)
    fenceProducts();
  for (int32_t step = 0; step < depth; step += 16) {
    if (faults.skipsThread && own == 3)
      continue;
    int32_t moved = faults.movesWarp && own >= 96 && step == 0 ? 16 : faults.movesRows ? 64 : 0;
    multiplyGroup(descriptorOf(shared.left + (faults.turnsLeft ? step * 64 : step) + moved),
                  descriptorOf(shared.right + (faults.turnsRight ? step * 64 : step)), faults.turnsLeft,
                  faults.turnsRight, /*isBf16=*/0, sums, registers);
  }
  if (!faults.forgetsCommit)
    commitProducts();
  if (faults.overwrites) {
    barrier();
    copyAll();
  }
  if (!faults.readsEarly)
    awaitProducts(0, sums, registers);
  for (int32_t sum = 0; sum < sums; ++sum) {
    int32_t row = own / 32 * 16 + own % 32 / 4 + sum % 4 / 2 * 8, column = sum / 4 * 8 + own % 4 * 2 + sum % 2;
    out[(faults.swapsRows ? row ^ 8 : row) * columns + column] = registers[sum];
  }
}

/// Runs the kernel and returns its fault; "wrong sums" if it has none but other results.
std::string faultOf(const Faults &planted, bool isChecked, bool isBackward) {
  faults = planted;
  auto *source = static_cast<Operands *>(allocate(sizeof(Operands)));
  for (int row = 0; row < rows; ++row)
    for (int step = 0; step < depth; ++step)
      source->left[placeIn(row, step, faults.turnsLeft)] = static_cast<_Float16>(leftAt(row, step));
  for (int column = 0; column < columns; ++column)
    for (int step = 0; step < depth; ++step)
      source->right[placeIn(column, step, faults.turnsRight)] = static_cast<_Float16>(rightAt(step, column));
  markWritten(source, sizeof *source);
  std::vector<float> out(rows * columns, NAN);
  float *results = out.data();
  void *arguments[] = {&source, &results};
  memset(&shared, 0xff, sizeof shared);
  sharedBegin = reinterpret_cast<const char *>(&shared);
  beginLaunch();
  beginBlock(0, &shared, sizeof shared);
  Order order(isBackward ? Order::Kind::Backward : Order::Kind::Forward);
  bool isDone = runBlock(variablesFor(isChecked), multiplyAll, arguments, 0, threads, order);
  release(source);
  if (!isDone || !problem().empty())
    return problem().empty() ? "stuck" : problem();
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      float sum = 0;
      for (int step = 0; step < depth; ++step)
        sum += leftAt(row, step) * rightAt(step, column);
      if (out[static_cast<size_t>(row * columns + column)] != sum)
        return "wrong sums";
    }
  return "";
}

/// Whether the fault contains `text` for both orders of threads, and is empty if that is.
testing::AssertionResult shows(const Faults &planted, const std::string &text, bool isChecked) {
  for (bool isBackward : {false, true})
    if (std::string fault = faultOf(planted, isChecked, isBackward);
        text.empty() ? !fault.empty() : fault.find(text) == std::string::npos)
      return testing::AssertionFailure() << "got '" << fault << "'";
  return testing::AssertionSuccess();
}

} // namespace

TEST(EmulatedGroup, MultipliesMatrices) {
  for (bool isChecked : {false, true})
    for (bool turnsLeft : {false, true})
      for (bool turnsRight : {false, true})
        EXPECT_TRUE(shows({.turnsLeft = turnsLeft, .turnsRight = turnsRight}, "", isChecked));
}

TEST(EmulatedGroup, AWrongPlaceOfSumsShows) { EXPECT_TRUE(shows({.swapsRows = true}, "wrong sums", false)); }

TEST(EmulatedGroup, SumsThatNobodyWaitsForShow) {
  EXPECT_TRUE(shows({.readsEarly = true}, "wrong sums", false));
  EXPECT_TRUE(shows({.forgetsCommit = true}, "reads sums of a product that is under way", false));
}

TEST(EmulatedGroup, ACopyIntoAMatrixOfAProductShows) {
  for (bool isChecked : {false, true})
    EXPECT_TRUE(shows({.overwrites = true}, "writes to a matrix of a product that is under way", isChecked));
}

TEST(EmulatedGroup, AThreadThatDoesNotComeShows) { EXPECT_TRUE(shows({.skipsThread = true}, "stuck", false)); }

TEST(EmulatedGroup, AMissingBarrierShows) { EXPECT_TRUE(shows({.hasNoBarrier = true}, "reads 2 bytes", true)); }

TEST(EmulatedGroup, AMissingFenceShows) {
  EXPECT_TRUE(shows({.hasNoFence = true}, "with no fence between it and the product", true));
}

TEST(EmulatedGroup, AMissingFenceOfRegistersShows) {
  EXPECT_TRUE(shows({.changesSums = true}, "with no fence between what has changed its sums", false));
}

TEST(EmulatedGroup, OtherMatricesOfAWarpShow) {
  EXPECT_TRUE(shows({.movesWarp = true}, "other matrices than the first thread of its group", false));
}

TEST(EmulatedGroup, AMatrixThatBeginsInsideAPatternShows) {
  EXPECT_TRUE(shows({.movesRows = true}, "does not begin with a row of its pattern", false));
}
