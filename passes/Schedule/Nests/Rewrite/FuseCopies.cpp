// A copy of a cache that is read afterwards comes from memory twice. Here each tile of rows is read by the product
// right after it was copied. Where the rows are a reduction, parts of them have sums of their own, so that threads can
// share them, and the tiles of a part run in order.
#include "passes/Schedule/Nests/Rewrite/FuseCopies.h"

#include "passes/Schedule/Nests/Combiner.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// The fewest pieces of a sum, for the threads of most machines.
constexpr int64_t fewestPieces = 8;
/// Rows of fewer elements are not worth loops of their own.
constexpr int64_t leastWidth = 8;

/// Returns the position of the group that consists of nest number `number`.
std::optional<size_t> groupOf(const TaskProgram &program, unsigned number) {
  for (auto [position, group] : llvm::enumerate(program.groups)) {
    if (number == 0)
      return group.rowDims == 0 && group.nests.size() == 1 ? std::optional(position) : std::nullopt;
    if (number < group.nests.size())
      return std::nullopt;
    number -= group.nests.size();
  }
  return std::nullopt;
}

bool isPlainLoad(const Node &node) {
  return node.kind == Node::Kind::Load && !node.shared && node.transforms.empty() && !node.packed;
}

/// Whether `nest` copies elements that lie side by side, along its last dimension, to the begin of each line of a
/// buffer.
bool isCopy(const LoopNest &nest) {
  if (nest.hasReduction() || nest.dims.empty() || nest.outputs.size() != 1 || nest.outputs.front().index)
    return false;
  const Output &output = nest.outputs.front();
  const Node &value = nest.nodes[output.value];
  return isPlainLoad(value) && value.buffer != output.buffer && value.address.coefficients.back() == 1 &&
         output.address.coefficients.back() == 1 && output.address.constant == 0;
}

/// Returns the only load of `buffer` in `nest`, if it is plain and inside of the reduction.
const Node *findLoad(const LoopNest &nest, unsigned buffer) {
  const Node *found = nullptr;
  for (NodeId id : nest.loads(/*insideReduction=*/true))
    if (nest.nodes[id].reads(buffer))
      found = &nest.nodes[id];
  bool isOnly = llvm::count_if(nest.nodes, [&](const Node &node) { return node.reads(buffer); }) == 1;
  return found && isOnly && isPlainLoad(*found) ? found : nullptr;
}

bool hasLoadOf(const LoopNest &nest, unsigned buffer) {
  return llvm::any_of(nest.nodes, [&](const Node &node) { return node.reads(buffer); });
}

/// Whether `nest` stores nothing before the end of what `copy` stores in each line.
bool leaves(const LoopNest &copy, const LoopNest &nest) {
  return llvm::all_of(nest.outputs, [&](const Output &output) {
    return output.buffer != copy.outputs.front().buffer ||
           (!output.index && output.address.constant == copy.dims.back().extent);
  });
}

/// Whether the sums of `nest` may be divided into parts.
bool isDivisible(const LoopNest &nest) {
  return matchCombiningKind(nest, 0) == vector::CombiningKind::ADD && nest.outputs.size() == 1;
}

/// Sets the dimensions of the product, whose load of the copied rows is `load`. Returns false if they are others than
/// those of the copy.
bool pairDimensions(const LoopNest &copy, const LoopNest &product, const Node &load, CopiedRows &found) {
  const LinearForm &stored = copy.outputs.front().address;
  std::optional<unsigned> element, row;
  for (auto [number, dimension] : llvm::enumerate(product.dims)) {
    unsigned dim = number;
    const Size &stride = load.address.coefficients[dim];
    if (stride == 0 && !dimension.reduction)
      found.sharing.push_back(dim);
    else if (stride == 1 && !element && dimension.extent.isKnown())
      element = dim;
  }
  if (!element || product.dims[*element].extent < leastWidth)
    return false;
  found.width = product.dims[*element].extent;
  for (unsigned outer = 0; outer + 1 < copy.dims.size(); ++outer)
    for (unsigned dim = 0; dim < product.dims.size(); ++dim)
      if (load.address.coefficients[dim] == stored.coefficients[outer] && !product.dims[dim].reduction &&
          product.dims[dim].extent == copy.dims[outer].extent && !llvm::is_contained(found.outer, dim)) {
        found.outer.push_back(dim);
        break;
      }
  for (unsigned dim = 0; dim < product.dims.size(); ++dim)
    if (load.address.coefficients[dim] == found.width && dim != element && !llvm::is_contained(found.outer, dim))
      row = dim;
  if (!row || found.outer.size() + 1 != copy.dims.size() ||
      found.outer.size() + found.sharing.size() + 2 != product.dims.size() ||
      product.dims[*row].reduction == product.dims[*element].reduction)
    return false;
  found.rows = *row;
  return true;
}

