#include "passes/Schedule/Rules/Gpu/Chain.h"

#include "passes/Schedule/Nests/IndependentNests.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/PackConstants.h"
#include "passes/Schedule/Rules/Gpu/PointVectors.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// A nest with its number and its group.
struct NestOfGroup {
  unsigned number;
  const NestGroup *group;
  const LoopNest *nest;
};

std::vector<NestOfGroup> nestsOf(const TaskProgram &program) {
  std::vector<NestOfGroup> all;
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests)
      all.push_back({static_cast<unsigned>(all.size()), &group, &nest});
  return all;
}

bool writes(const LoopNest &nest, unsigned buffer) {
  return llvm::any_of(nest.outputs, [&](const Output &output) { return output.buffer == buffer; });
}

/// Pairs each parallel dimension of the first nest with the one of the second nest that has its stride. Both have their
/// rows in the same order.
bool pairDims(Chain &chain, const Contraction &first, const Contraction &second) {
  const LinearForm &stored = chain.first->outputs[0].address, &read = chain.second->nodes[chain.left].address;
  if (stored.constant != read.constant || first.columns.size() != 1 || second.depth.size() != 1 ||
      !first.batch.empty() || !second.batch.empty() || first.rows.size() != second.rows.size())
    return false;
  auto isAlike = [&](unsigned mine, unsigned theirs) {
    return stored.coefficients[mine] == read.coefficients[theirs] &&
           chain.first->dims[mine].extent == chain.second->dims[theirs].extent;
  };
  for (auto [mine, theirs] : llvm::zip_equal(first.rows, second.rows)) {
    if (!isAlike(mine, theirs))
      return false;
    chain.rows.push_back({mine, theirs});
  }
  chain.column = {first.columns[0], second.depth[0]};
  // The second product has its columns last, so those of one block follow each other.
  return isAlike(chain.column.ofFirst, chain.column.ofSecond) && stored.coefficients[chain.column.ofFirst] == 1 &&
         llvm::all_of(second.columns, [&](unsigned dim) { return dim > second.rows.back(); });
}

int64_t bytesOfOperand(const LoopNest &nest, NodeId load, const GpuSchedule &threads, const BlockTile &tile) {
  return sharedLayout(nest.nodes[load], nest, tile).elements * bytesOf(nest.nodes[load].type) * threads.stages;
}

} // namespace

unsigned Chain::matching(unsigned dim) const {
  const Pair *found = llvm::find_if(rows, [&](const Pair &pair) { return pair.ofFirst == dim; });
  return found == rows.end() ? column.ofSecond : found->ofSecond;
}

std::optional<Chain> findChain(const TaskProgram &program, unsigned second) {
  constexpr int64_t bytesOfHalf = 2;
  std::vector<NestOfGroup> all = nestsOf(program);
  const LoopNest &nest = *all[second].nest;
  std::optional<Contraction> product = isAlone(*all[second].group) ? findContraction(nest) : std::nullopt;
  if (!product || !nest.hasKnownSizes() || product->rows.empty() || product->columns.empty())
    return std::nullopt;
  Chain chain{0,  second, nullptr, &nest, product->left, product->right, nest.nodes[product->left].buffer,
              {}, {},     false};
  auto readsOnce = [&](const LoopNest &of) {
    return llvm::count_if(of.nodes, [&](const Node &node) { return node.reads(chain.buffer); }) == 1;
  };
  for (const NestOfGroup &each : all) {
    if (writes(*each.nest, chain.buffer)) {
      if (chain.first || each.number >= second || !isAlone(*each.group))
        return std::nullopt;
      chain.firstNest = each.number;
      chain.first = each.nest;
    }
    chain.isStored |= each.number != second &&
                      llvm::any_of(each.nest->nodes, [&](const Node &node) { return node.reads(chain.buffer); });
  }
  chain.isStored |= !program.buffers[chain.buffer].isScratch();
  if (!chain.first || !chain.first->hasKnownSizes() || !readsOnce(nest) || nest.nodes[chain.left].packed ||
      nest.nodes[chain.left].shared || bytesOf(nest.nodes[chain.left].type) != bytesOfHalf ||
      nest.nodes[chain.right].buffer == chain.buffer)
    return std::nullopt;
  std::optional<Contraction> before = findContraction(*chain.first);
  if (!before || before->rows.empty() || chain.first->outputs.size() != 1 || chain.first->outputs[0].index ||
      chain.first->nodes[before->left].type != nest.nodes[chain.left].type || !pairDims(chain, *before, *product))
    return std::nullopt;
  return chain;
}

Chains findChains(const TaskProgram &program, ArrayRef<GpuSchedule> threads, unsigned last) {
  Chains chains;
  for (unsigned nest = last; threads[nest].chained; nest = chains.back().firstNest) {
    std::optional<Chain> chain = findChain(program, nest);
    if (!chain)
      return {};
    chains.push_back(std::move(*chain));
  }
  std::reverse(chains.begin(), chains.end());
  return chains;
}

ChainSchedules schedulesOf(ArrayRef<Chain> chains, ArrayRef<NestSchedule> loops, ArrayRef<GpuSchedule> threads) {
  ChainSchedules schedules{{&loops[chains[0].firstNest], &threads[chains[0].firstNest]}};
  for (const Chain &chain : chains)
    schedules.push_back({&loops[chain.secondNest], &threads[chain.secondNest]});
  return schedules;
}

