#include "frontend/Import/Graph/GrowingValues.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;
using namespace cameo;
using cameo::onnx::DimList;

SmallVector<GrowingValue> GrowingValues::find(ArrayRef<Value> before, ArrayRef<Value> after) {
  SmallVector<GrowingValue> values;
  for (auto [number, first, next] : llvm::enumerate(before, after)) {
    if (first.getType() == next.getType())
      continue;
    auto from = dyn_cast<RankedTensorType>(first.getType()), to = dyn_cast<RankedTensorType>(next.getType());
    if (!from || !to || from.getElementType() != to.getElementType() || from.getRank() != to.getRank())
      return {};
    DimList sizes = *cameo::onnx::getDims(first), longer = *cameo::onnx::getDims(next);
    int64_t axis = 0, rank = from.getRank();
    while (axis < rank && sizes[axis] == longer[axis])
      ++axis;
    Dim step = axis < rank ? longer[axis] - sizes[axis] : Dim::unknown();
    if (!step.isStatic() || step.getSize() <= 0 ||
        !llvm::equal(ArrayRef(sizes).drop_front(axis + 1), ArrayRef(longer).drop_front(axis + 1)))
      return {};
    values.push_back({static_cast<unsigned>(number), axis, step.getSize(), sizes[axis], {}});
  }
  return values;
}

LogicalResult GrowingValues::makeRoom(MutableArrayRef<Value> carried) {
  for (GrowingValue &value : values) {
    value.firstSize = w.sizeOf(carried[value.number], value.axis);
    carried[value.number] =
        w.lengthen(carried[value.number], value.axis, w.make("Mul", {tripCount, w.scalar(value.step)}));
  }
  return result();
}

LogicalResult GrowingValues::takeFronts(MutableArrayRef<Value> carried, Value count, StringRef name) {
  Value numbers = w.make("Range", {w.scalar(0), tripCount, w.scalar(1)});
  if (!numbers)
    return failure();
  Type type = cameo::onnx::makeTensorType({Dim::named(draft.builder.getStringAttr(name))}, w.i64());
  Value prefix = cameo::onnx::PrefixOp::create(draft.builder, draft.loc, TypeRange(type), {numbers, count},
                                               ArrayRef<NamedAttribute>{});
  Value valid = w.sizeOf(prefix, 0);
  fronts.clear();
  for (const GrowingValue &value : values) {
    Value end = w.make("Add", {value.firstSize, w.make("Mul", {valid, w.scalar(value.step)})});
    SmallVector<Value> bounds = {carried[value.number], w.ints(0), w.make("Reshape", {end, w.ints(1)}),
                                 w.ints(value.axis)};
    carried[value.number] = w.make("Slice", bounds);
    fronts.push_back(carried[value.number]);
  }
  return result();
}

LogicalResult GrowingValues::fillUp(MutableArrayRef<Value> carried) {
  for (auto [value, front] : llvm::zip_equal(values, fronts)) {
    Value &next = carried[value.number];
    std::optional<DimList> dims = cameo::onnx::getDims(front);
    (*dims)[value.axis] = (*dims)[value.axis] + Dim(value.step);
    if (next.getType() != cameo::onnx::makeTensorType(*dims, w.elementOf(front)))
      return emitError(draft.loc)
             << "values that grow by different amounts in different iterations are not supported in a loop of many "
                "iterations, or of a number of iterations known only at run time, got "
             << value.step << " in the first iteration, and in others " << front.getType() << " and then "
             << next.getType() << "; --constant NAME=NUMBERS fixes an input";
    // Pad to the size after the last iteration.
    Value whole = w.make("Add", {value.firstSize, w.make("Mul", {tripCount, w.scalar(value.step)})});
    next = w.lengthen(next, value.axis, w.make("Sub", {whole, w.sizeOf(next, value.axis)}));
  }
  return result();
}