/// Returns `nest` with the dimensions in `outer` first, then those of `tiles` (extent and distance in points of `dim`),
/// and with `count` points of `dim` from `begin` on.
LoopNest takePoints(LoopNest nest, ArrayRef<unsigned> outer, unsigned dim, const Size &begin, const Size &count,
                    ArrayRef<std::pair<Size, Size>> tiles) {
  SmallVector<unsigned> rest;
  for (unsigned other = 0; other < nest.dims.size(); ++other)
    if (!llvm::is_contained(outer, other))
      rest.push_back(other);
  nest.dims[dim].extent = count;
  std::vector<Dimension> dims;
  for (unsigned each : outer)
    dims.push_back(nest.dims[each]);
  for (const auto &[extent, distance] : tiles)
    dims.push_back({extent, false});
  for (unsigned each : rest)
    dims.push_back(nest.dims[each]);
  nest.dims = std::move(dims);
  forEachForm(nest, [&](LinearForm &form) {
    SmallVector<Size, 8> coefficients;
    const Size stride = form.coefficients[dim];
    for (unsigned each : outer)
      coefficients.push_back(form.coefficients[each]);
    for (const auto &[extent, distance] : tiles)
      coefficients.push_back(stride * distance);
    for (unsigned each : rest)
      coefficients.push_back(form.coefficients[each]);
    form.constant += stride * begin;
    form.coefficients = std::move(coefficients);
  });
  return nest;
}

/// Divides the last dimension into `count` times `width` points.
void divideLast(LoopNest &nest, const Size &count, int64_t width) {
  nest.dims.back().extent = count;
  nest.dims.push_back({width, false});
  forEachForm(nest, [&](LinearForm &form) {
    Size stride = form.coefficients.back();
    form.coefficients.back() = stride * width;
    form.coefficients.push_back(stride);
  });
}

class CopyFuser {
public:
  CopyFuser(TaskProgram &program, const CopiedRows &found, int64_t size)
      : program(program), found(found), copy(found.copyOf(program)), product(found.productOf(program)), size(size) {}

  llvm::Error run();

private:
  using Tiles = ArrayRef<std::pair<Size, Size>>; ///< see takePoints

  int64_t parts() const;
  Size readFrom(const Size &begin) const { return product.dims[found.rows].extent - begin; }
  NestGroup groupOf(const Size &begin, Tiles tiles, const Size &copied, const Size &read, const LoopNest &reader) const;
  LinearForm addSums();
  Node loadSums(LinearForm address) const;
  LoopNest sumRows(const LinearForm &address, bool continues) const;
  LoopNest zeroSums(const LinearForm &address) const;
  LoopNest addParts(LinearForm address) const;
  void fuseRows(const Size &tiles);
  void fuseSum(const Size &tiles);

  TaskProgram &program;
  const CopiedRows &found;
  const LoopNest copy, product;
  int64_t size;
  std::vector<NestGroup> groups;
  unsigned sums = 0; ///< the buffer of the sums of parts
  Size slot;         ///< elements of the sums of one part
};

/// Returns the number of parts of a sum over rows.
int64_t CopyFuser::parts() const {
  int64_t pieces = 1, parts = 1;
  for (unsigned dim : found.outer)
    pieces *= product.dims[dim].extent;
  while (parts * pieces < fewestPieces)
    parts *= 2;
  return parts;
}

