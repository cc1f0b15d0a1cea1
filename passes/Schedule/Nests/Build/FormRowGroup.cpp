// Runs softmax, normalisations and their neighbours row by row: the buffers between their nests hold one row, on the
// stack and in the first-level cache, instead of a whole tensor.
#include "passes/Schedule/Nests/Build/BuildNests.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {
namespace {

class RowGrouping {
public:
  /// Considers the groups from number `first` up to, but not including, `last`.
  RowGrouping(TaskProgram &program, size_t first, size_t last)
      : program(program), first(first), last(last), stays(program.buffers.size()) {
    for (auto [number, buffer] : llvm::enumerate(program.buffers))
      stays[number] = buffer.isScratch();
    for (auto [number, group] : llvm::enumerate(program.groups))
      for (LoopNest &nest : group.nests) {
        bool isInside = number >= first && number < last;
        if (isInside)
          nests.push_back(&nest);
        else
          forEachAccess(nest, [&](unsigned buffer, const LinearForm &, bool) { stays.reset(buffer); });
      }
  }

  /// Tries to form the group; returns whether it did. For the blocks of a GPU (`isForBlocks`), a row never contains
  /// several rows of products. A group of a single row is formed only there, and only if its work is so little that
  /// separate kernel launches would take longer.
  bool run(bool isForBlocks) {
    bool hasOrder = llvm::any_of(program.groups, [](const NestGroup &group) { return group.orderedDims > 0; });
    if (nests.size() < 2 || stays.none() || hasOrder)
      return false;
    unsigned rowDims = commonDims();
    while (rowDims > 0 && !staysInRow(rowDims))
      --rowDims;
    // With products in its rows, each row would read the whole matrix again. So several of these rows become one row,
    // which may be too large for the stack unless it runs in overlapped tiles.
    bool isDivided = rowDims > 0 && sharesMatrix(rowDims);
    while (rowDims > 0 && sharesMatrix(rowDims))
      --rowDims;
    if (rowDims == 0 || (isDivided && isForBlocks))
      return false;
    if (rowsOf(rowDims, *nests.front()) == 1 && !(isForBlocks && isLittleWork()))
      return false;
    NestGroup joined;
    joined.rowDims = rowDims;
    joined.sharesMatrix = isDivided;
    for (LoopNest *nest : nests)
      joined.nests.push_back(std::move(*nest));
    makeRowLocal(joined);
    mergeRowDims(joined);
    auto at = program.groups.erase(program.groups.begin() + first, program.groups.begin() + last);
    program.groups.insert(at, std::move(joined));
    return true;
  }

  /// Returns which of the nests are products whose rows share a matrix. Requires at least one nest.
  llvm::BitVector findProducts() const {
    llvm::BitVector products(nests.size());
    unsigned rowDims = commonDims();
    for (auto [number, nest] : llvm::enumerate(nests))
      products[number] = rowDims > 0 && sharesMatrix(rowDims, *nest);
    return products;
  }

private:
  unsigned commonDims() const {
    unsigned count = 0;
    for (;; ++count)
      for (LoopNest *nest : nests) {
        if (nest->dims.size() <= count || nest->dims[count].reduction ||
            !(nest->dims[count].extent == nests.front()->dims[count].extent))
          return count;
      }
  }

  static Size rowsOf(unsigned rowDims, const LoopNest &nest) {
    Size rows = 1;
    for (unsigned dim = 0; dim < rowDims; ++dim)
      rows *= nest.dims[dim].extent;
    return rows;
  }

  /// Whether every access to a private buffer stays in the part of the buffer that belongs to its row.
  bool staysInRow(unsigned rowDims) const {
    Size rows = rowsOf(rowDims, *nests.front());
    int64_t bytes = 0;
    bool isKnown = true;
    for (unsigned number : stays.set_bits()) {
      Size elements = divideExactly(program.buffers[number].elements, rows);
      if (elements.isUnknown())
        return false;
      isKnown &= elements.isKnown();
      bytes += elements * 8;
    }
    // A dynamic number of keys says nothing: tiles of few queries fit the cache for most.
    bool fits = bytes <= maxRowBytes || (!isKnown && sharesMatrix(rowDims));
    for (LoopNest *nest : nests)
      forEachAccess(*nest, [&](unsigned number, const LinearForm &address, bool indirect) {
        if (!stays[number])
          return;
        fits &= !indirect;
        Size row = divideExactly(program.buffers[number].elements, rows), stride = row;
        for (unsigned dim = rowDims; dim-- > 0;) {
          fits &= address.coefficients[dim] == stride || nest->dims[dim].extent == 1;
          stride *= nest->dims[dim].extent;
        }
        auto touched = nest->reach<Size>(address, ~llvm::maskTrailingOnes<uint64_t>(rowDims));
        Size behind = row - touched.greatest;
        fits &= touched.least.isKnown() && touched.least >= 0 && behind.isKnown() && behind > 0;
      });
    return fits;
  }

