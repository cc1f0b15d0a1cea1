#include "passes/Schedule/Rules/Gpu/ChooseChain.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/ChooseBlockTile.h"
#include "passes/Schedule/Rules/Gpu/ChoosePool.h"
#include "passes/Schedule/Rules/Gpu/PackConstants.h"
#include "passes/Schedule/Rules/Gpu/TensorTileOptions.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// The most registers of either product. Addresses of the second one are computed beside sums of the first one: with
/// 216 ptxas spilled registers of two kernels.
constexpr double mostChainRegisters = 200;

/// Returns the bytes of the elements that `nest` reads and writes, without those of `skipped`.
double bytesAccessed(const TaskProgram &program, const LoopNest &nest, std::optional<unsigned> skipped) {
  std::map<unsigned, int64_t> elements;
  forEachAccess(nest, [&](unsigned buffer, const LinearForm &address, bool isIndirect) {
    int64_t all = program.buffers[buffer].elements;
    elements[buffer] =
        std::max(elements[buffer], isIndirect ? all : std::min(all, nest.reach<int64_t>(address).count()));
  });
  double bytes = 0;
  for (auto [buffer, count] : elements)
    if (buffer != skipped)
      bytes += static_cast<double>(count * bytesOf(program.buffers[buffer].elementType));
  return bytes;
}

/// Returns the cycles of a launch that takes `cycles` without waiting for memory.
double withMemory(double cycles, double bytes, const GpuMachine &gpu) {
  return std::max(cycles, launchedCycles + memoryCyclesOf(bytes, gpu));
}

class ChainChoice {
public:
  ChainChoice(const TaskProgram &program, const Chain &chain, const GpuMachine &gpu)
      : program(program), chain(chain), gpu(gpu) {
    double stored =
        bytesAccessed(program, *chain.second, std::nullopt) - bytesAccessed(program, *chain.second, chain.buffer);
    bytes = bytesAccessed(program, *chain.first, chain.buffer) + bytesAccessed(program, *chain.second, chain.buffer) +
            (chain.isStored ? stored : 0);
  }

  std::optional<ChainOption> choose();

private:
  bool isPooled() const;
  double cyclesApart() const;
  void weigh(const TensorTileOption &first, const TensorTileOption &second);

  const TaskProgram &program;
  const Chain &chain;
  const GpuMachine &gpu;
  double bytes; ///< that the launch reads and writes
  std::optional<ChainOption> best;
};

/// Whether blocks of the second product alone pool its results, which blocks of a chain cannot.
bool ChainChoice::isPooled() const {
  auto isOwn = [&](const NestGroup &group) { return &group.nests[0] == chain.second; };
  std::optional<Pool> pool = findPool(program, llvm::find_if(program.groups, isOwn) - program.groups.begin());
  return pool && choosePool(program, *chain.second, *pool, gpu, /*beside=*/{});
}

/// Returns the cycles of two launches, or 0 if one product has no tile. The second one begins while the first one still
/// runs on devices that can do so, which is half of what it takes to launch (utils/gpu/kernels).
double ChainChoice::cyclesApart() const {
  constexpr unsigned dependentCapability = 90;
  double cycles = gpu.getCapability() >= dependentCapability ? -launchedCycles / 2 : 0;
  for (const LoopNest *nest : {chain.first, chain.second}) {
    std::optional<BlockTileOption> tile = chooseBlockTile(program, *nest, gpu);
    if (!tile)
      return 0;
    cycles += withMemory(tile->cycles, bytesAccessed(program, *nest, std::nullopt), gpu);
  }
  return cycles;
}

void ChainChoice::weigh(const TensorTileOption &first, const TensorTileOption &second) {
  const TensorWork &a = first.work, &b = second.work;
  if (std::max(a.registers, b.registers) > mostChainRegisters)
    return;
  double parts = b.blocks / a.blocks, shared = a.leftBytes + a.rightBytes +
                                               std::max(0.0, b.rightBytes - std::max(a.leftBytes, a.rightBytes)) +
                                               b.leftBytes + a.vectorBytes + parts * b.vectorBytes;
  double cycles = withMemory(chainCyclesOf(a, b, parts, shared, gpu), bytes, gpu);
  if (best && cycles >= best->cycles)
    return;
  ChainOption option{first.tile.schedule, second.tile.schedule, cycles};
  packConstants(program, *chain.first, option.first);
  packConstants(program, *chain.second, option.second);
  if (findChainFault(chain, {option.first.loops, option.second.loops, option.first.threads, option.second.threads}, gpu)
          .empty())
    best = std::move(option);
}

std::optional<ChainOption> ChainChoice::choose() {
  int64_t columns = chain.first->dims[chain.column.ofFirst].extent;
  if (columns > mostChainSteps || isPooled())
    return std::nullopt;
  double apart = cyclesApart();
  std::map<std::pair<SmallVector<int64_t>, int64_t>, std::vector<TensorTileOption>> ofSecond; // by rows and threads
  for (const TensorTileOption &first : tensorTilesOf(program, *chain.first, gpu)) {
    const ThreadSchedule &schedule = first.tile.schedule;
    if (first.tile.shape.columns != columns || first.tile.splits > 1 || schedule.threads.copy != Copy::Async)
      continue;
    BlockTile tile = tileOf(*chain.first, schedule.loops, schedule.threads);
    SmallVector<int64_t> rows =
        llvm::map_to_vector(chain.rows, [&](const Chain::Pair &pair) { return tile.dims[pair.ofFirst].block; });
    auto [known, isNew] = ofSecond.try_emplace({rows, tile.threads});
    if (isNew)
      known->second = chainedTilesOf(program, *chain.second, rows, tile.threads, gpu);
    for (const TensorTileOption &second : known->second)
      weigh(first, second);
  }
  return best && best->cycles < apart ? std::move(best) : std::nullopt;
}

} // namespace

std::optional<ChainOption> chooseChain(const TaskProgram &program, const Chain &chain, const GpuMachine &gpu) {
  return ChainChoice(program, chain, gpu).choose();
}

} // namespace cameo::schedule
