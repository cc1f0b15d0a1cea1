// Shape rules of operators that move elements depending on shapes only.
#include "dialects/Onnx/ShapeRules.h"
#include "dialects/Onnx/StatedShapes.h"

#include "dialects/Dim/DimLimits.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxRearrangeOps.cpp.inc"

namespace {

using Operands = ArrayRef<const KnownTensor *>;
using Results = SmallVectorImpl<KnownTensor>;

/// Whether all dimensions are static or named, so that equal types imply equal shapes.
bool hasKnownDims(Value value) {
  std::optional<DimList> dims = getDims(value);
  return dims && llvm::none_of(*dims, [](const Dim &dim) { return dim.isUnknown(); });
}

} // namespace

//===- Transpose -----------------------------------------------------------===//

SmallVector<int64_t> TransposeOp::getPermutation() {
  if (std::optional<ArrayRef<int64_t>> perm = getPerm())
    return llvm::to_vector(*perm);
  int64_t rank = rankOf(getData()).value_or(0);
  return llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
}

LogicalResult TransposeOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  std::optional<ArrayRef<int64_t>> perm = getPerm();
  if (perm && !isPermutationVector(*perm)) // transpose_c1
    return emitOpError() << "expected 'perm' to be a permutation, got [" << *perm << "]";
  std::optional<DimList> dims = getDims(getData());
  if (dims && perm && perm->size() != dims->size()) // transpose_c2
    return emitOpError() << "expected 'perm' of " << dims->size() << " values, got " << perm->size();
  DimList result;
  if (dims)
    for (int64_t axis : getPermutation())
      result.push_back((*dims)[axis]);
  else if (perm)
    result.assign(perm->size(), Dim::unknown());
  types.push_back(makeResultType(dims || perm ? std::optional(result) : std::nullopt, elementTypeOf(getData())));
  return success();
}

LogicalResult TransposeOp::evaluate(Operands operands, Results &results) {
  SmallVector<int64_t> perm = getPermutation();
  if (!operands[0] || operands[0]->shape.size() != perm.size() || !isPermutationVector(perm))
    return failure();
  SmallVector<int64_t> strides = rowMajorStrides(operands[0]->shape), shape;
  for (int64_t axis : perm)
    shape.push_back(operands[0]->shape[axis]);
  return appendKnown(selectElements(*operands[0], shape,
                                    [&](ArrayRef<int64_t> index) {
                                      int64_t offset = 0;
                                      for (auto [i, axis] : llvm::zip(index, perm))
                                        offset += i * strides[axis];
                                      return offset;
                                    }),
                     results);
}

Value TransposeOp::getEqualOperand() {
  SmallVector<int64_t> perm = getPermutation();
  bool isIdentity = rankOf(getData()) && llvm::is_sorted(perm);
  return isIdentity ? getData() : Value();
}

//===- Concat --------------------------------------------------------------===//

