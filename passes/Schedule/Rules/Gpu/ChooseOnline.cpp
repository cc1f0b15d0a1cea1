// Chooses the tile that a simple model of a multiprocessor estimates to be fastest. The parameters are those of the
// models for tiles of products (ThreadModel.h, TensorModel.h). Instructions of exponentials are counted; the model has
// not been compared with timings.
#include "passes/Schedule/Rules/Gpu/ChooseOnline.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/MmaOnlineBlock.h"
#include "passes/Schedule/Rules/Gpu/TensorModel.h"
#include "passes/Schedule/Rules/Gpu/TensorProduct.h"
#include "passes/Schedule/Rules/Gpu/ThreadModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {
namespace {

/// Instructions of an exponential, of the computation of a score from a product, and of an exchange between threads.
constexpr double powerInstructions = 14, scoreInstructions = 12, exchangeInstructions = 4;
/// Assumed instructions of a warp with the matrix unit: a load of 16 points, an asynchronous copy, all else in a part
/// of the keys, and what is computed from a sum.
constexpr double loadIssue = 2, copyIssue = 6, partIssue = 30, resultIssue = 6;

/// Returns the instructions in which a thread copies its share of a part to shared memory.
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

/// The work of a warp in one part of the keys, and the memory traffic of the block.
struct MmaPart {
  double products;     ///< number of instructions of the matrix unit
  double instructions; ///< number of all instructions
  double integers;     ///< number of those that compute addresses of copies
  double readBytes;    ///< bytes that all warps read from shared memory
  double fetchedBytes;
};

MmaPart partOf(const Attention &attention, const OnlineTile &tile, const TensorShape &tensor,
               const MmaOnlineBlock &block) {
  constexpr int64_t loadBytes = 4 * 8 * 16; // four matrices of 8 rows of 16 bytes
  auto asDouble = [](int64_t number) { return static_cast<double>(number); };
  const Node &key = attention.scores.nodes[attention.query.right],
             &value = attention.values.nodes[attention.value.right];
  int64_t bytes = bytesOf(key.type), depths = attention.depths(), features = attention.features(),
          warps = block.threads / GpuMachine::warpThreads, keyNumbers = tile.keys * depths,
          valueNumbers = tile.keys * features, scores = mmaRows * tile.keys / GpuMachine::warpThreads;
  auto loadsOf = [&](int64_t numbers, const Node &node, const SharedLayout &layout) {
    return asDouble(numbers * bytes) / loadBytes * (readsMatrices(node, layout) ? 1 : 4);
  };
  auto copiesOf = [&](int64_t numbers, const LoopNest &nest, const Node &node, const BlockTile &of) {
    return std::ceil(asDouble(numbers) / asDouble(fetchWidth(node, nest, of, fetchedDims(node, nest)) * block.threads));
  };
  MmaPart part;
  part.products = asDouble((tile.keys / mmaColumns * depths + tile.keys * features / mmaColumns) / tensor.depth *
                           productsOf(tensor.kind));
  double loads = loadsOf(mmaRows * depths, attention.scores.nodes[attention.query.left], block.queryLayout(attention)) +
                 loadsOf(keyNumbers, key, block.keyLayout(attention)) +
                 loadsOf(valueNumbers, value, block.valueLayout(attention));
  double conversions = issueOfConversion(tensor.kind) *
                       asDouble((mmaRows * depths + keyNumbers + valueNumbers) / GpuMachine::warpThreads + scores);
  double copies = copiesOf(keyNumbers, attention.scores, key, block.scores) +
                  copiesOf(valueNumbers, attention.values, value, block.values);
  constexpr double exchanges = 2 * 2; // two rows, and two exchanges each among four threads
  double weights = asDouble(scores) * (powerInstructions + scoreInstructions) + asDouble(block.sums(attention)) +
                   exchanges * exchangeInstructions;
  part.instructions = part.products + loads * loadIssue + conversions + copies * copyIssue + weights + partIssue;
  part.integers = copies * copyIssue;
  part.fetchedBytes = asDouble((keyNumbers + valueNumbers) * bytes);
  part.readBytes = asDouble(warps * mmaRows * depths * bytes) + asDouble(warps) * part.fetchedBytes;
  return part;
}

/// Returns the registers of a thread: its sums, the scores of a part, which become weights, and the operands of
/// instructions, keys or values.
double registersOf(const Attention &attention, const OnlineTile &tile, const TensorShape &tensor,
                   const MmaOnlineBlock &block) {
  int64_t scores = mmaRows * tile.keys / GpuMachine::warpThreads,
          read = std::max(tile.keys, attention.features()) * mmaDepthBytes / (GpuMachine::warpThreads * registerBytes);
  return plainRegisters +
         static_cast<double>(block.sums(attention) + scores + (tensor.kind == TensorKind::Mma3xTf32 ? 2 * read : read));
}

double costOf(const Attention &attention, const OnlineTile &tile, const TensorShape &tensor, const GpuMachine &gpu) {
  MmaOnlineBlock block = mmaOnlineBlock(attention, tile);
  auto asDouble = [](int64_t number) { return static_cast<double>(number); };
  MmaPart part = partOf(attention, tile, tensor, block);
  double parts = asDouble(block.parts), warps = asDouble(block.threads / GpuMachine::warpThreads),
         rest = beginIssue + resultIssue * asDouble(block.sums(attention));
  TensorWork work;
  work.blocks = asDouble(block.blocks);
  work.registers = registersOf(attention, tile, tensor, block);
  work.leftBytes = asDouble(block.sharedBytes(attention)); // of all operands
  work.rightBytes = 0;
  work.warps = warps;
  work.steps = parts;
  work.ahead = std::max(1.0, block.stages - 1.0);
  work.step = {part.instructions, part.products, part.integers, (part.readBytes + part.fetchedBytes) / warps};
  work.rest = {rest, 0, rest / 2, 0};
  work.unitCycles = parts * warps * part.products * asDouble(mmaRows * mmaColumns * tensor.depth) /
                    (productsPerCycle(gpu, tensor) * asDouble(productsOf(tensor.kind)));
  work.cachedBytes = parts * part.fetchedBytes;
  work.isSplit = false;
  work.partsBytes = 0;
  return cyclesOf(work, gpu);
}

} // namespace

