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

/// Returns the bytes of the elements of each buffer that `nest` reads or writes.
std::map<unsigned, double> bytesAccessed(const TaskProgram &program, const LoopNest &nest) {
  std::map<unsigned, double> bytes;
  forEachAccess(nest, [&](unsigned number, const LinearForm &address, bool isIndirect) {
    const Buffer &buffer = program.buffers[number];
    int64_t all = buffer.elements, reached = isIndirect ? all : std::min(all, nest.reach<int64_t>(address).count());
    bytes[number] = std::max(bytes[number], static_cast<double>(reached * bytesOf(buffer.elementType)));
  });
  return bytes;
}

double sumOf(const std::map<unsigned, double> &bytes) {
  double sum = 0;
  for (auto [buffer, count] : bytes)
    sum += count;
  return sum;
}

/// Returns the cycles of a launch that takes `cycles` without waiting for memory.
double withMemory(double cycles, double bytes, const GpuMachine &gpu) {
  return std::max(cycles, launchedCycles + memoryCyclesOf(bytes, gpu));
}

class ChainChoice {
public:
  ChainChoice(const TaskProgram &program, ArrayRef<Chain> chains, const GpuMachine &gpu);

  std::optional<ChainOption> choose();

private:
  bool isPooled() const;
  double cyclesOfOwn(const LoopNest &nest) const;
  double cyclesApart() const;
  void extend(SmallVector<const TensorTileOption *> &options);
  void weigh(ArrayRef<const TensorTileOption *> options);
  ArrayRef<TensorTileOption> tilesOf(size_t product, const TensorTileOption &first);

  const TaskProgram &program;
  ArrayRef<Chain> chains;
  const GpuMachine &gpu;
  SmallVector<const LoopNest *> nests; ///< the products
  double bytes = 0;                    ///< that the launch reads and writes
  /// The tiles of each product but the first one, by rows and threads of a block.
  std::map<std::tuple<size_t, SmallVector<int64_t>, int64_t>, std::vector<TensorTileOption>> known;
  std::optional<ChainOption> best;
};

ChainChoice::ChainChoice(const TaskProgram &program, ArrayRef<Chain> chains, const GpuMachine &gpu)
    : program(program), chains(chains), gpu(gpu), nests{chains[0].first} {
  for (const Chain &chain : chains)
    nests.push_back(chain.second);
  for (auto [product, nest] : llvm::enumerate(nests)) {
    std::map<unsigned, double> own = bytesAccessed(program, *nest);
    if (product > 0)
      own.erase(chains[product - 1].buffer);
    if (product < chains.size() && !chains[product].isStored)
      own.erase(chains[product].buffer);
    bytes += sumOf(own);
  }
}

/// Whether blocks of the last product alone pool its results, which blocks of a chain cannot.
bool ChainChoice::isPooled() const {
  auto isOwn = [&](const NestGroup &group) { return &group.nests[0] == nests.back(); };
  std::optional<Pool> pool = findPool(program, llvm::find_if(program.groups, isOwn) - program.groups.begin());
  return pool && choosePool(program, *nests.back(), *pool, gpu, /*beside=*/{});
}

/// Returns the cycles of a launch of `nest`, or 0 if it has no tile.
double ChainChoice::cyclesOfOwn(const LoopNest &nest) const {
  std::optional<BlockTileOption> tile = chooseBlockTile(program, nest, gpu);
  return tile ? withMemory(tile->cycles, sumOf(bytesAccessed(program, nest)), gpu) : 0;
}

/// Returns the cycles of two launches, of which the second one has the last product; 0 if one has no tile. The second
/// one begins while the first one still runs on devices that can do so, which is half of what it takes to launch
/// (utils/gpu/kernels).
double ChainChoice::cyclesApart() const {
  constexpr unsigned dependentCapability = 90;
  double second = cyclesOfOwn(*nests.back()), first;
  if (chains.size() == 1) {
    first = cyclesOfOwn(*nests.front());
  } else {
    std::optional<ChainOption> before = ChainChoice(program, chains.drop_back(), gpu).choose();
    first = before ? before->cycles : 0;
  }
  if (first == 0 || second == 0)
    return 0;
  return first + second - (gpu.getCapability() >= dependentCapability ? launchedCycles / 2 : 0);
}

