// Shape rules of operators with indices: gather, scatter, and selections of elements.
#include "dialects/Onnx/ShapeRules.h"
#include "dialects/Onnx/StatedShapes.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxIndexOps.cpp.inc"

namespace {

using Operands = ArrayRef<const KnownTensor *>;
using Results = SmallVectorImpl<KnownTensor>;

/// Checks that the indexed dimensions `choice` are not empty, unless there are no indices.
LogicalResult expectChoice(Operation *op, SizeConstraints &sizes, ArrayRef<Dim> indices, ArrayRef<Dim> choice) {
  Dim count = productOf(indices);
  for (const Dim &size : choice)
    if (failed(sizes.requireAtLeastFor(count, size, 1)))
      return op->emitOpError() << "expected an indexed dimension of 1 or more, got 0";
  return success();
}

/// Checks that the indices are not larger than the data in dimensions other than `axis`: there the position of an index
/// selects the element.
LogicalResult expectInside(Operation *op, SizeConstraints &sizes, ArrayRef<Dim> indices, ArrayRef<Dim> data,
                           int64_t axis) {
  for (auto [i, index, size] : llvm::enumerate(indices, data))
    if (int64_t(i) != axis && failed(sizes.requireAtLeast(size, index)))
      return op->emitOpError() << "expected dimension " << i << " of the indices to be at most " << size.getSize()
                               << ", got " << index.getSize();
  return expectChoice(op, sizes, indices, data[axis]);
}

} // namespace

//===- Gather, GatherElements, GatherND ------------------------------------===//

LogicalResult GatherOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  std::optional<DimList> data = getDims(getData()), indices = getDims(getIndices());
  std::optional<DimList> result;
  if (data) {
    FailureOr<int64_t> axis = normalizeAxis(*this, getAxis(), data->size()); // gather_c1
    if (failed(axis) || failed(expectIndices(*this, getIndices(), (*data)[*axis])) /*gather_c2*/)
      return failure();
    if (indices) {
      result = DimList(data->begin(), data->begin() + *axis);
      llvm::append_range(*result, *indices);
      result->append(data->begin() + *axis + 1, data->end());
      if (failed(expectChoice(*this, sizes, *result, (*data)[*axis]))) // gather_c3
        return failure();
    }
  }
  types.push_back(makeResultType(result, elementTypeOf(getData())));
  return success();
}

LogicalResult GatherOp::evaluate(Operands operands, Results &results) {
  if (!operands[0] || !operands[1] || operands[0]->rank() == 0)
    return failure();
  const KnownTensor &data = *operands[0], &indices = *operands[1];
  int64_t axis = getAxis() < 0 ? getAxis() + data.rank() : getAxis();
  if (axis < 0 || axis >= data.rank())
    return failure();
  for (const Number &number : indices.elements)
    if (!number.integer.isStatic() || number.integer.getSize() < -data.shape[axis] ||
        number.integer.getSize() >= data.shape[axis])
      return failure();
  SmallVector<int64_t> shape(data.shape.begin(), data.shape.begin() + axis);
  llvm::append_range(shape, indices.shape);
  shape.append(data.shape.begin() + axis + 1, data.shape.end());
  SmallVector<int64_t> strides = rowMajorStrides(data.shape), indexStrides = rowMajorStrides(indices.shape);
  return appendKnown(selectElements(data, shape,
                                    [&](ArrayRef<int64_t> place) {
                                      int64_t offset = 0, at = 0;
                                      for (int64_t i = 0; i < axis; ++i)
                                        offset += place[i] * strides[i];
                                      for (auto [i, stride] : llvm::enumerate(indexStrides))
                                        at += place[axis + i] * stride;
                                      for (int64_t i = axis + 1; i < data.rank(); ++i)
                                        offset += place[i - 1 + indices.rank()] * strides[i];
                                      int64_t index = indices.elements[at].integer.getSize();
                                      index = index < 0 ? index + data.shape[axis] : index;
                                      return offset + index * strides[axis];
                                    }),
                     results);
}

