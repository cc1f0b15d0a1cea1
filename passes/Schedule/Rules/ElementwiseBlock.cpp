#include "passes/Schedule/Rules/ElementwiseBlock.h"

#include "passes/Schedule/Nests/FlattenedRows.h"
#include "passes/Schedule/Nests/TransposedLoads.h"
#include "passes/Schedule/Rules/CacheModel.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/NestCost.h"
#include "passes/Schedule/Rules/OrderTransposition.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace cameo::schedule {
namespace {

/// The number of decision tree walks to interleave, because each step waits for its load.
constexpr int64_t walksAtOnce = 4;

/// Whether the nest computes with the numbers of the points along `dim`.
bool usesNumber(const LoopNest &nest, unsigned dim) {
  return llvm::any_of(nest.nodes, [&](const Node &node) {
    return node.kind == Node::Kind::Apply && llvm::any_of(node.operands, [&](NodeId id) {
             return nest.nodes[id].kind == Node::Kind::Index && (nest.nodes[id].dependsOn >> dim) & 1;
           });
  });
}

class ElementwiseRules {
public:
  ElementwiseRules(const LoopNest &nest, unsigned rowDims, const Machine &machine, bool isShared,
                   NestSchedule &schedule)
      : nest(nest), rowDims(rowDims), machine(machine), isShared(isShared), schedule(schedule) {}

  void run() {
    std::optional<unsigned> square =
        schedule.vectorDim ? squareDim(nest, *schedule.vectorDim, schedule.lanes, rowDims) : std::nullopt;
    std::optional<unsigned> between = square ? std::nullopt : betweenDim();
    if (square)
      schedule.lanes = std::min<unsigned>(schedule.lanes, maxTransposedLanes);
    llvm::SmallVector<unsigned> dims = scalarDims(nest, rowDims, schedule);
    bool isPlane = schedule.vectorDim && !square && !between && !dims.empty() && isIndexedPlane(dims.back());
    if (isPlane)
      schedule.lanes = std::max<unsigned>(schedule.lanes, lanesOfNumbers(nest, *schedule.vectorDim, machine));
    if (schedule.vectorDim && !square && !between && dims.size() > 1)
      if (std::optional<Loop> part = choosePartOfLines(llvm::ArrayRef(dims).drop_back(), dims.back()))
        schedule.loops.push_back(*part);
    for (unsigned dim : dims)
      schedule.loops.push_back({dim, dim == square    ? squarePoints(dim)
                                     : dim == between ? int64_t(nest.dims[dim].extent)
                                                      : 1});
    if (!schedule.vectorDim) {
      if (!schedule.loops.empty() && walksTables(nest, schedule.loops.back().dim))
        schedule.loops.back().size = walksAtOnce;
      return;
    }
    if (rowDims > 0)
      schedule.prefetchedBuffers = schedule.packedBuffers;
    unsigned dim = *schedule.vectorDim;
    // The steps of a long function depend on each other, so those of several vectors are interleaved.
    int64_t outputs = llvm::any_of(nest.nodes, isLongFunction) ? 1 : nest.outputs.size();
    int64_t vectors = square || between ? 1 : std::max<int64_t>(1, elementwiseVectors / outputs);
    if (square)
      vectors = squaresInRow(*square);
    else if (!between)
      vectors = std::max(vectors, vectorsOfIndexedRow(dim));
    vectors = llvm::alignTo(vectors, vectorsPerPeriod(nest, dim, schedule.lanes));
    int64_t block = vectors * schedule.lanes, extent = nest.dims[dim].extent;
    // A single long dimension is first divided among threads.
    if (schedule.loops.empty() && isShared)
      schedule.loops.push_back({dim, int64_t(llvm::alignTo(llvm::divideCeil(extent, machine.enoughPieces()), block))});
    else if (isPlane)
      schedule.loops.back().size = nest.dims[schedule.loops.back().dim].extent;
    else if (!square && !between)
      block = takeRows(vectors) * schedule.lanes;
    schedule.loops.push_back({dim, block});
    if (!square && !between && !storeRowsInTurns()) {
      copyPartByPart();
      sharePartByPart();
    }
    shareComputedPlaces(dim);
    if (square)
      orderTransposition(nest, rowDims, machine, schedule);
  }

private:
  /// Moves the last loop, over vectors whose places are computed, around loops over rows that share these places: they
  /// are then computed once for all of the rows. The lines that the rows read and write for a vector stay in the
  /// first-level cache. Of too many rows a part is taken.
  void shareComputedPlaces(unsigned dim) {
    if (!nest.hasKnownSizes() || !computesPlaces(dim))
      return;
    Loop vectors = schedule.loops.pop_back_val();
    auto at = schedule.loops.end();
    int64_t most = linesInCache();
    while (at != schedule.loops.begin() && !computesPlaces(std::prev(at)->dim)) {
      Loop &rows = *std::prev(at);
      int64_t extent = nest.dims[rows.dim].extent;
      bool isFirst = std::prev(at) == schedule.loops.begin();
      int64_t part =
          std::min<int64_t>(most, isFirst && isShared ? llvm::divideCeil(extent, machine.enoughPieces()) : extent);
      if (part < extent) {
        part = part / rows.size * rows.size;
        if (part > rows.size)
          at = schedule.loops.insert(std::prev(at), {rows.dim, part}) + 1;
        break;
      }
      most /= extent;
      --at;
    }
    schedule.loops.insert(at, vectors);
  }

