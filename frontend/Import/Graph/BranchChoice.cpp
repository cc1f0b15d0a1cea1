#include "frontend/Import/Graph/BranchChoice.h"

#include "frontend/Import/Graph/OperationMaker.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;
using namespace cameo;
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
    return emitError(draft.loc)
           << "lengths of sequences and optional values that depend on a condition known only at run "
              "time are not supported";
  return chooseTensor(output, whenTrue, whenFalse);
}

Value BranchChoice::countSize(unsigned output, int64_t axis, Value whenTrue, Value whenFalse) {
  Dim a = (*cameo::onnx::getDims(whenTrue))[axis], b = (*cameo::onnx::getDims(whenFalse))[axis];
  for (const CountedSize &size : counted)
    if (size.whenTrue == a && size.whenFalse == b)
      return size.numbers;
  Value most = w.make("Max", {w.sizeOf(whenTrue, axis), w.sizeOf(whenFalse, axis)});
  Value numbers = w.make("Range", {w.scalar(0), most, w.scalar(1)});
  Value count = w.make("Where", {condition, w.sizeOf(whenTrue, axis), w.sizeOf(whenFalse, axis)});
  if (!numbers || !count)
    return {};
  Type type = cameo::onnx::makeTensorType({Dim::named(draft.builder.getStringAttr(nameSize(output, axis)))}, w.i64());
  Value prefix = cameo::onnx::PrefixOp::create(draft.builder, draft.loc, TypeRange(type), {numbers, count},
                                               ArrayRef<NamedAttribute>{});
  counted.push_back({a, b, prefix});
  return prefix;
}

FailureOr<Value> BranchChoice::chooseTensor(unsigned output, Value whenTrue, Value whenFalse) {
  auto first = dyn_cast<RankedTensorType>(whenTrue.getType()), second = dyn_cast<RankedTensorType>(whenFalse.getType());
  auto isKnown = [](const DimList &dims) {
    return llvm::none_of(dims, [](const Dim &dim) { return dim.isUnknown(); });
  };
  bool fits =
      first && second && first.getElementType() == second.getElementType() && first.getRank() == second.getRank();
  if (fits && first != second)
    fits = isKnown(*cameo::onnx::getDims(first)) && isKnown(*cameo::onnx::getDims(second));
  if (!fits)
    return emitError(draft.loc) << "expected branches whose outputs have one type and rank, because the condition is "
                                   "known only at run time, got "
                                << whenTrue.getType() << " and " << whenFalse.getType()
                                << "; --constant NAME=NUMBERS fixes an input";
  DimList dims;
  SmallVector<Value> operands = {condition, whenTrue, whenFalse};
  for (int64_t axis = 0; axis < first.getRank(); ++axis) {
    dims.push_back((*cameo::onnx::getDims(whenTrue))[axis]);
    if (dims.back() == (*cameo::onnx::getDims(whenFalse))[axis])
      continue;
    Value count = countSize(output, axis, whenTrue, whenFalse);
    if (w.hasFailed())
      return failure();
    dims.back() = cameo::onnx::getDims(count)->front();
    operands.push_back(count);
  }
  // Values from which shapes are computed get a Where, because shape inference looks through it.
  bool isShape = first.getElementType().isSignlessInteger() && first.getRank() <= 1 && operands.size() == 3;
  Value chosen =
      isShape ? w.make("Where", operands)
              : cameo::onnx::ChooseOp::create(draft.builder, draft.loc,
                                              TypeRange(cameo::onnx::makeTensorType(dims, first.getElementType())),
                                              operands, ArrayRef<NamedAttribute>{});
  return w.hasFailed() ? FailureOr<Value>(failure()) : chosen;
}
