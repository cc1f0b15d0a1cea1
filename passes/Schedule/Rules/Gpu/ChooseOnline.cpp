// Of the tiles that fit the one that a simple model of a multiprocessor finds fastest. Its numbers are those of the
// model for tiles of products (ThreadModel.h); what exponentials take is counted, and nothing of it has been timed.
#include "passes/Schedule/Rules/Gpu/ChooseOnline.h"

#include "passes/Schedule/Rules/Gpu/ThreadModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {
namespace {

/// Instructions of an exponential, of what becomes of a product before it, and of an exchange between threads.
constexpr double powerInstructions = 14, scoreInstructions = 12, exchangeInstructions = 4;

/// Instructions of a thread that brings its share of a part into shared memory.
double fetchInstructions(const OnlineBlock &block, const OnlineBlock::Memory &memory, int64_t width) {
  double share = static_cast<double>(memory.rows * memory.columns) / static_cast<double>(block.threads);
  return share *
         (vectorFetch / static_cast<double>(width) + sharedStore / static_cast<double>(std::min(width, onlineVector)));
}

double partInstructions(const Attention &attention, const OnlineBlock &block) {
  auto keys = static_cast<double>(block.keysOfThread), features = static_cast<double>(block.features()),
       rows = static_cast<double>(onlineRowsOfThread), vector = static_cast<double>(onlineVector),
       exchanges = static_cast<double>(llvm::Log2_64(onlineThreadsOfRow));
  double scores = static_cast<double>(block.queries.columns) * (rows * keys + sharedLoad * (rows + keys) / vector);
  double weights = rows * (keys * (powerInstructions + scoreInstructions + sharedStore) + powerInstructions + features +
                           exchanges * exchangeInstructions);
  double values = static_cast<double>(block.values.rows) *
                  (rows * features + sharedLoad * (rows / vector + static_cast<double>(block.columns.size())));
  return scores + weights + values +
         fetchInstructions(block, block.keys,
                           onlineFetchWidth(attention.scores, attention.query.right, attention.depth)) +
         fetchInstructions(block, block.values,
                           onlineFetchWidth(attention.values, attention.value.right, attention.feature));
}

double costOf(const Attention &attention, const OnlineTile &tile, const GpuMachine &gpu) {
  OnlineBlock block = onlineBlock(attention, tile);
  auto threads = static_cast<double>(block.threads), sums = static_cast<double>(block.sums());
  double byRegisters = static_cast<double>(gpu.registers) / (threads * (registersBeside + registersOfPoint * sums)),
         byMemory = static_cast<double>(gpu.sharedBytes) / static_cast<double>(block.sharedBytes());
  double resident =
      std::max(1.0, std::floor(std::min({byRegisters, byMemory, static_cast<double>(residentThreads) / threads})));
  double waves = static_cast<double>(llvm::divideCeil(block.blocks, gpu.processors)),
         warps = threads / (GpuMachine::warpThreads * schedulers), together = std::min(waves, resident) * warps;
  double rate = together < 1 ? aloneRate * together : std::min(mostRate, aloneRate + addedRate * (together - 1));
  double turns = std::max(1.0, waves / resident);
  double part = std::max(waves * warps * partInstructions(attention, block) / rate, fetchCycles * turns) +
                fetchCycles * turns / std::max(1.0, std::min(waves, resident)) + waitCycles / together;
  return startCycles + static_cast<double>(block.parts) * part + pointCycles * sums * waves * warps;
}

} // namespace

std::vector<OnlineOption> onlineOptions(const Attention &attention, const GpuMachine &gpu) {
  std::vector<OnlineOption> all;
  for (int64_t rows : {8, 16, 32, 64})
    for (int64_t keys : {16, 32, 48, 64})
      if (OnlineTile tile{rows, keys}; findOnlineFault(attention, tile, gpu).empty())
        all.push_back({tile, costOf(attention, tile, gpu)});
  llvm::sort(all, [](const OnlineOption &a, const OnlineOption &b) {
    return std::tie(a.cycles, a.tile.rows, a.tile.keys) < std::tie(b.cycles, b.tile.rows, b.tile.keys);
  });
  return all;
}

std::optional<OnlineTile> chooseOnline(const Attention &attention, const GpuMachine &gpu, double cycles) {
  std::vector<OnlineOption> all = onlineOptions(attention, gpu);
  return !all.empty() && all.front().cycles < cycles ? std::optional(all.front().tile) : std::nullopt;
}

} // namespace cameo::schedule