  /// Returns how many rows can each have a line to read and one to write in the first-level cache.
  int64_t linesInCache() const { return machine.l1Bytes / 2 / (2 * lineBytes); }

  /// Returns the dimension whose points lie between the elements of a strided vector, as channels between pixels: all
  /// of them are in the cache lines that one point reads or writes.
  std::optional<unsigned> betweenDim() const {
    if (schedule.vectorDim)
      for (const Output &output : nest.outputs)
        if (std::optional<unsigned> dim = interleavedDim(nest, output, *schedule.vectorDim); dim && *dim >= rowDims)
          return dim;
    if (schedule.vectorDim)
      for (const Node &node : nest.nodes)
        if (isSpread(node, *schedule.vectorDim, schedule.lanes))
          for (unsigned dim : scalarDims(nest, rowDims, schedule))
            if (int64_t apart = std::abs(int64_t(node.address.coefficients[dim]));
                apart != 0 && nest.dims[dim].extent.isKnown() &&
                apart * nest.dims[dim].extent <= std::abs(int64_t(node.address.coefficients[*schedule.vectorDim])))
              return dim;
    return std::nullopt;
  }

  /// Returns the number of points along `dim` whose results can be in the first-level cache together. Lines that are a
  /// multiple of a large power of two apart share few sets.
  int64_t pointsInCache(unsigned dim) const {
    int64_t most = std::numeric_limits<int64_t>::max(), way = machine.l1WayBytes();
    for (const Output &output : nest.outputs)
      if (const Size &stride = output.address.coefficients[dim]; stride.isKnown() && stride != 0) {
        int64_t apart = std::abs(int64_t(stride)) * bytesOf(nest.nodes[output.value].type);
        most = std::min(most, way / std::gcd(apart, way) * machine.l1Ways);
      }
    return most;
  }

  /// Returns the points of a row along `dim` whose cache line a block reads as a whole.
  int64_t pointsOfLine(unsigned dim) const {
    int64_t points = 1;
    for (const Node &node : nest.nodes)
      if (node.kind == Node::Kind::Load && node.address.coefficients[dim] == 1)
        points = std::max(points, lineBytes / bytesOf(node.type));
    return points;
  }

  /// Whether each point along `dim` is a stream of its own that is stored beyond the second-level cache, and the rows
  /// that are read are not.
  bool storesStreams(unsigned dim) const {
    if (!nest.hasKnownSizes())
      return false;
    double bytes = 0;
    bool areStreams = true;
    for (NodeId id : nest.loads(/*insideReduction=*/false)) {
      const Node &node = nest.nodes[id];
      bytes += elementsAt(nest, node.address) * static_cast<double>(bytesOf(node.type));
      areStreams &= std::abs(int64_t(node.address.coefficients[*schedule.vectorDim])) * bytesOf(node.type) < pageBytes;
    }
    for (const Output &output : nest.outputs) {
      auto ofElement = bytesOf(nest.nodes[output.value].type);
      bytes += elementsAt(nest, output.address) * static_cast<double>(ofElement);
      areStreams &= std::abs(int64_t(output.address.coefficients[dim])) * ofElement >= pageBytes;
    }
    return areStreams && bytes > static_cast<double>(machine.l2Bytes);
  }

