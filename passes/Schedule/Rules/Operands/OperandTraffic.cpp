#include "passes/Schedule/Rules/Operands/OperandTraffic.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/NestCost.h"

#include "llvm/Support/MathExtras.h"

#include <array>

namespace cameo::schedule {

int64_t OperandTraffic::vectorBytes() const {
  int64_t bytes = 0;
  for (NodeId id : nest.loads(/*insideReduction=*/true)) {
    const Node &node = nest.nodes[id];
    int64_t ownBytes = bytesOf(node.type);
    for (auto [dim, dimension] : llvm::enumerate(nest.dims))
      if ((node.dependsOn >> dim) & 1)
        ownBytes *= dimension.extent;
    if (isVector(node))
      bytes += ownBytes;
  }
  return bytes;
}

int64_t OperandTraffic::vectorBytes(int64_t points) const {
  int64_t bytes = vectorBytes() / nest.dims[*schedule.vectorDim].extent * points;
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    bytes /= isBatch(dim) ? int64_t(nest.dims[dim].extent) : 1;
  return bytes;
}

int64_t OperandTraffic::sharedBytes() const {
  int64_t bytes = 0;
  for (NodeId id : nest.loads(/*insideReduction=*/true)) {
    const Node &node = nest.nodes[id];
    if (node.kind != Node::Kind::Load || isVector(node))
      continue;
    uint64_t inBatch = 0;
    for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
      inBatch |= uint64_t(!isBatch(dim)) << dim;
    bytes += bytesOf(node.type) * static_cast<int64_t>(elementsAt(nest, node.address, inBatch));
  }
  return bytes;
}

double OperandTraffic::distinctBytes() const {
  double bytes = 0;
  for (NodeId id : nest.loads(/*insideReduction=*/true)) {
    const Node &node = nest.nodes[id];
    bytes += elementsAt(nest, node.address) * static_cast<double>(bytesOf(node.type));
  }
  return bytes;
}

bool OperandTraffic::variesVector(unsigned dim) const {
  return llvm::any_of(nest.loads(/*insideReduction=*/true),
                      [&](NodeId id) { return isVector(nest.nodes[id]) && (nest.nodes[id].dependsOn >> dim) & 1; });
}

bool OperandTraffic::isBatch(unsigned dim) const {
  return !nest.dims[dim].reduction && schedule.vectorDim != dim && variesVector(dim);
}

bool OperandTraffic::areAllVectors() const {
  return !schedule.packedBuffers.empty() && llvm::all_of(nest.loads(/*insideReduction=*/true), [&](NodeId id) {
    return nest.nodes[id].kind == Node::Kind::Load && isVector(nest.nodes[id]);
  });
}

unsigned OperandTraffic::outermostShared(llvm::ArrayRef<Loop> spatial) const {
  return llvm::find_if(spatial, [&](const Loop &loop) { return !variesVector(loop.dim); }) - spatial.begin();
}

/// Whether the windows that `node` reads for neighbouring points along `dim` overlap.
bool OperandTraffic::slides(const Node &node, unsigned dim) const {
  if (!node.address.dependsOn(dim))
    return false;
  int64_t step = std::abs(node.address.coefficients[dim]);
  uint64_t window = 0;
  for (auto [other, dimension] : llvm::enumerate(nest.dims))
    if (dimension.reduction && std::abs(node.address.coefficients[other]) <= step)
      window |= uint64_t(1) << other;
  return nest.reach<int64_t>(node.address, window).count() > step;
}

bool OperandTraffic::sharesAlong(unsigned dim) const {
  return llvm::any_of(nest.loads(/*insideReduction=*/true), [&](NodeId id) {
    const Node &node = nest.nodes[id];
    return ((node.dependsOn >> dim) & 1) == 0 || slides(node, dim);
  });
}

std::optional<unsigned> OperandTraffic::outermostOverlap(llvm::ArrayRef<Loop> spatial) const {
  llvm::SmallVector<NodeId> loads = nest.loads(/*insideReduction=*/true);
  for (auto [number, loop] : llvm::enumerate(spatial))
    if (llvm::any_of(loads, [&](NodeId id) { return slides(nest.nodes[id], loop.dim); }))
      return number;
  return std::nullopt;
}

bool readsOneStream(const Machine &machine) {
  return machine.vectorBytes >= lineBytes && machine.farBytesPerCycle >= 4 * machine.memoryBytesPerCycle;
}

bool readsNothingTwice(const LoopNest &nest, unsigned rowDims) {
  uint64_t parallel = 0;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    if (dim >= rowDims && !dimension.reduction)
      parallel |= uint64_t(1) << dim;
  return llvm::all_of(nest.loads(/*insideReduction=*/true),
                      [&](NodeId id) { return (nest.nodes[id].dependsOn & parallel) == parallel; });
}

llvm::SmallVector<int64_t, 8> sharedSteps(const LoopNest &nest, const NestSchedule &schedule, const Node &node,
                                          llvm::ArrayRef<int64_t> block, llvm::ArrayRef<int64_t> unrolled) {
  llvm::SmallVector<int64_t, 8> shared(unrolled);
  if (node.kind != Node::Kind::Load || node.shared)
    return shared;
  for (auto [step, count] : llvm::enumerate(shared)) {
    int64_t distance = std::abs(node.address.coefficients[step]);
    bool overlaps = distance == 0;
    for (auto [dim, points] : llvm::enumerate(block))
      if (int64_t between = std::abs(node.address.coefficients[dim]);
          points > 1 && between != 0 && !nest.dims[dim].reduction && schedule.vectorDim != dim)
        overlaps |= distance != 0 && between % distance == 0 && between / distance < count;
    count = overlaps ? count : 1;
  }
  return shared;
}

int64_t rowsReadAgain(const LoopNest &nest, unsigned rowDims, const NestSchedule &schedule, const Node &node,
                      llvm::ArrayRef<int64_t> block) {
  if (!schedule.vectorDim || nest.dims[*schedule.vectorDim].reduction || node.kind != Node::Kind::Load || node.shared ||
      node.address.coefficients[*schedule.vectorDim] != 1)
    return 0;
  int64_t rows = 1, width = block[*schedule.vectorDim] * schedule.lanes;
  bool isShared = false;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims)) {
    if (dimension.reduction && std::abs(node.address.coefficients[dim]) >= width)
      rows *= dimension.extent;
    isShared |= !dimension.reduction && dim >= rowDims && dimension.extent != 1 && !node.address.dependsOn(dim);
  }
  return isShared ? rows : 0;
}