/// Returns a group that copies `copied` rows and runs `reader` for `read` rows, from `begin` on, in each of `tiles`.
NestGroup CopyFuser::groupOf(const Size &begin, Tiles tiles, const Size &copied, const Size &read,
                             const LoopNest &reader) const {
  NestGroup group;
  group.rowDims = found.outer.size() + tiles.size();
  if (!(copied == 0)) {
    auto elements = llvm::map_to_vector(
        tiles, [&](const std::pair<Size, Size> &tile) { return std::pair(tile.first, tile.second * found.width); });
    auto outer = llvm::to_vector(llvm::seq<unsigned>(0, found.outer.size()));
    LoopNest nest = takePoints(copy, outer, copy.dims.size() - 1, begin * found.width, copied * found.width, elements);
    // The length of a row is known, and is vectorised if the number of rows is not.
    if (!copied.isKnown())
      divideLast(nest, copied, found.width);
    updateDependences(nest);
    group.nests.push_back(std::move(nest));
  }
  if (!(read == 0)) {
    group.nests.push_back(takePoints(reader, found.outer, found.rows, begin, read, tiles));
    collapseDimensions(group.nests.back(), group.rowDims);
  }
  return group;
}

/// Adds the buffer of the sums of all parts and of the rows that are left, and returns the address of the first ones.
LinearForm CopyFuser::addSums() {
  LinearForm address(product.dims.size());
  slot = 1;
  for (unsigned dim = product.dims.size(); dim-- > 0;)
    if (dim != found.rows) {
      address.coefficients[dim] = slot;
      slot *= product.dims[dim].extent;
    }
  sums = program.buffers.size();
  program.buffers.push_back(
      Buffer::scratch(slot * Size(parts() + 1), product.nodes[product.reductions.front().update].type));
  return address;
}

/// Returns the node of the running result of `nest`.
NodeId accumulatorOf(const LoopNest &nest) {
  ArrayRef<NodeId> operands = nest.nodes[nest.reductions.front().update].operands;
  return nest.nodes[operands[0]].kind == Node::Kind::Accumulator ? operands[0] : operands[1];
}

/// Returns a load of the sums at `address`.
Node CopyFuser::loadSums(LinearForm address) const {
  Node load{Node::Kind::Load, program.buffers[sums].elementType, sums};
  load.address = std::move(address);
  return load;
}

/// Returns the product of some rows, whose sums go to `address`; it starts from zero or continues the sums there.
LoopNest CopyFuser::sumRows(const LinearForm &address, bool continues) const {
  LoopNest nest = product;
  Node zero{Node::Kind::Constant, program.buffers[sums].elementType};
  zero.constant = matchCombiner(nest, 0)->identity;
  nest.reductions.front().initial = appendNode(nest, continues ? loadSums(address) : zero);
  nest.outputs = {{accumulatorOf(nest), sums, address}};
  return nest;
}

/// Returns a nest that sets the sums of the parts from `address` on to zero, for each point of the outer dimensions.
LoopNest CopyFuser::zeroSums(const LinearForm &address) const {
  LoopNest nest = sumRows(address, /*continues=*/false);
  nest.outputs.front().value = nest.reductions.front().initial;
  nest.reductions.clear();
  nest.dims[found.rows] = {parts(), false};
  nest.outputs.front().address.coefficients[found.rows] = slot;
  return nest;
}

/// Returns the product as a sum over all parts.
LoopNest CopyFuser::addParts(LinearForm address) const {
  LoopNest nest = product;
  nest.name += ".sum";
  address.coefficients[found.rows] = slot;
  nest.dims[found.rows].extent = parts() + 1;
  Node update = nest.nodes[nest.reductions.front().update];
  update.operands = {accumulatorOf(nest), appendNode(nest, loadSums(std::move(address)))};
  nest.reductions.front().update = appendNode(nest, std::move(update));
  collapseDimensions(nest, /*keep=*/0);
  return nest;
}