  /// Whether it is known how far apart the results along `dim` are.
  bool writesKnownStrides(unsigned dim) const {
    return llvm::all_of(nest.outputs, [&](const Output &output) { return output.address.coefficients[dim].isKnown(); });
  }

  /// Returns the number of points of a block along `dim`, along which vectors are transposed in squares. If squares do
  /// not divide the extent, equal pieces of one square would all be incomplete. Several squares share a block so that
  /// there are as few squares as possible: of those the largest blocks, or the smallest if lines of larger ones collide
  /// in the cache, which takes longer than incomplete squares do. Where points are streams, a row's lines are read one
  /// at a time if they divide the extent. Of a dynamic number of points a block has the most squares, if their lines
  /// cannot collide.
  int64_t squarePoints(unsigned dim) const {
    constexpr int64_t mostSquares = 4;
    int64_t lanes = schedule.lanes;
    if (!nest.dims[dim].extent.isKnown())
      return writesKnownStrides(dim) && mostSquares * lanes <= pointsInCache(dim) ? mostSquares * lanes : lanes;
    int64_t most = pointsInCache(dim), line = std::max(lanes, pointsOfLine(dim));
    if (nest.dims[dim].extent % line == 0 && line <= most && storesStreams(dim))
      return line;
    int64_t extent = nest.dims[dim].extent, best = 1, fewest = std::numeric_limits<int64_t>::max();
    for (int64_t pieces = llvm::divideCeil(extent, mostSquares * lanes), single = llvm::divideCeil(extent, lanes);
         pieces <= single; ++pieces) {
      int64_t larger = extent % pieces, squares = larger * llvm::divideCeil(extent / pieces + 1, lanes) +
                                                  (pieces - larger) * llvm::divideCeil(extent / pieces, lanes);
      bool collides = int64_t(llvm::divideCeil(extent, best)) > most, isWhole = pieces * lanes <= extent;
      if (collides ? squares <= fewest : squares < fewest && isWhole)
        best = pieces, fewest = squares;
    }
    return std::max<int64_t>(lanes, llvm::divideCeil(extent, best));
  }

  /// Returns the number of squares that a block has side by side along the vector dimension: two where the lines of its
  /// points along `dim` collide in the first-level cache, so that each is left with two neighbouring lines stored.
  int64_t squaresInRow(unsigned dim) const { return squarePoints(dim) > pointsInCache(dim) ? 2 : 1; }

  /// Returns a loop around all others over parts of `last`, the innermost scalar dimension, if another dimension
  /// returns to the cache lines that rows along it read, as in a transposition of short rows. The lines of a part stay
  /// in the first-level cache.
  std::optional<Loop> choosePartOfLines(llvm::ArrayRef<unsigned> outer, unsigned last) const {
    if (!nest.hasKnownSizes())
      return std::nullopt;
    int64_t row = nest.dims[*schedule.vectorDim].extent, rows = linesInCache();
    auto returnsToLines = [&](unsigned dim) {
      return llvm::any_of(nest.nodes, [&](const Node &node) {
        if (node.kind != Node::Kind::Load || node.address.coefficients[*schedule.vectorDim] != 1)
          return false;
        int64_t bytes = bytesOf(node.type), next = std::abs(int64_t(node.address.coefficients[dim])) * bytes,
                between = std::abs(int64_t(node.address.coefficients[last])) * bytes;
        return next >= row * bytes && next < 2 * lineBytes && next % lineBytes != 0 && between > next;
      });
    };
    bool isWorthIt = nest.dims[last].extent >= 2 * rows && llvm::any_of(outer, returnsToLines);
    return isWorthIt ? std::optional(Loop{last, rows}) : std::nullopt;
  }

  /// Whether a plane along `rows` and the vector dimension is small enough for a block, in which all numbers of its
  /// points are constants: a triangle of it takes a mask for each vector, or nothing.
  bool isIndexedPlane(unsigned rows) const {
    constexpr int64_t mostVectors = 128;
    int64_t vectors = vectorsOfIndexedRow(*schedule.vectorDim);
    return vectors > 0 && usesNumber(nest, rows) && !computesPlaces(rows) && nest.hasKnownSizes() &&
           !storesConstants(nest) && vectors * nest.dims[rows].extent <= mostVectors;
  }