LogicalResult GatherElementsOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  std::optional<DimList> data = getDims(getData()), indices = getDims(getIndices());
  if (data) {
    FailureOr<int64_t> axis = normalizeAxis(*this, getAxis(), data->size()); // gatherelements_c1
    if (failed(axis) || failed(expectRank(*this, 1, data->size(), data->size())) /*gatherelements_c2*/ ||
        failed(expectIndices(*this, getIndices(), (*data)[*axis])) /*gatherelements_c3*/ ||
        (indices && failed(expectInside(*this, sizes, *indices, *data, *axis)))) // gatherelements_c4
      return failure();
  }
  types.push_back(makeResultType(indices, elementTypeOf(getData())));
  return success();
}

LogicalResult GatherNDOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 1)) || failed(expectRank(*this, 1, 1))) // gathernd_c1
    return failure();
  std::optional<DimList> data = getDims(getData()), indices = getDims(getIndices());
  std::optional<DimList> result;
  if (data && indices) {
    int64_t rank = data->size(), batch = getBatchDims(), most = std::min<int64_t>(rank, indices->size());
    if (batch < 0 || batch >= most) // gathernd_c2
      return emitOpError() << "expected 'batch_dims' in [0, " << most - 1 << "], got " << batch;
    for (int64_t i = 0; i < batch; ++i)
      if (failed(expectDim(*this, sizes, 1, i, (*data)[i], "batch dimension of operand #0"))) // gathernd_c3
        return failure();
    Dim depth = indices->back();
    // The stated rank of the result determines the length of the tuples, too.
    if (std::optional<int64_t> stated = rankOf(getOutput()); stated && !depth.isStatic()) {
      depth = Dim(rank - batch + int64_t(indices->size()) - 1 - *stated);
      std::ignore = sizes.requireEqual(indices->back(), depth); // dynamic, so it cannot fail
    }
    if (depth.isStatic() && (depth.getSize() < 1 || depth.getSize() > rank - batch)) // gathernd_c4
      return emitOpError() << "expected index tuples of 1 to " << rank - batch << " values, got " << depth.getSize();
    if (depth.isStatic()) {
      result = DimList(indices->begin(), indices->end() - 1);
      result->append(data->begin() + batch + depth.getSize(), data->end());
      if (failed(
              expectChoice(*this, sizes, *result, ArrayRef<Dim>(*data).slice(batch, depth.getSize())))) // gathernd_c5
        return failure();
    }
  }
  types.push_back(makeResultType(result, elementTypeOf(getData())));
  return success();
}

//===- ScatterElements, ScatterND ------------------------------------------===//

LogicalResult ScatterElementsOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {0, 2})))
    return failure();
  std::optional<DimList> data = getDims(getData()), indices = getDims(getIndices());
  if (data) {
    FailureOr<int64_t> axis = normalizeAxis(*this, getAxis(), data->size()); // scatterelements_c1
    if (failed(axis) || failed(expectRank(*this, 1, data->size(), data->size())) /*scatterelements_c2*/ ||
        failed(expectIndices(*this, getIndices(), (*data)[*axis])) /*scatterelements_c3*/ ||
        (indices && failed(expectInside(*this, sizes, *indices, *data, *axis)))) // scatterelements_c5
      return failure();
  }
  if (indices && failed(expectDims(*this, sizes, 2, *indices, "as in the indices"))) // scatterelements_c4
    return failure();
  likeOperand(*this, 0, types);
  return success();
}

LogicalResult ScatterNDOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {0, 2})) || failed(expectRank(*this, 0, 1)) ||
      failed(expectRank(*this, 1, 1))) // scatternd_c1
    return failure();
  std::optional<DimList> data = getDims(getData()), indices = getDims(getIndices()), updates = getDims(getUpdates());
  if (data && indices && (indices->back().isStatic() || updates)) {
    int64_t rank = data->size(), outer = indices->size() - 1;
    // The rank of the updates determines the length of the tuples, too.
    int64_t depth = indices->back().isStatic() ? indices->back().getSize() : rank + outer - int64_t(updates->size());
    if (depth < 1 || depth > rank || failed(sizes.requireEqual(indices->back(), depth))) // scatternd_c2
      return emitOpError() << "expected index tuples of 1 to " << rank << " values, got " << depth;
    DimList expected(indices->begin(), indices->end() - 1);
    expected.append(data->begin() + depth, data->end());
    if (failed(expectDims(*this, sizes, 2, expected, "from indices and data"))) // scatternd_c3, scatternd_c4
      return failure();
    if (failed(expectChoice(*this, sizes, expected, ArrayRef<Dim>(*data).take_front(depth)))) // scatternd_c5
      return failure();
  }
  likeOperand(*this, 0, types);
  return success();
}

