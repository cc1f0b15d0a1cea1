#include "passes/Schedule/Nests/Pool.h"

#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Nests/IndependentNests.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Whether a step may be repeated: a window that begins before the first point reads this point again.
bool isIdempotent(vector::CombiningKind kind) {
  return kind != vector::CombiningKind::ADD && kind != vector::CombiningKind::MUL && kind != vector::CombiningKind::XOR;
}

bool isSingle(const NestGroup &group) { return group.rowDims == 0 && group.nests.size() == 1; }

/// Whether `nest` stores nothing but `value`, to `buffer`.
bool fills(const LoopNest &nest, unsigned buffer, Attribute value) {
  return !nest.hasReduction() && nest.outputs.size() == 1 && nest.outputs[0].buffer == buffer &&
         nest.nodes[nest.outputs[0].value].kind == Node::Kind::Constant &&
         nest.nodes[nest.outputs[0].value].constant == value;
}

/// Whether all steps are computed from the point that `load` reads and from constants.
bool stepsReadOnly(const LoopNest &nest, NodeId load) {
  return llvm::all_of(nest.computed(/*insideReduction=*/true), [&](NodeId id) {
    Node::Kind kind = nest.nodes[id].kind;
    return id == load || kind == Node::Kind::Constant || kind == Node::Kind::Accumulator || kind == Node::Kind::Apply;
  });
}

/// Divides the dimensions of `nest` along which `load` goes on from the end of one of the distances `along` to the next
/// one, in descending order, as where images and their rows are one dimension.
void divideAlong(LoopNest &nest, NodeId load, ArrayRef<int64_t> along) {
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim) {
    int64_t distance = nest.nodes[load].address.coefficients[dim], extent = nest.dims[dim].extent;
    if (nest.dims[dim].reduction || distance <= 0)
      continue;
    for (int64_t coarse : llvm::reverse(along))
      if (coarse > distance && coarse % distance == 0 && extent > coarse / distance &&
          extent % (coarse / distance) == 0) {
        divideDimension(nest, dim, coarse / distance);
        break;
      }
  }
  updateDependences(nest);
}

class PoolFinder {
public:
  PoolFinder(const TaskProgram &program, size_t first) : program(program), first(first) {}
  std::optional<Pool> find();

private:
  bool findReader();
  bool match(Pool &pool, bool mayRepeat) const;

  const TaskProgram &program;
  size_t first;
  const LoopNest *points = nullptr; ///< stores what is pooled
  unsigned buffer = 0;
  size_t last = 0;
};

/// Finds the only nest that reads what `points` stores, in the next group but those of borders.
bool PoolFinder::findReader() {
  for (auto [number, group] : llvm::enumerate(program.groups))
    for (const LoopNest &nest : group.nests) {
      if (llvm::none_of(nest.nodes, [&](const Node &node) { return node.reads(buffer); }))
        continue;
      if (last > 0 || number <= first || !isSingle(group))
        return false;
      last = number;
    }
  return last > 0;
}

