// Addresses are linear, so the elements that a tile reads and the points that compute them are intervals. The search
// goes backwards from the last nest, without knowledge of rows or windows.
#include "passes/Schedule/Nests/Rewrite/OverlappedTiling.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// The largest number of kinds of tiles: inside, at the edges, a smaller last one. More kinds would cost more code than
/// the tiling saves.
constexpr size_t mostRuns = 5;

struct Interval {
  int64_t begin = 0, end = 0;

  bool empty() const { return begin >= end; }
  int64_t size() const { return empty() ? 0 : end - begin; }
  void include(const Interval &other) {
    if (other.empty())
      return;
    begin = empty() ? other.begin : std::min(begin, other.begin);
    end = empty() ? other.end : std::max(end, other.end);
  }
};

/// The points of each nest and the elements of each buffer that one tile needs.
struct Tile {
  SmallVector<Interval> points, elements;
};

class Divider {
public:
  Divider(const TaskProgram &program, unsigned first, unsigned last, int64_t size)
      : program(program), first(first), last(last), size(size) {}

  llvm::Expected<OverlappedTiling> run() {
    const char *wrong = findNests();
    if (!wrong)
      wrong = findBuffers();
    if (!wrong)
      wrong = checkAccesses();
    if (!wrong)
      wrong = divide();
    if (wrong)
      return llvm::createStringError("expected adjacent nests that can run in overlapped tiles, got %s", wrong);
    return std::move(found);
  }

private:
  const char *findNests();
  const char *findBuffers();
  const char *checkAccesses() const;
  const char *divide();
  Tile tileFrom(int64_t begin) const;
  bool continuesRun(const TileRun &run, const Tile &tile) const;

  std::optional<unsigned> passed(unsigned buffer) const {
    auto it = llvm::find(found.buffers, buffer);
    return it == found.buffers.end() ? std::nullopt : std::optional<unsigned>(it - found.buffers.begin());
  }

  /// Returns the elements that the first point of the divided dimension of `nest`, in the first row, accesses at
  /// `address`.
  Interval elementsOfFirst(const LoopNest &nest, const LinearForm &address) const {
    auto reach = nest.reach<int64_t>(address, ~llvm::maskTrailingOnes<uint64_t>(found.dim + 1));
    return {reach.least, reach.greatest + 1};
  }

  Interval elementsOf(const LoopNest &nest, const LinearForm &address, const Interval &points) const {
    if (points.empty())
      return {};
    int64_t stride = address.coefficients[found.dim];
    Interval first = elementsOfFirst(nest, address);
    return {first.begin + stride * points.begin, first.end + stride * (points.end - 1)};
  }

  /// Returns the points of the divided dimension that access `elements`.
  Interval pointsOf(const LoopNest &nest, const LinearForm &address, const Interval &elements) const {
    int64_t stride = address.coefficients[found.dim], extent = nest.dims[found.dim].extent;
    if (elements.empty())
      return {};
    if (stride == 0)
      return {0, extent};
    Interval first = elementsOfFirst(nest, address);
    int64_t begin = llvm::divideCeilSigned(elements.begin - first.end + 1, stride);
    int64_t end = llvm::divideFloorSigned(elements.end - 1 - first.begin, stride) + 1;
    return {std::max<int64_t>(begin, 0), std::min(end, extent)};
  }

  const TaskProgram &program;
  unsigned first, last;
  int64_t size;
  OverlappedTiling found{};
};

const char *Divider::findNests() {
  unsigned number = 0;
  bool isWhole = false;
  for (auto [position, group] : llvm::enumerate(program.groups)) {
    unsigned begin = number, end = number + group.nests.size();
    number = end;
    if (end <= first || begin > last)
      continue;
    if (begin < first || end > last + 1)
      return "only some nests of a group";
    if (group.rowDims > 0 && !group.sharesMatrix)
      return "rows";
    if (begin == first)
      found.firstGroup = position;
    else if (group.rowDims > 0)
      return "only some nests of a group";
    found.dim = group.rowDims;
    found.lastGroup = position;
    isWhole = end == last + 1;
    for (const LoopNest &nest : group.nests)
      found.nests.push_back(&nest);
  }
  return isWhole ? nullptr : "the number of a nest that does not exist";
}

const char *Divider::findBuffers() {
  SmallVector<bool> written(program.buffers.size()), read(program.buffers.size());
  for (const LoopNest *nest : found.nests) {
    for (const Node &node : nest->nodes)
      if (node.isRead())
        read[node.buffer] = true;
    for (const Output &output : nest->outputs)
      written[output.buffer] = true;
  }
  for (unsigned buffer = 0; buffer < program.buffers.size(); ++buffer)
    if (written[buffer] && read[buffer])
      found.buffers.push_back(buffer);
  if (found.buffers.empty())
    return "nests of which none reads a result of another";
  bool isPrivate = true;
  for (auto [position, group] : llvm::enumerate(program.groups))
    if (position < found.firstGroup || position > found.lastGroup)
      for (const LoopNest &nest : group.nests)
        forEachAccess(nest, [&](unsigned buffer, const LinearForm &, bool) { isPrivate &= !passed(buffer); });
  for (unsigned buffer : found.buffers)
    isPrivate &= program.buffers[buffer].isTemporary();
  return isPrivate ? nullptr : "a buffer that is also used outside of these nests";
}