//===- OneHot, Compress, Unique, NonZero -----------------------------------===//

LogicalResult OneHotOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectScalar(*this, sizes, 1)) /*onehot_c1*/ || failed(expectRank(*this, 2, 1, 1)) ||
      failed(expectDim(*this, sizes, 2, 0, Dim(2), "off and on value"))) // onehot_c2
    return failure();
  Dim depth = Dim::unknown();
  if (std::optional<KnownTensor> known = getKnownValue(getDepth()); known && known->elements.size() == 1) {
    Type i64 = IntegerType::get(getContext(), 64);
    depth = convertNumber(known->elements.front(), known->elementType, i64).integer;
  }
  if (failed(sizes.requireAtLeast(depth, 1))) // onehot_c3
    return emitOpError() << "expected a depth of 1 or more, got " << depth.getSize();
  std::optional<DimList> dims = getDims(getIndices());
  if (dims) {
    FailureOr<int64_t> axis = normalizeAxis(*this, getAxis(), dims->size() + 1); // onehot_c4
    if (failed(axis))
      return failure();
    dims->insert(dims->begin() + *axis, depth);
  }
  types.push_back(makeResultType(dims, elementTypeOf(getValues())));
  return success();
}

LogicalResult CompressOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 1, 1, 1)) /*compress_c1*/ || failed(expectRank(*this, 0, 1)) /*compress_c2*/)
    return failure();
  std::optional<DimList> dims = getDims(getInput());
  Dim count = Dim::unknown();
  if (std::optional<SmallVector<int64_t>> condition = getKnownInts(getCondition()))
    count = Dim(llvm::count_if(*condition, [](int64_t value) { return value != 0; }));
  Dim whole = dims ? productOf(*dims) : Dim::unknown();
  if (!getAxis()) {
    dims = DimList{count};
  } else if (dims) {
    FailureOr<int64_t> axis = normalizeAxis(*this, *getAxis(), dims->size()); // compress_c3
    if (failed(axis))
      return failure();
    whole = (*dims)[*axis];
    (*dims)[*axis] = count;
  }
  std::optional<DimList> condition = getDims(getCondition());
  if (condition && failed(sizes.requireAtLeast(whole, condition->front()))) // compress_c4
    return emitOpError() << "expected a condition of at most " << whole.getSize() << " elements, got "
                         << (*condition)[0].getSize();
  types.push_back(makeResultType(dims, elementTypeOf(getInput())));
  return success();
}

std::optional<int64_t> CompressOp::getDataSizedAxis(unsigned) {
  std::optional<int64_t> rank = rankOf(getOutput());
  if (!getAxis() || !rank)
    return 0;
  return *getAxis() < 0 ? *getAxis() + *rank : *getAxis();
}

LogicalResult UniqueOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  std::optional<DimList> dims = getDims(getX());
  Dim length = dims ? productOf(*dims) : Dim::unknown();
  if (!getAxis()) {
    dims = DimList{Dim::unknown()};
  } else if (dims) {
    FailureOr<int64_t> axis = normalizeAxis(*this, *getAxis(), dims->size()); // unique_c1
    if (failed(axis))
      return failure();
    length = (*dims)[*axis];
    (*dims)[*axis] = Dim::unknown();
  }
  Type i64 = IntegerType::get(getContext(), 64);
  types.push_back(makeResultType(dims, elementTypeOf(getX())));
  types.append(
      {makeTensorType({Dim::unknown()}, i64), makeTensorType({length}, i64), makeTensorType({Dim::unknown()}, i64)});
  return success();
}