std::vector<OnlineOption> onlineOptions(const Attention &attention, const GpuMachine &gpu) {
  std::vector<OnlineOption> all;
  for (int64_t rows : {8, 16, 32, 64})
    for (int64_t keys : {16, 32, 48, 64})
      if (OnlineTile tile{rows, keys}; findOnlineFault(attention, tile, gpu).empty())
        all.push_back({tile, std::nullopt, costOf(attention, tile, gpu)});
  if (std::optional<TensorShape> tensor = findOnlineTensor(attention, gpu))
    for (int64_t rows : {16, 32, 64, 128})
      for (int64_t keys : {16, 32, 64, 128})
        if (OnlineTile tile{rows, keys}; findMmaOnlineFault(attention, tile, *tensor, gpu).empty())
          all.push_back({tile, tensor, costOf(attention, tile, *tensor, gpu)});
  llvm::sort(all, [](const OnlineOption &a, const OnlineOption &b) {
    return std::tuple(a.cycles, a.tensor.has_value(), a.tile.rows, a.tile.keys) <
           std::tuple(b.cycles, b.tensor.has_value(), b.tile.rows, b.tile.keys);
  });
  return all;
}

std::optional<OnlineOption> chooseOnline(const Attention &attention, const GpuMachine &gpu, double cycles) {
  std::vector<OnlineOption> all = onlineOptions(attention, gpu);
  return !all.empty() && all.front().cycles < cycles ? std::optional(all.front()) : std::nullopt;
}

} // namespace cameo::schedule