/// The rows are results of the product: tiles, and the rows that are left, in one range.
void CopyFuser::fuseRows(const Size &tiles) {
  Size begin = tiles * Size(size);
  groups.push_back(groupOf(0, {{tiles, size}}, size, size, product));
  groups.push_back(groupOf(begin, {{1, 0}}, found.count - begin, readFrom(begin), product));
  groups.back().continues = true;
}

/// The rows are summed: those that are left begin the sums, and the parts of the others have their own.
void CopyFuser::fuseSum(const Size &tiles) {
  LinearForm address = addSums(), ofParts = address;
  ofParts.constant = slot;
  Size begin = tiles * Size(size * parts());
  NestGroup rest = groupOf(begin, {}, found.count - begin, readFrom(begin), sumRows(address, /*continues=*/false));
  LoopNest zeros = takePoints(zeroSums(ofParts), found.outer, found.rows, 0, parts(), {});
  collapseDimensions(zeros, rest.rowDims);
  rest.nests.push_back(std::move(zeros));
  NestGroup whole =
      groupOf(0, {{parts(), tiles * Size(size)}, {tiles, size}}, size, size, sumRows(ofParts, /*continues=*/true));
  whole.orderedDims = 1;
  unsigned part = found.outer.size();
  LoopNest &tile = whole.nests.back();
  forEachAccess(tile, [&](unsigned buffer, LinearForm &form, bool) {
    if (buffer == sums)
      form.coefficients[part] = slot;
  });
  updateDependences(tile);
  NestGroup all;
  all.nests.push_back(addParts(std::move(address)));
  for (NestGroup *group : {&rest, &whole, &all})
    groups.push_back(std::move(*group));
}

llvm::Error CopyFuser::run() {
  bool isSum = product.dims[found.rows].reduction;
  int64_t rows = isSum ? size * parts() : size;
  const Size &count = found.count;
  Size tiles = count.isKnown() ? Size(int64_t(count) / rows) : countPieces(count - (rows - 1), rows);
  if (tiles == 0)
    return llvm::createStringError("expected %ld rows or more in a copy, got %ld", rows, int64_t(count));
  isSum ? fuseSum(tiles) : fuseRows(tiles);
  auto begin = program.groups.begin();
  std::rotate(begin + found.copy, begin + found.copy + 1, begin + found.product);
  auto at = program.groups.erase(begin + found.product - 1, begin + found.product + 1);
  program.groups.insert(at, std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
  return llvm::Error::success();
}

} // namespace

std::optional<CopiedRows> findCopiedRows(const TaskProgram &program, unsigned nest, unsigned last) {
  std::optional<size_t> first = groupOf(program, nest), behind = groupOf(program, last);
  if (!first || !behind || *first >= *behind)
    return std::nullopt;
  CopiedRows found{*first, *behind, {}, 0, {}, 0, 0};
  const LoopNest &copy = found.copyOf(program), &product = found.productOf(program);
  if (!isCopy(copy) || product.reductions.size() != 1)
    return std::nullopt;
  unsigned buffer = copy.outputs.front().buffer, source = copy.nodes[copy.outputs.front().value].buffer;
  const Node *load = findLoad(product, buffer);
  if (!program.buffers[buffer].isResult() || !program.buffers[source].isArgument() || !load ||
      !pairDimensions(copy, product, *load, found))
    return std::nullopt;
  found.count = divideExactly(copy.dims.back().extent, found.width);
  Size elements = product.dims[found.rows].extent * Size(found.width);
  for (unsigned dim : found.outer)
    elements *= product.dims[dim].extent;
  if (found.count.isUnknown() || !(elements == program.buffers[buffer].elements) ||
      (product.dims[found.rows].reduction && !isDivisible(product)))
    return std::nullopt;
  for (auto [number, group] : llvm::enumerate(program.groups)) {
    if (number == *first || number == *behind)
      continue;
    for (const LoopNest &other : group.nests)
      if (hasLoadOf(other, buffer) || !leaves(copy, other))
        return std::nullopt;
  }
  return found;
}

llvm::Error fuseCopies(TaskProgram &program, const CopiedRows &found, int64_t size) {
  return CopyFuser(program, found, size).run();
}

} // namespace cameo::schedule