const char *Divider::checkAccesses() const {
  for (const LoopNest *nest : found.nests) {
    if (nest->dims.size() <= found.dim || nest->dims[found.dim].reduction)
      return "a nest that begins with a reduction";
    // Results that two tiles compute must be private to the fused nests: otherwise two threads would write them.
    if (nest != found.nests.back() &&
        llvm::any_of(nest->outputs, [&](const Output &output) { return !passed(output.buffer); }))
      return "a result before the last nest";
    bool isForward = true;
    forEachAccess(*nest, [&](unsigned buffer, const LinearForm &address, bool isIndirect) {
      if (passed(buffer))
        isForward &= !isIndirect && llvm::all_of(address.coefficients, [](int64_t c) { return c >= 0; });
    });
    if (!isForward)
      return "one that reads at computed indices or backwards";
  }
  return nullptr;
}

/// Returns the tile that begins at point `begin` of the last nest. Goes backwards from the last nest: what a nest reads
/// must be computed by the nests before it.
Tile Divider::tileFrom(int64_t begin) const {
  Tile tile;
  tile.points.resize(found.nests.size());
  tile.elements.resize(found.buffers.size());
  SmallVector<Interval> written(found.buffers.size());
  tile.points.back() = {begin, std::min<int64_t>(begin + size, found.nests.back()->dims[found.dim].extent)};
  for (size_t number = found.nests.size(); number-- > 0;) {
    const LoopNest &nest = *found.nests[number];
    Interval &points = tile.points[number];
    for (const Output &output : nest.outputs)
      if (std::optional<unsigned> buffer = passed(output.buffer))
        points.include(pointsOf(nest, output.address, tile.elements[*buffer]));
    for (const Output &output : nest.outputs)
      if (std::optional<unsigned> buffer = passed(output.buffer))
        written[*buffer].include(elementsOf(nest, output.address, points));
    for (const Node &node : nest.nodes)
      if (node.kind == Node::Kind::Load)
        if (std::optional<unsigned> buffer = passed(node.buffer))
          tile.elements[*buffer].include(elementsOf(nest, node.address, points));
  }
  for (auto [elements, more] : llvm::zip_equal(tile.elements, written))
    elements.include(more);
  return tile;
}

/// Whether `tile` continues `run`: all of its intervals are shifted by the same steps as before.
bool Divider::continuesRun(const TileRun &run, const Tile &tile) const {
  auto isNext = [&](const Advance &advance, const Interval &interval) {
    return advance.count == interval.size() &&
           (run.tiles == 1 || advance.count == 0 || advance.begin + run.tiles * advance.step == interval.begin);
  };
  for (auto [advance, points] : llvm::zip_equal(run.nests, tile.points))
    if (!isNext(advance, points))
      return false;
  for (auto [advance, elements] : llvm::zip_equal(run.buffers, tile.elements))
    if (!isNext(advance, elements))
      return false;
  // The address within each passed buffer must be the same in every tile.
  for (auto [number, nest] : llvm::enumerate(found.nests)) {
    bool isAtPlace = true;
    int64_t step = tile.points[number].begin - run.nests[number].begin - (run.tiles - 1) * run.nests[number].step;
    forEachAccess(*nest, [&](unsigned other, const LinearForm &address, bool) {
      if (std::optional<unsigned> buffer = passed(other); buffer && !tile.points[number].empty()) {
        const Advance &advance = run.buffers[*buffer];
        isAtPlace &= address.coefficients[found.dim] * step ==
                     tile.elements[*buffer].begin - advance.begin - (run.tiles - 1) * advance.step;
      }
    });
    if (!isAtPlace)
      return false;
  }
  return true;
}

const char *Divider::divide() {
  for (int64_t begin = 0; begin < found.nests.back()->dims[found.dim].extent; begin += size) {
    Tile tile = tileFrom(begin);
    bool isNext = !found.runs.empty() && continuesRun(found.runs.back(), tile);
    if (!isNext && found.runs.size() == mostRuns)
      return "too many tiles of different shapes";
    if (!isNext)
      found.runs.push_back({0, SmallVector<Advance>(found.nests.size()), SmallVector<Advance>(found.buffers.size())});
    TileRun &run = found.runs.back();
    auto advance = [&](MutableArrayRef<Advance> advances, ArrayRef<Interval> intervals) {
      for (auto [advance, interval] : llvm::zip_equal(advances, intervals)) {
        if (run.tiles == 0)
          advance = {interval.begin, 0, interval.size()};
        else if (run.tiles == 1)
          advance.step = interval.begin - advance.begin;
      }
    };
    advance(run.nests, tile.points);
    advance(run.buffers, tile.elements);
    ++run.tiles;
  }
  return nullptr;
}

} // namespace

llvm::Expected<OverlappedTiling> tileNests(const TaskProgram &program, unsigned first, unsigned last, int64_t size) {
  return Divider(program, first, last, size).run();
}

} // namespace cameo::schedule
