// Shape rules of operators that return or change the shape of a tensor and keep the order of its elements.
#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ShapeRules.h"
#include "dialects/Onnx/StatedShapes.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxShapeOps.cpp.inc"

namespace {

using Operands = ArrayRef<const KnownTensor *>;
using Results = SmallVectorImpl<KnownTensor>;

/// Returns the operand if all of its dimensions are known, so that equal types imply equal shapes; otherwise null,
/// because two unknown dimensions may differ.
Value equalWhenDimsKnown(Value operand) {
  std::optional<DimList> dims = getDims(operand);
  bool isKnown = dims && llvm::none_of(*dims, [](const Dim &dim) { return dim.isUnknown(); });
  return isKnown ? operand : Value();
}

/// Returns the slice [start, end) of the dimensions. Negative bounds count from the end, and bounds are clamped, as in
/// Python.
ArrayRef<Dim> sliceOf(ArrayRef<Dim> dims, int64_t start, std::optional<int64_t> end) {
  int64_t rank = dims.size();
  auto clamp = [rank](int64_t bound) { return std::clamp<int64_t>(bound < 0 ? bound + rank : bound, 0, rank); };
  int64_t from = clamp(start), to = end ? clamp(*end) : rank;
  return dims.slice(from, std::max<int64_t>(to - from, 0));
}

} // namespace

//===- Shape, Size ---------------------------------------------------------===//

LogicalResult ShapeOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  std::optional<DimList> dims = getDims(getData());
  Dim count = dims ? Dim(sliceOf(*dims, getStart(), getEnd()).size()) : Dim::unknown();
  types.push_back(makeTensorType({count}, IntegerType::get(getContext(), 64)));
  return success();
}

LogicalResult ShapeOp::evaluate(Operands, Results &results) {
  std::optional<DimList> dims = getDims(getData());
  if (!dims)
    return failure();
  ArrayRef<Dim> slice = sliceOf(*dims, getStart(), getEnd());
  KnownTensor result{{int64_t(slice.size())}, IntegerType::get(getContext(), 64), {}};
  for (const Dim &dim : slice)
    result.elements.push_back(Number::of(dim));
  results.push_back(std::move(result));
  return success();
}

LogicalResult SizeOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  types.push_back(makeTensorType({}, IntegerType::get(getContext(), 64)));
  return success();
}

LogicalResult SizeOp::evaluate(Operands, Results &results) {
  std::optional<DimList> dims = getDims(getData());
  if (!dims)
    return failure();
  results.push_back({{}, IntegerType::get(getContext(), 64), {Number::of(productOf(*dims))}});
  return success();
}

//===- Reshape -------------------------------------------------------------===//

namespace {

/// Determines the result dimensions of a Reshape from its shape operand and the dimensions of its input.
class ReshapeRule {
public:
  ReshapeRule(ReshapeOp op, DimList request, SizeConstraints &sizes)
      : op(op), request(std::move(request)), sizes(sizes), input(getDims(op.getData())) {}

  FailureOr<DimList> solve() {
    if (failed(readRequest()))
      return failure();
    Dim total = input ? productOf(remaining) : Dim::unknown();
    Dim others = productOf(asked);
    if (open.size() == 1) {
      if (failed(solveOpen(total, others)))
        return failure();
    } else if (open.empty() && failed(sizes.requireEqual(total, others))) { // reshape_c4
      return op.emitOpError() << "expected as many elements as the input, got " << describe();
    }
    return std::move(request);
  }

private:
  /// Classifies the requested sizes: copied from the input, to be inferred, and others.
  LogicalResult readRequest() {
    if (input)
      remaining = *input;
    bool hasMinusOne = false;
    for (auto [i, dim] : llvm::enumerate(request)) {
      if (dim.isStatic() && dim.getSize() == -1) {
        if (hasMinusOne) // reshape_c2
          return op.emitOpError() << "expected at most one -1 in the shape, got " << describe();
        hasMinusOne = true;
        dim = Dim::unknown();
        open.push_back(i);
      } else if (dim.isStatic() && dim.getSize() < -1) { // reshape_c1
        return op.emitOpError() << "expected sizes of -1 or more, got " << dim.getSize();
      } else if (dim.isStatic() && dim.getSize() == 0 && op.getAllowzero() == 0) {
        if (failed(copy(i, dim)))
          return failure();
      } else if (dim.isUnknown()) {
        open.push_back(i);
      } else {
        asked.push_back(dim);
      }
    }
    return success();
  }