namespace {

/// Simplifies `sum` for runs in which none of `parts` is negative: there, the minimum of a part and 0 is 0.
Dim sumOfSizes(const Dim &sum, ArrayRef<Dim> parts) {
  auto isZero = [&](Attribute atom) {
    auto minimum = dyn_cast<DimMinAttr>(atom);
    return minimum && llvm::any_of(parts, [&](const Dim &part) { return isNeverNegative(minimum.getDim() - part); });
  };
  if (!sum.isNamed())
    return sum;
  Dim rest(0);
  for (const DimTerm &term : getTerms(sum)) {
    Dim product(llvm::any_of(term.getAtoms(), isZero) ? 0 : term.coefficient);
    for (Attribute atom : term.getAtoms())
      product = product * Dim::atom(atom);
    rest = rest + product;
  }
  return rest;
}

/// Returns the dimensions of the result, from the operands with known rank.
FailureOr<std::optional<DimList>> joinOperands(ConcatOp op, SizeConstraints &sizes) {
  std::optional<DimList> joint;
  std::optional<int64_t> axis;
  DimList parts;
  bool isComplete = true;
  for (auto [number, operand] : llvm::enumerate(op.getInputs())) {
    std::optional<DimList> dims = getDims(operand);
    if (!dims) {
      isComplete = false;
      continue;
    }
    if (!joint) {
      FailureOr<int64_t> normalized = normalizeAxis(op, op.getAxis(), dims->size()); // concat_c1
      if (failed(normalized))
        return failure();
      axis = *normalized;
      joint = dims;
      parts.push_back((*dims)[*axis]);
      continue;
    }
    if (failed(expectRank(op, number, joint->size(), joint->size()))) // concat_c2
      return failure();
    for (auto [i, dim] : llvm::enumerate(*dims)) {
      if (int64_t(i) == *axis) {
        (*joint)[i] = addDims((*joint)[i], dim);
        parts.push_back(dim);
        continue;
      }
      if (failed(sizes.requireEqual((*joint)[i], dim))) // concat_c3
        return op.emitOpError() << "expected dimension " << i << " of operand #" << number << " to be "
                                << (*joint)[i].getSize() << " as in the operands before it, got " << dim.getSize();
      (*joint)[i] = moreSpecific((*joint)[i], dim);
    }
  }
  // x[2:] has n - 2 rows in each run and x[:2] has min(n, 2) rows, so their concatenation has n rows.
  if (joint)
    (*joint)[*axis] = isComplete ? sumOfSizes((*joint)[*axis], parts) : Dim::unknown();
  return joint;
}

} // namespace

LogicalResult ConcatOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (getInputs().empty()) // concat_c4
    return emitOpError() << "expected at least one operand";
  if (failed(expectSameElementType(*this)))
    return failure();
  FailureOr<std::optional<DimList>> dims = joinOperands(*this, sizes);
  if (failed(dims))
    return failure();
  types.push_back(makeResultType(*dims, elementTypeOf(getInputs().front())));
  return success();
}

LogicalResult ConcatOp::evaluate(Operands operands, Results &results) {
  // Concatenation along the first axis concatenates the elements, as models do with shapes.
  if (llvm::is_contained(operands, nullptr) || operands.empty())
    return failure();
  int64_t rank = operands[0]->rank();
  if (rank == 0 || (getAxis() != 0 && getAxis() != -rank))
    return failure();
  KnownTensor result{operands[0]->shape, operands[0]->elementType, {}};
  result.shape[0] = 0;
  for (const KnownTensor *operand : operands) {
    if (operand->rank() != rank || ArrayRef(operand->shape).drop_front() != ArrayRef(result.shape).drop_front())
      return failure();
    result.shape[0] += operand->shape[0];
    llvm::append_range(result.elements, operand->elements);
  }
  if (int64_t(result.elements.size()) > kMaxKnownElements)
    return failure();
  results.push_back(std::move(result));
  return success();
}

Value ConcatOp::getEqualOperand() { return getInputs().size() == 1 ? getInputs().front() : Value(); }

//===- Split ---------------------------------------------------------------===//