  /// Returns the number of vectors of a short row along `dim` whose points are compared by their numbers, as in a
  /// triangle of a matrix: in a block of the whole row the numbers are constants. Else 0.
  int64_t vectorsOfIndexedRow(unsigned dim) const {
    constexpr int64_t mostVectors = 16;
    if (!usesNumber(nest, dim) || computesPlaces(dim) || !nest.dims[dim].extent.isKnown() ||
        llvm::any_of(nest.nodes, isLongFunction))
      return 0;
    int64_t vectors = llvm::divideCeil(int64_t(nest.dims[dim].extent), int64_t(schedule.lanes));
    return vectors <= mostVectors ? vectors : 0;
  }

  /// Whether a place at which the nest reads, computed for each point, depends on `dim`.
  bool computesPlaces(unsigned dim) const {
    return llvm::any_of(nest.nodes, [&](const Node &node) {
      return node.kind == Node::Kind::Gather && !instructionsOfRows(nest, node, dim, schedule.lanes) &&
             llvm::any_of(node.operands, [&](NodeId place) { return (nest.nodes[place].dependsOn >> dim) & 1; });
    });
  }

  /// Whether the nest reads short vectors along `dim` from a place that is computed once for several of them.
  bool findsShortRows(unsigned dim) const {
    constexpr int64_t shortOfVector = 4;
    bool isShort = schedule.lanes * vectorElementBytes(nest, dim) * shortOfVector <= machine.vectorBytes;
    return isShort && llvm::any_of(nest.nodes, [](const Node &node) { return node.kind == Node::Kind::Gather; });
  }

  /// Whether all points along `dim` read the same.
  bool repeatsLoads(unsigned dim) const {
    return llvm::none_of(nest.loads(/*insideReduction=*/false),
                         [&](NodeId id) { return (nest.nodes[id].dependsOn >> dim) & 1; });
  }

  /// Whether all points along `dim` read the same vector for `node`.
  bool isSharedBy(const Node &node, unsigned dim) const {
    return node.kind == Node::Kind::Load && node.address.coefficients[*schedule.vectorDim] == 1 &&
           node.address.coefficients[dim] == 0;
  }

  /// Whether a block of `rows` rows along `dim` converts what they share once. Not for short rows, or where the lines
  /// of the rows collide in the first-level cache.
  bool sharesConversions(unsigned dim, int64_t rows) const {
    constexpr int64_t longRow = 12;
    int64_t bytes = 0, extent = nest.dims[*schedule.vectorDim].extent;
    for (const Output &output : nest.outputs)
      bytes = std::max(bytes, bytesOf(nest.nodes[output.value].type) * schedule.lanes);
    double lines = static_cast<double>((2 * rows + 1) * bytes) / static_cast<double>(lineBytes);
    return rowDims == 0 && extent >= longRow * schedule.lanes && nest.dims[dim].extent >= rows &&
           lines <= static_cast<double>(pointsInCache(dim)) && llvm::any_of(nest.nodes, [&](const Node &node) {
             return node.kind == Node::Kind::Apply &&
                    llvm::any_of(node.operands, [&](NodeId operand) { return isSharedBy(nest.nodes[operand], dim); }) &&
                    !((node.dependsOn >> dim) & 1);
           });
  }

  /// Gives a block of `vectors` vectors several rows along the vector dimension, where a row has fewer vectors or rows
  /// share what they convert or the places of their lanes, each of which takes an instruction. Rows at a constant
  /// distance come first. Rows that read the same are further ones. Returns the number of vectors per row.
  int64_t takeRows(int64_t vectors) {
    unsigned dim = *schedule.vectorDim;
    if (takesRowsOfAnyLength(vectors))
      return 1;
    if (!nest.hasKnownSizes() || storesConstants(nest))
      return vectors;
    int64_t perRow = llvm::divideCeil(int64_t(nest.dims[dim].extent), int64_t(schedule.lanes));
    bool isComputed = computesPlaces(dim);
    bool sharesWork = isComputed || (!schedule.loops.empty() && sharesConversions(schedule.loops.back().dim, vectors));
    perRow = sharesWork ? vectorsPerPeriod(nest, dim, schedule.lanes) : std::min(perRow, vectors);
    int64_t rows = vectors / perRow * (findsShortRows(dim) ? 2 : 1);
    llvm::SmallVector<bool> taken(nest.dims.size());
    auto take = [&](auto &&applies) {
      for (Loop &loop : llvm::reverse(schedule.loops))
        if (!taken[loop.dim] && applies(loop.dim)) {
          taken[loop.dim] = true;
          loop.size = std::max<int64_t>(1, std::min<int64_t>(rows, nest.dims[loop.dim].extent));
          rows /= loop.size;
        }
    };
    take([&](unsigned other) { return !computesPlaces(other); });
    take([](unsigned) { return true; });
    int64_t vectorsOfRow = rows < vectors / perRow ? perRow : vectors;
    int64_t copies = isComputed ? 1 : elementwiseVectors;
    for (Loop &loop : schedule.loops)
      if (loop.size == 1 && repeatsLoads(loop.dim)) {
        loop.size = std::max<int64_t>(1, std::min<int64_t>(copies, nest.dims[loop.dim].extent));
        copies /= loop.size;
      }
    return vectorsOfRow;
  }