  /// Whether one thread block finishes the work before launches of many blocks would have started.
  bool isLittleWork() const {
    constexpr int64_t mostIterations = 1 << 15;
    Size all = 0;
    for (const LoopNest *nest : nests) {
      Size iterations = 1;
      for (const Dimension &dim : nest->dims)
        iterations *= dim.extent;
      all += iterations;
    }
    return all.isKnown() && int64_t(all) <= mostIterations;
  }

  /// Whether a sum reads the same elements in neighbouring rows, as a matrix product does, which would read the matrix
  /// again for each row.
  bool sharesMatrix(unsigned rowDims) const {
    return llvm::any_of(nests, [&](const LoopNest *nest) { return sharesMatrix(rowDims, *nest); });
  }

  bool sharesMatrix(unsigned rowDims, const LoopNest &nest) const {
    unsigned last = rowDims - 1;
    while (last > 0 && nests.front()->dims[last].extent == 1)
      --last;
    return llvm::any_of(nest.loads(/*insideReduction=*/true), [&](NodeId id) {
      uint64_t varies = nest.nodes[id].dependsOn;
      bool isMatrix = llvm::any_of(llvm::enumerate(nest.dims), [&](auto dim) {
        return dim.index() >= rowDims && !dim.value().reduction && dim.value().extent > 1 &&
               (varies >> dim.index()) & 1;
      });
      return !((varies >> last) & 1) && isMatrix;
    });
  }

  void makeRowLocal(NestGroup &group) {
    Size rows = rowsOf(group.rowDims, group.nests.front());
    for (LoopNest &nest : group.nests)
      forEachAccess(nest, [&](unsigned number, LinearForm &address, bool) {
        if (stays[number])
          std::fill_n(address.coefficients.begin(), group.rowDims, 0);
      });
    for (unsigned number : stays.set_bits())
      program.buffers[number].becomeRow(divideExactly(program.buffers[number].elements, rows));
  }

  /// Merges the row dimensions in the same way in all nests, into a single one if possible.
  void mergeRowDims(NestGroup &group) {
    for (unsigned dim = group.rowDims; dim-- > 0;) {
      bool unit = group.nests.front().dims[dim].extent == 1, asOne = dim + 1 < group.rowDims;
      if (asOne)
        for (LoopNest &nest : group.nests)
          forEachForm(nest, [&](LinearForm &form) {
            asOne &= form.coefficients[dim] == form.coefficients[dim + 1] * nest.dims[dim + 1].extent;
          });
      if (!unit && !asOne)
        continue;
      for (LoopNest &nest : group.nests) {
        if (!unit)
          nest.dims[dim + 1].extent *= nest.dims[dim].extent;
        nest.dims.erase(nest.dims.begin() + dim);
        forEachForm(nest, [&](LinearForm &form) { form.coefficients.erase(form.coefficients.begin() + dim); });
      }
      --group.rowDims;
    }
  }

  TaskProgram &program;
  size_t first, last;
  llvm::BitVector stays; ///< buffers that only these nests access
  std::vector<LoopNest *> nests;
};

} // namespace

/// Whether `group` only moves elements of an argument to a result.
static bool movesArgument(const TaskProgram &program, const NestGroup &group) {
  return llvm::all_of(group.nests, [&](const LoopNest &nest) {
    auto isMoved = [&](const Output &output) {
      const Node &value = nest.nodes[output.value];
      return value.isRead() && program.buffers[value.buffer].isArgument() && program.buffers[output.buffer].isResult();
    };
    return !nest.hasReduction() && llvm::all_of(nest.outputs, isMoved);
  });
}

void formRowGroup(TaskProgram &program) {
  // A cache that is copied for the product behind it: the rows of a head would copy all of its elements first.
  size_t first = 0;
  while (first < program.groups.size() && movesArgument(program, program.groups[first]))
    ++first;
  if (first < program.groups.size())
    RowGrouping(program, first, program.groups.size()).run(/*isForBlocks=*/false);
}

void formRowGroups(TaskProgram &program) {
  if (program.groups.size() < 2)
    return;
  RowGrouping all(program, 0, program.groups.size());
  if (all.run(/*isForBlocks=*/true))
    return;
  llvm::BitVector products = all.findProducts();
  if (products.size() != program.groups.size())
    return;
  // Start from the last group, so that the numbers of earlier groups do not change.
  for (size_t last = products.size(); last > 0; --last) {
    size_t first = last;
    while (first > 0 && !products[first - 1])
      --first;
    RowGrouping(program, first, last).run(/*isForBlocks=*/true);
    last = std::max<size_t>(first, 1);
  }
}

} // namespace cameo::schedule