namespace {

/// Returns why blocks of the first product of `chain` cannot compute the second one; empty if they can. All columns of
/// a first product that is chained itself are in the same block.
std::string findLinkFault(const Chain &chain, const ProductSchedule &ofFirst, const ProductSchedule &ofSecond) {
  const GpuSchedule &firstThreads = *ofFirst.threads, &secondThreads = *ofSecond.threads;
  auto isHalves = [](const GpuSchedule &threads) {
    return threads.tensor && (threads.tensor->kind == TensorKind::Mma || threads.tensor->kind == TensorKind::Wgmma) &&
           threads.copy == Copy::Async;
  };
  if (!isHalves(firstThreads) || !isHalves(secondThreads) || secondThreads.stages != 1)
    return llvm::formatv(
        "expected two products by the matrix unit with asynchronous copies, those of the second one to "
        "one stage, got {0}",
        secondThreads.stages);
  BlockTile first = tileOf(*chain.first, *ofFirst.loops, firstThreads),
            second = tileOf(*chain.second, *ofSecond.loops, secondThreads);
  const TiledDimension &column = first.dims[chain.column.ofFirst], &depth = second.dims[chain.column.ofSecond];
  if ((column.block != column.extent && !firstThreads.chained) || depth.block != depth.extent || first.splits > 1 ||
      second.splits > 1)
    return llvm::formatv("expected blocks with all {0} columns of the first product, and all of these as one fetch of "
                         "the second one, got {1} and {2}",
                         column.extent, column.block, depth.block);
  int64_t parts = second.blocks;
  for (auto [mine, theirs] : chain.rows) {
    if (first.dims[mine].block != second.dims[theirs].block)
      return llvm::formatv("expected blocks with equal rows, got {0} and {1} along dimension {2}",
                           first.dims[mine].block, second.dims[theirs].block, theirs);
    parts /= second.dims[theirs].blocks();
    // Rows beyond an edge are kept, too, so that no thread has a branch, and must have no address.
    for (NodeId id : chain.first->computed(/*insideReduction=*/false))
      if (const Node &node = chain.first->nodes[id];
          first.dims[mine].isRagged() && node.kind != Node::Kind::Apply && (node.dependsOn >> mine & 1))
        return llvm::formatv("expected blocks that divide dimension {0}, along which the first product reads behind "
                             "its sums",
                             mine);
  }
  if (first.threads != second.threads || !first.hasEvenPoints(*chain.first) || !second.hasEvenPoints(*chain.second))
    return llvm::formatv("expected as many threads of both products, and powers of two of points, got {0} and {1} "
                         "threads",
                         first.threads, second.threads);
  if (parts > mostChainParts)
    return llvm::formatv("expected at most {0} parts of the columns of the second product, got {1}", mostChainParts,
                         parts);
  return "";
}

} // namespace

std::string findChainFault(ArrayRef<Chain> chains, const ChainSchedules &schedules, const GpuMachine &gpu) {
  Chains packed(chains);
  std::vector<LoopNest> nests;
  for (auto [number, schedule] : llvm::enumerate(schedules)) {
    const LoopNest &nest = number == 0 ? *chains[0].first : *chains[number - 1].second;
    nests.push_back(
        packLoads(nest, schedule.loops->packedBuffers, packedOrderOf(nest, *schedule.loops, *schedule.threads)));
  }
  for (auto [number, chain] : llvm::enumerate(packed)) {
    chain.first = &nests[number];
    chain.second = &nests[number + 1];
  }
  if (packed.size() > mostChains)
    return llvm::formatv("expected at most {0} products in a block, got {1}", mostChains + 1, schedules.size());
  if (std::string fault = findLinkFault(packed.back(), schedules[packed.size() - 1], schedules.back()); !fault.empty())
    return fault;
  if (int64_t bytes = chainBytes(packed, schedules); bytes > gpu.blockSharedBytes)
    return llvm::formatv("expected at most {0} bytes of shared memory for {1} products, got {2}", gpu.blockSharedBytes,
                         schedules.size(), bytes);
  return "";
}

int64_t chainBytes(ArrayRef<Chain> chains, const ChainSchedules &schedules) {
  auto tileAt = [&](size_t product) {
    return tileOf(product == 0 ? *chains[0].first : *chains[product - 1].second, *schedules[product].loops,
                  *schedules[product].threads);
  };
  const LoopNest &nest = *chains[0].first;
  const GpuSchedule &threads = *schedules[0].threads;
  BlockTile first = tileAt(0);
  NodeId largest = largestMemory(nest, threads, first).first;
  int64_t right = 0, bytes = 0;
  SmallVector<int64_t> rows;
  for (auto [number, chain] : llvm::enumerate(chains)) {
    auto bytesOf = [&](NodeId load) {
      return bytesOfOperand(*chain.second, load, *schedules[number + 1].threads, tileAt(number + 1));
    };
    right = std::max(right, bytesOf(chain.right));
    rows.push_back(bytesOf(chain.left));
  }
  auto add = [&](int64_t more, int64_t alignment) { bytes = llvm::alignTo(bytes, alignment) + more; };
  for (NodeId load : cachedLoads(nest, threads)) {
    int64_t over = load == largest ? right : rows.size() > 1 ? rows[1] : 0;
    add(std::max(over, bytesOfOperand(nest, load, threads, first)), atomBytes);
  }
  add(rows[0], atomBytes);
  add(bytesOfVectors(nest, threads, first), vectorAlignment);
  for (auto [number, chain] : llvm::enumerate(chains)) {
    BlockTile tile = tileAt(number + 1);
    int64_t parts = tile.blocks / first.blocks;
    add(parts * bytesOfVectors(*chain.second, *schedules[number + 1].threads, tile), vectorAlignment);
  }
  return llvm::alignTo(bytes, atomBytes);
}

} // namespace cameo::schedule