  /// Gives a block one vector of each of `vectors` rows if rows inside of a row of the group have a dynamic length:
  /// short ones fill no more, and long ones are read out of a near cache anyway.
  bool takesRowsOfAnyLength(int64_t vectors) {
    if (rowDims == 0 || schedule.loops.empty() || nest.dims[*schedule.vectorDim].extent.isKnown() ||
        storesConstants(nest))
      return false;
    Loop &rows = schedule.loops.back();
    if (nest.dims[rows.dim].extent < vectors || computesPlaces(*schedule.vectorDim))
      return false;
    rows.size = vectors;
    return true;
  }

  /// Puts a loop over parts of what is stored repeatedly around the loop over the repetitions, which then read out of
  /// the first-level cache. Results take most of that cache. What does not stay in the second level is read in long
  /// streams.
  void copyPartByPart() {
    constexpr int64_t mostBytes = firstLevelBytes / 4;
    if (!nest.hasKnownSizes() || storesConstants(nest))
      return;
    auto copies = llvm::find_if(schedule.loops, [&](const Loop &loop) {
      return loop.size < nest.dims[loop.dim].extent && repeatsLoads(loop.dim);
    });
    if (copies == schedule.loops.end() || std::next(copies) == schedule.loops.end())
      return;
    const Loop &parted = *std::next(copies);
    int64_t bytes = 0, extent = nest.dims[parted.dim].extent;
    for (NodeId id : nest.loads(/*insideReduction=*/false))
      bytes += bytesOf(nest.nodes[id].type);
    for (const Loop &inner : llvm::drop_begin(llvm::make_range(std::next(copies), schedule.loops.end())))
      bytes *= nest.dims[inner.dim].extent;
    if (bytes == 0) // a dimension without points
      return;
    int64_t most = mostBytes / (bytes * parted.size) * parted.size;
    if (most == 0 || bytes * extent < firstLevelBytes || bytes * extent > machine.residentBytes())
      return;
    int64_t part = llvm::alignTo(llvm::divideCeil(extent, llvm::divideCeil(extent, most)), parted.size);
    schedule.loops.insert(copies, {parted.dim, part});
  }

  /// Stores parts of several rows in turns where long rows that are copied from few places, or computed ones, leave the
  /// second-level cache: a processor fetches lines to store in several pages faster than in one. Returns whether it
  /// does.
  bool storeRowsInTurns() {
    constexpr int64_t rowsInTurns = 8, vectorsOfPart = 12, pagesOfRow = 3;
    if (rowDims > 0 || !nest.hasKnownSizes() || schedule.loops.size() < 2 || nest.outputs.size() != 1)
      return false;
    Loop &rows = schedule.loops.end()[-2], &vectors = schedule.loops.back();
    const Output &output = nest.outputs.front();
    const Node &copied = nest.nodes[output.value];
    bool isCopy = copied.isRead() && copied.address.coefficients[vectors.dim] == 1 &&
                  copied.address.coefficients[rows.dim] == 0 && !computesPlaces(vectors.dim) &&
                  output.address.coefficients[vectors.dim] == 1;
    int64_t ofElement = bytesOf(copied.type), ofRow = nest.dims[vectors.dim].extent * ofElement;
    double stored = elementsAt(nest, output.address) * static_cast<double>(ofElement);
    if (!isCopy || nest.dims[rows.dim].extent < 2 * rowsInTurns || ofRow < pagesOfRow * pageBytes ||
        stored <= static_cast<double>(machine.l2Bytes))
      return false;
    vectors.size = vectorsOfPart * schedule.lanes;
    rows.size = rowsInTurns;
    schedule.loops.push_back({rows.dim, 1});
    return true;
  }