  /// Copies a dimension from the input. It cancels in both products, so it may be unknown.
  LogicalResult copy(size_t i, Dim &dim) {
    if (!input) {
      dim = Dim::unknown();
      asked.push_back(dim);
      return success();
    }
    if (i >= input->size()) // reshape_c3
      return op.emitOpError() << "expected 0 in the shape only for dimensions of the input, got one at " << i;
    dim = (*input)[i];
    if (dim.isStatic() && dim.getSize() == 0)
      asked.push_back(dim);
    else
      remaining[i] = Dim(1);
    return success();
  }

  LogicalResult solveOpen(const Dim &total, const Dim &others) {
    if (!total.isStatic() || !others.isStatic()) {
      Dim &dim = request[open.front()];
      // The other sizes divide the number of elements; for other sizes the model is not valid.
      dim = floorDivDims(total, others);
      return sizes.requireEqual(total, others * dim);
    }
    if (others.getSize() == 0 || total.getSize() % others.getSize() != 0) // reshape_c5
      return op.emitOpError() << "expected a shape that divides the " << total.getSize() << " elements, got "
                              << describe();
    request[open.front()] = Dim(total.getSize() / others.getSize());
    return success();
  }

  std::string describe() {
    std::string text = "[";
    if (std::optional<DimList> dims = getKnownDims(op.getShape()))
      for (auto [i, dim] : llvm::enumerate(*dims)) {
        text += i == 0 ? "" : ", ";
        text += dim.getText();
      }
    return text + "]";
  }

  ReshapeOp op;
  DimList request;
  SizeConstraints &sizes;
  std::optional<DimList> input;
  DimList remaining; // dimensions of the input, with 1 in place of those that are copied
  DimList asked;     // requested sizes that are not copied
  SmallVector<size_t> open;
};

} // namespace

LogicalResult ReshapeOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSizeVector(*this, 1))) // reshape_c6
    return failure();
  // If the model states sizes that the shape operand leaves open, runs have these sizes.
  std::optional<DimList> input = getDims(getData()), stated = getDims(getResult());
  if (input && stated)
    std::ignore = sizes.requireEqual(productOf(*input), productOf(*stated));
  std::optional<DimList> request = getKnownDims(getShape());
  if (!request) {
    types.push_back(makeResultType(std::nullopt, elementTypeOf(getData())));
    return success();
  }
  FailureOr<DimList> dims = ReshapeRule(*this, std::move(*request), sizes).solve();
  if (failed(dims))
    return failure();
  types.push_back(makeTensorType(*dims, elementTypeOf(getData())));
  return success();
}

LogicalResult ReshapeOp::evaluate(Operands operands, Results &results) {
  return evaluateReshape(*this, operands[0], results);
}

Value ReshapeOp::getEqualOperand() { return equalWhenDimsKnown(getData()); }

//===- Flatten, Squeeze, Unsqueeze, Identity --------------------------------===//

LogicalResult FlattenOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  std::optional<DimList> dims = getDims(getInput());
  DimList result(2, Dim::unknown());
  if (dims) {
    int64_t rank = dims->size(), axis = getAxis();
    if (axis < -rank || axis > rank) // flatten_c1
      return emitOpError() << "expected 'axis' in [" << -rank << ", " << rank << "], got " << axis;
    axis = axis < 0 ? axis + rank : axis;
    result = {productOf(ArrayRef<Dim>(*dims).take_front(axis)), productOf(ArrayRef<Dim>(*dims).drop_front(axis))};
  }
  types.push_back(makeTensorType(result, elementTypeOf(getInput())));
  return success();
}