namespace {

/// Returns the sizes of the parts if the operand does not state them: they are equal, except that the last one is the
/// rest.
FailureOr<DimList> equalParts(SplitOp op, SizeConstraints &sizes, const Dim &whole) {
  int64_t count = op.getNumResults();
  if (op.getNumOutputs() && *op.getNumOutputs() != count) // split_c1
    return op.emitOpError() << "expected 'num_outputs' to be the number of results, " << count << ", got "
                            << *op.getNumOutputs();
  if (!op.getNumOutputs() && failed(sizes.requireMultiple(whole, count))) // split_c9
    return op.emitOpError() << "expected a dimension of " << count << " equal parts, got " << whole.getSize();
  if (!whole.isStatic()) {
    Dim part = floorDivDim(whole + (count - 1), count);
    // All parts are equal if the count divides the dimension, which the operator required before it had 'num_outputs'.
    if (Dim exact = exactDivDims(whole, Dim(count)); !exact.isUnknown())
      part = exact;
    DimList parts(count, part);
    parts.back() = whole - part * (count - 1);
    return parts;
  }
  int64_t part = llvm::divideCeil(whole.getSize(), count);
  int64_t last = whole.getSize() - part * (count - 1);
  if (last < 0) // split_c2
    return op.emitOpError() << "expected a dimension of at least " << part * (count - 1) << " to split into " << count
                            << " parts of " << part << ", got " << whole.getSize();
  DimList parts(count, Dim(part));
  parts.back() = Dim(last);
  return parts;
}

FailureOr<DimList> splitSizes(SplitOp op, SizeConstraints &sizes, const Dim &whole, int64_t axis) {
  if (isAbsent(op.getSplit()))
    return equalParts(op, sizes, whole);
  if (op.getNumOutputs()) // split_c3
    return op.emitOpError() << "expected either the operand 'split' or the attribute 'num_outputs', got both";
  int64_t count = op.getNumResults();
  std::optional<DimList> known = getKnownDims(op.getSplit());
  if (known && int64_t(known->size()) != count) // split_c4
    return op.emitOpError() << "expected " << count << " sizes in operand #1, one per result, got " << known->size();
  if (failed(expectDim(op, sizes, 1, 0, Dim(count), "one per result"))) // split_c4
    return failure();
  DimList parts = known.value_or(DimList(count, Dim::unknown()));
  Dim sum(0);
  for (auto [part, result] : llvm::zip_equal(parts, op.getOutputs())) {
    if (std::optional<DimList> stated = getDims(result); part.isUnknown() && stated && axis < int64_t(stated->size()))
      part = (*stated)[axis];
    if (failed(sizes.requireAtLeast(part, 0))) // split_c5
      return op.emitOpError() << "expected sizes of 0 or more, got " << part.getSize();
    sum = addDims(sum, part);
  }
  if (failed(sizes.requireEqual(sum, whole))) // split_c6
    return op.emitOpError() << "expected sizes that add up to " << whole.getSize() << ", got " << sum.getSize();
  return parts;
}

} // namespace

LogicalResult SplitOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (getNumResults() == 0) // split_c7
    return emitOpError() << "expected at least one result";
  Type elementType = elementTypeOf(getInput());
  std::optional<DimList> dims = getDims(getInput());
  if (!dims) {
    types.append(getNumResults(), makeResultType(std::nullopt, elementType));
    return success();
  }
  FailureOr<int64_t> axis = normalizeAxis(*this, getAxis(), dims->size()); // split_c8
  if (failed(axis))
    return failure();
  FailureOr<DimList> parts = splitSizes(*this, sizes, (*dims)[*axis], *axis);
  if (failed(parts))
    return failure();
  for (const Dim &part : *parts) {
    (*dims)[*axis] = part;
    types.push_back(makeTensorType(*dims, elementType));
  }
  return success();
}

LogicalResult SplitOp::evaluate(Operands operands, Results &results) {
  if (!operands[0] || operands[0]->rank() != 1)
    return failure();
  size_t begin = 0;
  for (Value output : getOutputs()) {
    std::optional<KnownTensor> part = makeUnknown(output.getType());
    if (!part || part->rank() != 1 || begin + part->elements.size() > operands[0]->elements.size())
      return failure();
    llvm::copy(ArrayRef(operands[0]->elements).slice(begin, part->elements.size()), part->elements.begin());
    begin += part->elements.size();
    results.push_back(std::move(*part));
  }
  return success();
}

LogicalResult SplitOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  return detail::foldKnown(*this, results);
}

//===- Expand, Tile --------------------------------------------------------===//