  /// Puts a loop over parts of what all rows read around the loop over rows, if a row of all operands leaves the
  /// first-level cache: only the part then comes out of the second level. Threads share groups of rows, as in the nests
  /// around this one.
  void sharePartByPart() {
    constexpr int64_t partBytes = 4096, rowsOfGroup = 8;
    if (rowDims > 0 || !nest.hasKnownSizes() || schedule.loops.size() < 2)
      return;
    Loop rows = schedule.loops.end()[-2], vectors = schedule.loops.back();
    bool isParted = llvm::any_of(llvm::ArrayRef(schedule.loops).drop_back(),
                                 [&](const Loop &loop) { return loop.dim == vectors.dim; });
    int64_t shared = 0, own = 0, extent = nest.dims[vectors.dim].extent, count = nest.dims[rows.dim].extent;
    for (NodeId id : nest.loads(/*insideReduction=*/false)) {
      const Node &node = nest.nodes[id];
      if (node.kind != Node::Kind::Load || node.address.coefficients[vectors.dim] > 1)
        return;
      (isSharedBy(node, rows.dim) ? shared : own) += bytesOf(node.type);
    }
    int64_t stored = 0;
    for (const Output &output : nest.outputs)
      stored += bytesOf(nest.nodes[output.value].type);
    if (isParted || rows.size > 1 || count < 2 || shared == 0 || own == 0 ||
        (shared + own + stored) * extent <= machine.l1Bytes)
      return;
    int64_t part = llvm::alignTo(llvm::divideCeil(extent, llvm::divideCeil(shared * extent, partBytes)), vectors.size);
    auto at = schedule.loops.insert(schedule.loops.end() - 2, {vectors.dim, part});
    if (count > rowsOfGroup)
      schedule.loops.insert(at, {rows.dim, int64_t(llvm::divideCeil(count, llvm::divideCeil(count, rowsOfGroup)))});
  }

  const LoopNest &nest;
  unsigned rowDims;
  const Machine &machine;
  bool isShared;
  NestSchedule &schedule;
};

} // namespace

llvm::SmallVector<unsigned> scalarDims(const LoopNest &nest, unsigned rowDims, const NestSchedule &schedule) {
  llvm::SmallVector<unsigned> dims;
  for (unsigned dim = rowDims; dim < nest.dims.size(); ++dim)
    if (!nest.dims[dim].reduction && schedule.vectorDim != dim)
      dims.push_back(dim);
  return dims;
}

unsigned lanesOfNumbers(const LoopNest &nest, unsigned dim, const Machine &machine) {
  if (!usesNumber(nest, dim) || !nest.dims[dim].extent.isKnown())
    return 0;
  int64_t extent = nest.dims[dim].extent, bytes = 1;
  for (NodeId id : nest.loads(/*insideReduction=*/false))
    bytes = std::max(bytes, bytesOf(nest.nodes[id].type));
  for (const Output &output : nest.outputs)
    bytes = std::max(bytes, bytesOf(nest.nodes[output.value].type));
  return extent * bytes <= machine.vectorBytes ? unsigned(llvm::PowerOf2Ceil(extent)) : 0;
}

bool walksTables(const LoopNest &nest, unsigned dim) {
  constexpr int64_t fewestLoads = 3, mostOperationsPerLoad = 4;
  int64_t loads = 0, operations = 0;
  for (const Node &node : nest.nodes) {
    loads += node.kind == Node::Kind::Gather && !flattenedRows(nest, node, dim) &&
             llvm::any_of(node.operands, [&](NodeId place) { return (nest.nodes[place].dependsOn >> dim) & 1; });
    operations += node.kind == Node::Kind::Apply;
  }
  return !nest.hasReduction() && loads >= fewestLoads && operations <= mostOperationsPerLoad * loads;
}

bool storesConstants(const LoopNest &nest) {
  return !nest.hasReduction() && nest.loads(/*insideReduction=*/false).empty();
}

void scheduleElementwise(const LoopNest &nest, unsigned rowDims, const Machine &machine, bool isShared,
                         NestSchedule &schedule) {
  ElementwiseRules(nest, rowDims, machine, isShared, schedule).run();
}

} // namespace cameo::schedule
