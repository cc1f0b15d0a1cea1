#include "frontend/Import/Graph/BranchChoice.h"

#include "frontend/Import/Graph/OperationMaker.h"
#include "frontend/Import/Graph/RunSequence.h"

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
  auto isOptional = [](Value value) { return cameo::onnx::isAbsent(value) || getRunOptional(value); };
  if (isOptional(whenTrue) || isOptional(whenFalse))
    return chooseOptional(output, whenTrue, whenFalse);
  if (isa<TupleType>(whenTrue.getType()) || isa<TupleType>(whenFalse.getType()))
    return chooseSequence(output, whenTrue, whenFalse);
  return chooseTensor(output, whenTrue, whenFalse);
}

/// Returns the sequence with its length as a value, unless it consists of slices.
static std::optional<RunSequence> toRunSequence(Value value, OperationMaker &maker) {
  if (std::optional<SmallVector<Value>> elements = getSequenceElements(value))
    return RunSequence{*elements, maker.scalar(elements->size())};
  return getRunSequence(value);
}

FailureOr<Value> BranchChoice::chooseSequence(unsigned output, Value whenTrue, Value whenFalse) {
  OperationMaker maker(draft.builder, draft.loc);
  std::optional<SliceSequence> slices = getSliceSequence(whenTrue), others = getSliceSequence(whenFalse);
  if (slices && others && !slices->sizes && !others->sizes && slices->axis == others->axis &&
      slices->keepsAxis == others->keepsAxis) {
    FailureOr<Value> data = chooseTensor(output, slices->data, others->data);
    return failed(data) ? data : maker.sequence(SliceSequence{*data, slices->axis, slices->keepsAxis, Value()});
  }
  std::optional<RunSequence> first = toRunSequence(whenTrue, maker), second = toRunSequence(whenFalse, maker);
  if (!first || !second)
    return emitError(draft.loc)
           << "sequences that a condition known only at run time decides are supported if both are "
              "lists of elements or both are slices along one axis";
  size_t firstCount = first->elements.size(), secondCount = second->elements.size();
  SmallVector<Value> chosen;
  for (size_t place = 0; place < std::max(firstCount, secondCount); ++place) {
    FailureOr<Value> element = place >= secondCount  ? keepOne(output, first->elements[place], /*isTrue=*/true)
                               : place >= firstCount ? keepOne(output, second->elements[place], /*isTrue=*/false)
                                                     : choose(output, first->elements[place], second->elements[place]);
    if (failed(element))
      return failure();
    chosen.push_back(*element);
  }
  std::optional<int64_t> firstLength = getKnownScalar(first->length), secondLength = getKnownScalar(second->length);
  if (firstLength && firstLength == secondLength)
    return maker.sequence(chosen);
  Value length = chooseScalar(first->length, second->length);
  if (!length)
    return failure();
  return makeRunSequence(draft.builder, draft.loc, {chosen, length});
}

FailureOr<Value> BranchChoice::chooseOptional(unsigned output, Value whenTrue, Value whenFalse) {
  OperationMaker maker(draft.builder, draft.loc);
  auto split = [&](Value value) {
    if (std::optional<RunOptional> optional = getRunOptional(value))
      return *optional;
    bool isAbsent = cameo::onnx::isAbsent(value);
    return RunOptional{isAbsent ? Value() : value, maker.boolean(!isAbsent)};
  };
  RunOptional first = split(whenTrue), second = split(whenFalse);
  FailureOr<Value> value = !second.value  ? keepOne(output, first.value, /*isTrue=*/true)
                           : !first.value ? keepOne(output, second.value, /*isTrue=*/false)
                                          : choose(output, first.value, second.value);
  Value isPresent = chooseScalar(first.isPresent, second.isPresent);
  if (failed(value) || !isPresent)
    return failure();
  return makeRunOptional(draft.builder, draft.loc, {*value, isPresent});
}

FailureOr<Value> BranchChoice::keepOne(unsigned output, Value value, bool isTrue) {
  OperationMaker maker(draft.builder, draft.loc);
  if (std::optional<RunSequence> sequence = toRunSequence(value, maker)) {
    for (Value &element : sequence->elements) {
      FailureOr<Value> kept = keepOne(output, element, isTrue);
      if (failed(kept))
        return failure();
      element = *kept;
    }
    return getSequenceElements(value) ? maker.sequence(sequence->elements)
                                      : makeRunSequence(draft.builder, draft.loc, *sequence);
  }
  if (isa<TupleType>(value.getType()))
    return chooseSequence(output, value, maker.sequence(ArrayRef<Value>())); // emits the error
  Type element = w.elementOf(value);
  auto scalar = RankedTensorType::get({}, element);
  bool isString = isa<cameo::onnx::StringType>(element);
  Attribute number = draft.builder.getZeroAttr(element);
  if (!isString && !number)
    return emitError(draft.loc)
           << "expected optional values of numbers or strings, because the condition is known only "
              "at run time, got "
           << value.getType();
  Value zero = isString ? w.make("Reshape", {w.strings({""}), w.ints({})})
                        : cameo::onnx::ConstantOp::create(draft.builder, draft.loc, scalar,
                                                          DenseElementsAttr::get(scalar, ArrayRef<Attribute>(number)));
  Value zeros = w.make("Expand", {zero, w.make("Shape", value)});
  if (!zeros)
    return failure();
  return isTrue ? chooseTensor(output, value, zeros) : chooseTensor(output, zeros, value);
}

Value BranchChoice::chooseScalar(Value whenTrue, Value whenFalse) {
  if (w.hasFailed())
    return {};
  return cameo::onnx::ChooseOp::create(draft.builder, draft.loc, TypeRange(whenTrue.getType()),
                                       {condition, whenTrue, whenFalse}, ArrayRef<NamedAttribute>{});
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