/// Finds the windows along each dimension of `points`. Distances of windows and steps are multiples of those of points.
bool PoolFinder::match(Pool &pool, bool mayRepeat) const {
  const LinearForm &stored = points->outputs[0].address, &read = pool.nest.nodes[pool.load].address;
  size_t dims = points->dims.size();
  pool.windows.resize(dims);
  pool.ofWindows.resize(dims);
  pool.ofSteps.resize(dims);
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < dims; ++dim)
    if (!points->dims[dim].reduction)
      order.push_back(dim);
  auto distanceOf = [&](unsigned dim) { return int64_t(stored.coefficients[dim]); };
  llvm::sort(order, [&](unsigned a, unsigned b) { return distanceOf(a) > distanceOf(b); });
  if (distanceOf(order.back()) < 1)
    return false;
  for (auto [dim, dimension] : llvm::enumerate(pool.nest.dims)) {
    int64_t distance = read.coefficients[dim];
    auto *own = llvm::find_if(order, [&](unsigned each) { return distance >= distanceOf(each); });
    if (own == order.end() || distance % distanceOf(*own) != 0 || (dimension.reduction && distance != distanceOf(*own)))
      return false;
    std::optional<unsigned> &known = (dimension.reduction ? pool.ofSteps : pool.ofWindows)[*own];
    if (known)
      return false;
    known = dim;
    PoolWindow &window = pool.windows[*own];
    if (dimension.reduction) {
      window.size = dimension.extent;
    } else {
      window.count = dimension.extent;
      window.stride = distance / distanceOf(*own);
    }
  }
  int64_t offset = int64_t(stored.constant) - int64_t(read.constant);
  for (unsigned dim : order) {
    PoolWindow &window = pool.windows[dim];
    int64_t extent = points->dims[dim].extent;
    window.count = std::max<int64_t>(window.count, 1);
    window.before = offset / distanceOf(dim);
    offset -= window.before * distanceOf(dim);
    int64_t begin = (window.count - 1) * window.stride - window.before;
    // Each window has a point that exists.
    if (window.before < 0 || window.before >= window.size || begin >= extent)
      return false;
    if (!mayRepeat && (window.before > 0 || begin + window.size > extent))
      return false;
  }
  return offset == 0;
}

std::optional<Pool> PoolFinder::find() {
  const NestGroup &group = program.groups[first];
  if (!isSingle(group) || group.nests[0].outputs.size() != 1 || group.nests[0].outputs[0].index)
    return std::nullopt;
  points = &group.nests[0];
  buffer = points->outputs[0].buffer;
  if (!program.buffers[buffer].isScratch() || !points->hasKnownSizes() || !findReader())
    return std::nullopt;
  const LoopNest &reader = program.groups[last].nests[0];
  SmallVector<NodeId> loads = reader.loads(/*insideReduction=*/true);
  if (!reader.hasKnownSizes() || reader.reductions.size() != 1 || loads.size() != 1 ||
      reader.nodes[loads[0]].kind != Node::Kind::Load || reader.nodes[loads[0]].buffer != buffer ||
      !stepsReadOnly(reader, loads[0]))
    return std::nullopt;
  std::optional<Combiner> combiner = matchCombiner(reader, 0);
  if (!combiner)
    return std::nullopt;
  Pool pool{reader, loads[0], buffer, {}, {}, {}, {}};
  unsigned nests = 0;
  for (auto [number, other] : llvm::enumerate(program.groups)) {
    if (number == last || (number != first && other.writes(buffer)))
      pool.nests.push_back(nests);
    nests += other.nests.size();
    if (number == first || number == last)
      continue;
    bool isBorder = number > first && number < last && isSingle(other) &&
                    fills(other.nests[0], buffer, combiner->identity) && areIndependent(group, other);
    // The pool is computed before the groups that lie between.
    bool mayFollow = number < first || number > last || areIndependent(program.groups[last], other);
    if (!isBorder && (other.writes(buffer) || !mayFollow))
      return std::nullopt;
  }
  auto isOfPoints = [&](NodeId id) { return reader.nodes[id].reads(buffer); };
  if (llvm::any_of(reader.loads(/*insideReduction=*/false), isOfPoints))
    return std::nullopt;
  SmallVector<int64_t> along;
  for (auto [dim, dimension] : llvm::enumerate(points->dims))
    if (!dimension.reduction)
      along.push_back(points->outputs[0].address.coefficients[dim]);
  llvm::sort(along, std::greater<>());
  divideAlong(pool.nest, pool.load, along);
  return match(pool, isIdempotent(combiner->kind)) ? std::optional(std::move(pool)) : std::nullopt;
}

} // namespace

std::optional<Pool> findPool(const TaskProgram &program, size_t first) { return PoolFinder(program, first).find(); }

} // namespace cameo::schedule