namespace {

/// Requires that the size of an input of Expand is the size `result` or 1, which is repeated. Sizes that have names may
/// be either in a run.
LogicalResult requireExpanded(SizeConstraints &sizes, const Dim &own, const Dim &result) {
  return own == 1 ? success() : sizes.requireOneOf(own, result, 1);
}

/// Requires that all dimensions of the input become those of the result, whose rank is at least as large.
LogicalResult requireExpanded(SizeConstraints &sizes, ArrayRef<Dim> own, ArrayRef<Dim> result) {
  if (own.size() > result.size())
    return failure();
  for (auto [from, to] : llvm::zip_equal(own, result.take_back(own.size())))
    if (failed(requireExpanded(sizes, from, to)))
      return failure();
  return success();
}

/// Returns the size of a dimension that Expand asks for; nothing if it has no such size in any run. Of two names, the
/// size asked for counts.
std::optional<Dim> expandDim(const Dim &own, const Dim &asked) {
  return own.isNamed() && asked.isNamed() ? asked : broadcastDim(own, asked);
}

} // namespace

LogicalResult ExpandOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSizeVector(*this, 1))) // expand_c1
    return failure();
  std::optional<DimList> dims = getDims(getInput()), request = getKnownDims(getShape());
  if (!dims || !request) {
    if (std::optional<DimList> stated = getDims(getOutput());
        dims && stated && failed(requireExpanded(sizes, *dims, *stated))) // expand_c3
      return emitOpError() << "expected a result that the input broadcasts to, got " << getOutput().getType();
    types.push_back(makeResultType(std::nullopt, elementTypeOf(getInput())));
    return success();
  }
  size_t rank = std::max(dims->size(), request->size());
  dims->insert(dims->begin(), rank - dims->size(), Dim(1));
  request->insert(request->begin(), rank - request->size(), Dim(1));
  DimList whole = *dims;
  for (auto [own, asked] : llvm::zip(*dims, *request)) {
    if (asked.isStatic() && asked.getSize() < 0) // expand_c2
      return emitOpError() << "expected sizes of 0 or more, got " << asked.getSize();
    std::optional<Dim> dim = expandDim(own, asked);
    if (!dim) // expand_c3
      return emitOpError() << "expected a shape that the input broadcasts with, got " << asked.getSize() << " for "
                           << own.getSize();
    if (failed(requireExpanded(sizes, own, *dim)) || failed(requireExpanded(sizes, asked, *dim)))
      llvm_unreachable("both are the size of the result or 1");
    own = *dim;
  }
  fillStated(*dims, getOutput());
  if (failed(requireExpanded(sizes, whole, *dims))) // expand_c3
    return emitOpError() << "expected a result that the input broadcasts to, got " << getOutput().getType();
  types.push_back(makeTensorType(*dims, elementTypeOf(getInput())));
  return success();
}

LogicalResult ExpandOp::evaluate(Operands operands, Results &results) {
  std::optional<KnownTensor> shape = makeUnknown(getOutput().getType());
  if (!operands[0] || !shape)
    return failure();
  return appendKnown(mapBroadcast({operands[0], &*shape}, operands[0]->elementType,
                                  [](ArrayRef<Number> numbers) { return numbers[0]; }),
                     results);
}

Value ExpandOp::getEqualOperand() { return hasKnownDims(getInput()) ? getInput() : Value(); }

LogicalResult TileOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 1, 1, 1))) // tile_c1
    return failure();
  std::optional<DimList> dims = getDims(getInput()), repeats = getKnownDims(getRepeats());
  if (dims && repeats && dims->size() != repeats->size()) // tile_c2
    return emitOpError() << "expected " << dims->size() << " repeats, one per dimension, got " << repeats->size();
  DimList stated(dims ? dims->size() : 0, Dim::unknown());
  fillStated(stated, getOutput());
  if (dims)
    for (auto [i, dim] : llvm::enumerate(*dims)) {
      Dim repeat = repeats ? (*repeats)[i] : Dim::unknown();
      if (repeat.isUnknown() && failed(sizes.requireMultiple(stated[i], dim)))
        return emitOpError() << "expected a result that is a multiple of the input, got " << stated[i].getSize()
                             << " of " << dim.getSize();
      if (repeat.isStatic() && repeat.getSize() < 0) // tile_c3
        return emitOpError() << "expected repeats of 0 or more, got " << repeat.getSize();
      Dim product = mulDims(dim, repeat);
      if (dim.isStatic() && repeat.isStatic() && !product.isStatic()) // tile_c4
        return emitOpError() << "expected sizes that fit 64 bits, got " << dim.getSize() << " * " << repeat.getSize();
      dim = product;
    }
  types.push_back(makeResultType(dims, elementTypeOf(getInput())));
  return success();
}