int64_t bytesReadAgain(const LoopNest &nest, llvm::ArrayRef<BlockOperand> operands, llvm::ArrayRef<int64_t> block,
                       std::optional<unsigned> innerDim, std::optional<unsigned> outerDim, int64_t cacheBytes) {
  auto iterates = [&](std::optional<unsigned> dim) { return dim && nest.dims[*dim].extent > block[*dim]; };
  auto varies = [](const BlockOperand &operand, unsigned dim) { return (operand.dependsOn >> dim) & 1; };
  std::optional<unsigned> innermost = iterates(innerDim) ? innerDim : outerDim;
  if (!iterates(innermost))
    return 0;
  int64_t iterations = llvm::divideCeil(nest.dims[*innermost].extent, block[*innermost]);
  int64_t iteration = 0, loop = 0, bytes = 0;
  for (const BlockOperand &operand : operands) {
    iteration += operand.bytes;
    loop += operand.bytes * (varies(operand, *innermost) ? iterations : 1);
  }
  for (const BlockOperand &operand : operands) {
    bool isReadAgain = llvm::any_of(std::array{innerDim, outerDim}, [&](std::optional<unsigned> dim) {
      return iterates(dim) && !varies(operand, *dim);
    });
    if (isReadAgain && (varies(operand, *innermost) ? loop : iteration) > cacheBytes)
      bytes += operand.bytes;
  }
  return bytes;
}

llvm::SmallVector<int64_t> addressesOf(const LoopNest &nest, const NestSchedule &schedule, const Node &node,
                                       llvm::ArrayRef<int64_t> counts) {
  llvm::SmallVector<int64_t> addresses = {0};
  for (auto [dim, coefficient] : llvm::enumerate(node.address.coefficients))
    if (coefficient != 0 && schedule.vectorDim != dim)
      for (size_t number = 0, known = addresses.size(); number < known; ++number)
        for (int64_t index = 1; index < counts[dim]; ++index)
          addresses.push_back(addresses[number] + index * coefficient * (schedule.dotDim == dim ? dotGroup : 1));
  llvm::sort(addresses);
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  return addresses;
}

int64_t lostLines(const LoopNest &nest, const NestSchedule &schedule, llvm::ArrayRef<int64_t> block,
                  const Machine &machine) {
  int64_t lost = 0;
  if (schedule.loops.empty())
    return lost;
  const Loop &innermost = schedule.loops.back();
  for (NodeId id : nest.loads(/*insideReduction=*/true)) {
    const Node &node = nest.nodes[id];
    const Size &along = schedule.vectorDim ? node.address.coefficients[*schedule.vectorDim] : Size(0);
    bool isVector = along == 1 && !llvm::is_contained(schedule.packedBuffers, node.buffer);
    if (node.kind != Node::Kind::Load || node.shared || !(along == 0 || isVector))
      continue;
    int64_t bytes = bytesOf(node.type), elements = schedule.vectorDim == innermost.dim ? schedule.lanes : 1,
            step = std::abs(node.address.coefficients[innermost.dim]) * elements * bytes,
            steps = llvm::divideCeil(innermost.size, elements);
    if (step == 0 || step >= lineBytes)
      continue;
    // Rows take turns in each step, so steps of an iteration that share lines fetch them again.
    int64_t bytesOfIteration = step * steps,
            times = bytesOfIteration < lineBytes ? 1 : steps - bytesOfIteration / lineBytes;
    llvm::SmallVector<int64_t> linesOfSet(machine.l1WayBytes() / lineBytes);
    int64_t before = std::numeric_limits<int64_t>::min();
    for (int64_t address : addressesOf(nest, schedule, node, block)) {
      int64_t line = llvm::divideFloorSigned(address * bytes, lineBytes);
      int64_t &lines = linesOfSet[llvm::mod(line, std::ssize(linesOfSet))];
      lost += line != before && ++lines > machine.l1Ways ? times : 0;
      before = line;
    }
  }
  return lost;
}

} // namespace cameo::schedule
