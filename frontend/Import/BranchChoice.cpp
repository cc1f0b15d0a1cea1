#include "frontend/Import/BranchChoice.h"

#include "frontend/Import/OperationMaker.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;
using namespace cameo;
using cameo::onnx::Dim;
using cameo::onnx::DimList;

FailureOr<Value> BranchChoice::choose(unsigned output, Value whenTrue, Value whenFalse) {
  if (w.hasFailed())
    return failure();
  if (whenTrue == whenFalse || (cameo::onnx::isAbsent(whenTrue) && cameo::onnx::isAbsent(whenFalse)))
    return whenTrue;
  std::optional<SmallVector<Value>> first = getSequenceElements(whenTrue), second = getSequenceElements(whenFalse);
  if (first && second && first->size() == second->size()) {
    SmallVector<Value> chosen;
    for (auto [a, b] : llvm::zip_equal(*first, *second)) {
      FailureOr<Value> element = choose(output, a, b);
      if (failed(element))
        return failure();
      chosen.push_back(*element);
    }
    return OperationMaker(draft.builder, draft.loc).sequence(chosen);
  }
  if (first || second || cameo::onnx::isAbsent(whenTrue) || cameo::onnx::isAbsent(whenFalse))
    return emitError(draft.loc) << "lengths of sequences and optional values that depend on a condition which only the run knows are not supported";
  return chooseTensor(output, whenTrue, whenFalse);
}

Value BranchChoice::countBelow(unsigned output, int64_t axis, Value whenTrue, Value whenFalse, Value most) {
  Dim a = (*cameo::onnx::getDims(whenTrue))[axis], b = (*cameo::onnx::getDims(whenFalse))[axis];
  for (const CountedSize &size : counted)
    if (size.whenTrue == a && size.whenFalse == b)
      return size.numbers;
  Value numbers = w.make("Range", {w.scalar(0), most, w.scalar(1)});
  Value count = w.make("Where", {condition, w.sizeOf(whenTrue, axis), w.sizeOf(whenFalse, axis)});
  if (!numbers || !count)
    return {};
  Type type = cameo::onnx::makeTensorType({Dim::named(draft.builder.getStringAttr(nameSize(output, axis)))}, w.i64());
  Value prefix = cameo::onnx::PrefixOp::create(draft.builder, draft.loc, TypeRange(type), {numbers, count}, ArrayRef<NamedAttribute>{});
  counted.push_back({a, b, prefix});
  return prefix;
}

FailureOr<Value> BranchChoice::chooseTensor(unsigned output, Value whenTrue, Value whenFalse) {
  auto first = dyn_cast<RankedTensorType>(whenTrue.getType()), second = dyn_cast<RankedTensorType>(whenFalse.getType());
  auto isKnown = [](const DimList &dims) { return llvm::none_of(dims, [](const Dim &dim) { return dim.isUnknown(); }); };
  bool fits = first && second && first.getElementType() == second.getElementType() && first.getRank() == second.getRank();
  if (fits && first != second)
    fits = isKnown(*cameo::onnx::getDims(first)) && isKnown(*cameo::onnx::getDims(second));
  if (!fits)
    return emitError(draft.loc) << "expected branches that make values of one rank, because only the run knows the condition, got " << whenTrue.getType()
                                << " and " << whenFalse.getType() << "; --constant NAME=NUMBERS fixes an input";
  SmallVector<std::pair<int64_t, Value>> sizes;
  for (int64_t axis = 0; axis < first.getRank(); ++axis) {
    if ((*cameo::onnx::getDims(whenTrue))[axis] == (*cameo::onnx::getDims(whenFalse))[axis])
      continue;
    Value most = w.make("Max", {w.sizeOf(whenTrue, axis), w.sizeOf(whenFalse, axis)});
    sizes.emplace_back(axis, countBelow(output, axis, whenTrue, whenFalse, most));
    for (Value *value : {&whenTrue, &whenFalse})
      *value = w.lengthen(*value, axis, w.make("Sub", {most, w.sizeOf(*value, axis)}));
    if (w.hasFailed())
      return failure();
  }
  Value chosen = w.make("Where", {condition, whenTrue, whenFalse});
  for (auto [axis, numbers] : sizes)
    chosen = w.make("Slice", {chosen, w.ints(0), w.make("Shape", numbers), w.ints(axis)});
  return w.hasFailed() ? FailureOr<Value>(failure()) : chosen;
}