LogicalResult TileOp::evaluate(Operands operands, Results &results) {
  std::optional<KnownTensor> result = makeUnknown(getOutput().getType());
  if (!operands[0] || !result || result->rank() != operands[0]->rank() || operands[0]->elements.empty())
    return failure();
  const KnownTensor &source = *operands[0];
  SmallVector<int64_t> strides = rowMajorStrides(source.shape);
  return appendKnown(selectElements(source, result->shape,
                                    [&](ArrayRef<int64_t> index) {
                                      int64_t offset = 0;
                                      for (auto [i, size, stride] : llvm::zip(index, source.shape, strides))
                                        offset += i % size * stride;
                                      return offset;
                                    }),
                     results);
}

Value TileOp::getEqualOperand() { return hasKnownDims(getInput()) ? getInput() : Value(); }

//===- DepthToSpace, SpaceToDepth ------------------------------------------===//

namespace {

/// Checks rank and block size. Returns the square of the block size, which fits 64 bits.
FailureOr<int64_t> blockArea(Operation *op, int64_t blockSize) {
  constexpr int64_t kMaxBlockSize = 1 << 16;
  if (failed(expectRank(op, 0, 4, 4))) // depthtospace_c1, spacetodepth_c1
    return failure();
  if (blockSize < 1 || blockSize > kMaxBlockSize) // depthtospace_c2, spacetodepth_c2
    return op->emitOpError() << "expected 'blocksize' in [1, " << kMaxBlockSize << "], got " << blockSize;
  return blockSize * blockSize;
}

FailureOr<Dim> divideDim(Operation *op, SizeConstraints &sizes, const Dim &dim, int64_t divisor) {
  if (failed(sizes.requireMultiple(dim, divisor))) // depthtospace_c3, spacetodepth_c3
    return op->emitOpError() << "expected a dimension divisible by " << divisor << ", got " << dim.getSize();
  return floorDivDim(dim, divisor);
}

} // namespace

LogicalResult DepthToSpaceOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  FailureOr<int64_t> area = blockArea(*this, getBlocksize());
  if (failed(area))
    return failure();
  std::optional<DimList> dims = getDims(getInput());
  if (dims) {
    FailureOr<Dim> channels = divideDim(*this, sizes, (*dims)[1], *area);
    if (failed(channels))
      return failure();
    *dims = {(*dims)[0], *channels, mulDims((*dims)[2], Dim(getBlocksize())), mulDims((*dims)[3], Dim(getBlocksize()))};
  }
  types.push_back(makeResultType(dims, elementTypeOf(getInput())));
  return success();
}

LogicalResult SpaceToDepthOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  FailureOr<int64_t> area = blockArea(*this, getBlocksize());
  if (failed(area))
    return failure();
  std::optional<DimList> dims = getDims(getInput());
  if (dims) {
    FailureOr<Dim> height = divideDim(*this, sizes, (*dims)[2], getBlocksize());
    FailureOr<Dim> width = failed(height) ? height : divideDim(*this, sizes, (*dims)[3], getBlocksize());
    if (failed(width))
      return failure();
    *dims = {(*dims)[0], mulDims((*dims)[1], Dim(*area)), *height, *width};
  }
  types.push_back(makeResultType(dims, elementTypeOf(getInput())));
  return success();
}