std::optional<int64_t> UniqueOp::getDataSizedAxis(unsigned result) {
  std::optional<int64_t> rank = rankOf(getX());
  if (result > 0)
    return result == 2 ? std::nullopt : std::optional<int64_t>(0);
  if (!getAxis() || !rank)
    return 0;
  return *getAxis() < 0 ? *getAxis() + *rank : *getAxis();
}

std::optional<int64_t> NonZeroOp::getDataSizedAxis(unsigned) { return 1; }

LogicalResult NonZeroOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectReasonableSize(*this, mostPlaces(getX())))) // nonzero_c1
    return failure();
  std::optional<int64_t> rank = rankOf(getX());
  Dim count = Dim::unknown();
  if (std::optional<KnownTensor> known = getKnownValue(getX()); known && known->isFullyKnown())
    count = Dim(llvm::count_if(known->elements, [](const Number &number) {
      return number.real ? *number.real != 0 : number.integer.getSize() != 0;
    }));
  types.push_back(makeTensorType({rank ? Dim(*rank) : Dim::unknown(), count}, IntegerType::get(getContext(), 64)));
  return success();
}

LogicalResult NonZeroOp::evaluate(Operands operands, Results &results) {
  if (!operands[0] || !operands[0]->isFullyKnown())
    return failure();
  const KnownTensor &x = *operands[0];
  SmallVector<int64_t> places;
  for (auto [place, number] : llvm::enumerate(x.elements))
    if (number.real ? *number.real != 0 : number.integer.getSize() != 0)
      places.push_back(place);
  int64_t count = places.size();
  if (x.rank() * count > kMaxKnownElements)
    return failure();
  KnownTensor result{{x.rank(), count}, IntegerType::get(getContext(), 64), {}};
  for (auto [size, stride] : llvm::zip(x.shape, rowMajorStrides(x.shape)))
    for (int64_t place : places)
      result.elements.push_back(Number::of(Dim(place / stride % size)));
  results.push_back(std::move(result));
  return success();
}

//===- ReverseSequence, NonMaxSuppression ----------------------------------===//

LogicalResult ReverseSequenceOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  int64_t time = getTimeAxis(), batch = getBatchAxis();
  if ((time != 0 && time != 1) || batch != 1 - time) // reversesequence_c1
    return emitOpError() << "expected 'time_axis' and 'batch_axis' to be 0 and 1, or 1 and 0, got " << time << " and "
                         << batch;
  if (failed(expectRank(*this, 0, 2)) /*reversesequence_c2*/ || failed(expectRank(*this, 1, 1, 1)))
    return failure();
  std::optional<DimList> dims = getDims(getInput());
  if (dims && failed(expectDim(*this, sizes, 1, 0, (*dims)[batch], "the batch"))) // reversesequence_c3
    return failure();
  likeOperand(*this, 0, types);
  return success();
}

LogicalResult NonMaxSuppressionOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 3, 3)) || failed(expectRank(*this, 1, 3, 3)) /*nonmaxsuppression_c1*/ ||
      failed(expectDim(*this, sizes, 0, 2, Dim(4), "corners of a box"))) // nonmaxsuppression_c2
    return failure();
  if (std::optional<DimList> boxes = getDims(getBoxes()))
    if (failed(expectDim(*this, sizes, 1, 0, (*boxes)[0], "batch of the boxes")) ||
        failed(expectDim(*this, sizes, 1, 2, (*boxes)[1], "number of boxes"))) // nonmaxsuppression_c3
      return failure();
  for (unsigned operand : {2, 3, 4})
    if (failed(expectScalar(*this, sizes, operand))) // nonmaxsuppression_c4
      return failure();
  if (failed(expectReasonableSize(*this, mostBoxes(getScores(), getMaxOutputBoxesPerClass())))) // nonmaxsuppression_c5
    return failure();
  types.push_back(makeTensorType({Dim::unknown(), Dim(3)}, IntegerType::get(getContext(), 64)));
  return success();
}

std::optional<int64_t> NonMaxSuppressionOp::getDataSizedAxis(unsigned) { return 0; }