void ChainChoice::weigh(ArrayRef<const TensorTileOption *> options) {
  SmallVector<const TensorWork *> works =
      llvm::map_to_vector(options, [](const TensorTileOption *option) { return &option->work; });
  const TensorWork &first = *works.front();
  auto [smaller, larger] = std::minmax({first.leftBytes, first.rightBytes});
  double shared = first.vectorBytes;
  for (const TensorWork *work : works) {
    if (work->registers > mostChainRegisters)
      return;
    if (work == &first)
      continue;
    larger = std::max(larger, work->rightBytes);
    shared += work->blocks / first.blocks * work->vectorBytes;
  }
  if (works.size() > mostChains)
    smaller = std::max(smaller, works[mostChains]->leftBytes);
  double cycles = withMemory(chainCyclesOf(works, shared + larger + smaller + works[1]->leftBytes, gpu), bytes, gpu);
  if (best && cycles >= best->cycles)
    return;
  ChainOption option{{}, cycles};
  for (auto [nest, tile] : llvm::zip_equal(nests, options))
    packConstants(program, *nest, option.products.emplace_back(tile->tile.schedule));
  ChainSchedules schedules;
  for (const ThreadSchedule &product : option.products)
    schedules.push_back({&product.loops, &product.threads});
  if (findChainFault(chains, schedules, gpu).empty())
    best = std::move(option);
}

/// Returns the tiles of `product` with the rows and threads of the tile `first` of the first one.
ArrayRef<TensorTileOption> ChainChoice::tilesOf(size_t product, const TensorTileOption &first) {
  const ThreadSchedule &schedule = first.tile.schedule;
  BlockTile tile = tileOf(*nests[0], schedule.loops, schedule.threads);
  SmallVector<int64_t> rows =
      llvm::map_to_vector(chains[0].rows, [&](const Chain::Pair &pair) { return tile.dims[pair.ofFirst].block; });
  auto [place, isNew] = known.try_emplace({product, rows, tile.threads});
  if (isNew)
    place->second = chainedTilesOf(program, *nests[product], rows, tile.threads, gpu);
  return place->second;
}

/// Weighs all tiles of the products behind those that have `options`.
void ChainChoice::extend(SmallVector<const TensorTileOption *> &options) {
  if (options.size() == nests.size())
    return weigh(options);
  for (const TensorTileOption &next : tilesOf(options.size(), *options.front())) {
    options.push_back(&next);
    extend(options);
    options.pop_back();
  }
}

std::optional<ChainOption> ChainChoice::choose() {
  for (const Chain &chain : chains)
    if (int64_t(chain.first->dims[chain.column.ofFirst].extent) > mostChainSteps)
      return std::nullopt;
  if (isPooled())
    return std::nullopt;
  double apart = cyclesApart();
  int64_t columns = nests[0]->dims[chains[0].column.ofFirst].extent;
  std::vector<TensorTileOption> ofFirst = tensorTilesOf(program, *nests[0], gpu);
  for (const TensorTileOption &first : ofFirst) {
    if (first.tile.shape.columns != columns || first.tile.splits > 1 || first.tile.schedule.threads.copy != Copy::Async)
      continue;
    SmallVector<const TensorTileOption *> options{&first};
    extend(options);
  }
  return best && best->cycles < apart ? std::move(best) : std::nullopt;
}

} // namespace

std::optional<ChainOption> chooseChain(const TaskProgram &program, ArrayRef<Chain> chains, const GpuMachine &gpu) {
  return ChainChoice(program, chains, gpu).choose();
}

} // namespace cameo::schedule