LogicalResult FlattenOp::evaluate(Operands operands, Results &results) {
  return evaluateReshape(*this, operands[0], results);
}

Value FlattenOp::getEqualOperand() { return equalWhenDimsKnown(getInput()); }

namespace {

FailureOr<std::optional<DimList>> inferSqueeze(SqueezeOp op, SizeConstraints &sizes) {
  std::optional<DimList> dims = getDims(op.getData());
  if (!dims)
    return std::optional<DimList>();
  int64_t rank = dims->size();
  SmallVector<bool> isDropped(rank, false);
  if (isAbsent(op.getAxes())) {
    if (!llvm::all_of(*dims, [](const Dim &dim) { return dim.isStatic(); }))
      return std::optional<DimList>();
    for (int64_t i = 0; i < rank; ++i)
      isDropped[i] = (*dims)[i].getSize() == 1;
  } else {
    std::optional<SmallVector<int64_t>> axes = getKnownInts(op.getAxes());
    if (!axes)
      return std::optional<DimList>();
    FailureOr<SmallVector<int64_t>> normalized = normalizeAxes(op, *axes, rank); // squeeze_c1
    if (failed(normalized))
      return failure();
    for (int64_t axis : *normalized) {
      if (failed(sizes.requireEqual((*dims)[axis], 1))) // squeeze_c2
        return op.emitOpError() << "expected dimension " << axis << " to be 1, got " << (*dims)[axis].getSize();
      isDropped[axis] = true;
    }
  }
  DimList result;
  for (int64_t i = 0; i < rank; ++i)
    if (!isDropped[i])
      result.push_back((*dims)[i]);
  return std::optional<DimList>(std::move(result));
}

} // namespace

LogicalResult SqueezeOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  FailureOr<std::optional<DimList>> dims = inferSqueeze(*this, sizes);
  if (failed(dims))
    return failure();
  std::optional<DimList> data = getDims(getData()), stated = getDims(getResult());
  if (!*dims && data && stated)
    requireSqueezed(sizes, *data, *stated);
  types.push_back(makeResultType(*dims, elementTypeOf(getData())));
  return success();
}

LogicalResult SqueezeOp::evaluate(Operands operands, Results &results) {
  return evaluateReshape(*this, operands[0], results);
}

Value SqueezeOp::getEqualOperand() { return getData(); }

LogicalResult UnsqueezeOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  std::optional<DimList> dims = getDims(getData());
  std::optional<SmallVector<int64_t>> axes = getKnownInts(getAxes());
  if (!dims || !axes) {
    if (std::optional<DimList> stated = getDims(getResult()); dims && stated)
      requireSqueezed(sizes, *stated, *dims);
    types.push_back(makeResultType(std::nullopt, elementTypeOf(getData())));
    return success();
  }
  int64_t rank = dims->size() + axes->size();
  FailureOr<SmallVector<int64_t>> normalized = normalizeAxes(*this, *axes, rank); // unsqueeze_c1
  if (failed(normalized))
    return failure();
  llvm::sort(*normalized);
  for (int64_t axis : *normalized)
    dims->insert(dims->begin() + axis, Dim(1));
  types.push_back(makeTensorType(*dims, elementTypeOf(getData())));
  return success();
}

LogicalResult UnsqueezeOp::evaluate(Operands operands, Results &results) {
  return evaluateReshape(*this, operands[0], results);
}

Value UnsqueezeOp::getEqualOperand() { return getData(); }

LogicalResult IdentityOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  likeOperand(*this, 0, types);
  return success();
}

LogicalResult IdentityOp::evaluate(Operands operands, Results &results) {
  return evaluateReshape(*this, operands[0], results);
}

Value IdentityOp::getEqualOperand() { return getInput(); }
