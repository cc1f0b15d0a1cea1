// Imports operators on sequences and optional values. A sequence is a list of values, which operators rearrange during
// import. An optional value is the value itself, or absent. A run may decide the length and the presence,
// RunSequence.h.
#include "frontend/Import/Graph/GraphImporter.h"
#include "frontend/Import/Graph/GuardValue.h"
#include "frontend/Import/Graph/OperationMaker.h"
#include "frontend/Import/Graph/RunPosition.h"
#include "frontend/Import/Graph/RunSequence.h"
#include "frontend/Import/Versions/NodeDraft.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

namespace {

using Values = SmallVector<Value>;

/// Largest number of parts of a split.
constexpr int64_t kMaxParts = 1 << 16;

class SequenceOperator {
public:
  /// Adds to the number of imported operations. Fails if that exceeds a limit, see GraphImporter::countNodes.
  using NodeCount = llvm::function_ref<LogicalResult(unsigned nodes)>;
  /// Replaces the result of a Slice whose size data decides, see countDataSizes.
  using CountPart = llvm::function_ref<FailureOr<Value>(Value part)>;
  /// Whether a condition holds in the current branch.
  using Holds = llvm::function_ref<bool(Value condition)>;

  SequenceOperator(NodeDraft &draft, const ::onnx::NodeProto &node, ArrayRef<Value> operands, NodeCount countNodes,
                   RunPosition::NameSize nameSize, CountPart countPart, Holds holds)
      : draft(draft), builder(draft.builder), loc(draft.loc), node(node), operands(operands), maker(builder, loc),
        countNodes(countNodes), nameSize(nameSize), countPart(countPart), holds(holds) {}

  FailureOr<Value> run();

private:
  int64_t getInt(StringRef name, int64_t absent) const {
    for (const ::onnx::AttributeProto &attribute : node.attribute())
      if (attribute.name() == name)
        return attribute.i();
    return absent;
  }
  FailureOr<int64_t> readPosition(int64_t position, int64_t count);
  FailureOr<RunPosition> makePosition(Value value, const RunSequence &sequence, bool mayBeBehind = false);
  /// Returns a position that the node states and inference knows.
  std::optional<int64_t> getKnownPosition(unsigned operand) const {
    return operands.size() > operand && !cameo::onnx::isAbsent(operands[operand]) ? getKnownScalar(operands[operand])
                                                                                  : std::nullopt;
  }
  bool hasPosition(unsigned operand) const {
    return operands.size() > operand && !cameo::onnx::isAbsent(operands[operand]);
  }
  FailureOr<Value> makeSequence(const RunSequence &sequence, int64_t added);
  FailureOr<Value> insert(RunSequence sequence);
  FailureOr<Value> erase(RunSequence sequence);
  FailureOr<Value> take(const RunSequence &sequence);
  FailureOr<Value> concat(const RunSequence &sequence);
  FailureOr<Value> countSlices(const SliceSequence &slices);
  FailureOr<Value> takeSlice(const SliceSequence &slices);
  FailureOr<Value> takePart(const SliceSequence &slices, Value position, Value count);
  FailureOr<Value> takeAt(const SliceSequence &slices, Value position, Value count);
  FailureOr<Value> concatSlices(const SliceSequence &slices);
  FailureOr<Value> splitInto(Value sizes, int64_t count, int64_t axis, bool keepsAxis);
  FailureOr<Value> split();
  FailureOr<Value> guard(Value value, Value isPresent);
  FailureOr<Value> runOptional();

  NodeDraft &draft;
  OpBuilder &builder;
  Location loc;
  const ::onnx::NodeProto &node;
  ArrayRef<Value> operands;
  OperationMaker maker;
  NodeCount countNodes;
  RunPosition::NameSize nameSize;
  CountPart countPart;
  Holds holds;
};

/// Returns a position in [0, count) from one that may count from the end. Fails after an error if it is out of range.
FailureOr<int64_t> SequenceOperator::readPosition(int64_t position, int64_t count) {
  if (position < -count || position >= count)
    return emitError(loc) << "expected a position in [" << -count << ", " << count - 1 << "], got " << position;
  return position < 0 ? position + count : position;
}

/// Returns a position that is known only at run time.
FailureOr<RunPosition> SequenceOperator::makePosition(Value value, const RunSequence &sequence, bool mayBeBehind) {
  if (failed(countNodes(sequence.elements.size())))
    return failure();
  return RunPosition::create(draft, value, sequence.length, mayBeBehind, nameSize);
}

/// Returns the sequence, which is longer by `added` elements than its length says.
FailureOr<Value> SequenceOperator::makeSequence(const RunSequence &sequence, int64_t added) {
  if (getKnownScalar(sequence.length))
    return maker.sequence(sequence.elements);
  FailureOr<Value> length = maker.make("Add", {sequence.length, maker.scalar(added)});
  return failed(length) ? length : makeRunSequence(builder, loc, {sequence.elements, *length});
}

FailureOr<Value> SequenceOperator::insert(RunSequence sequence) {
  int64_t count = sequence.elements.size(), place = count;
  std::optional<int64_t> length = getKnownScalar(sequence.length), stated = getKnownPosition(2);
  if (!length || (hasPosition(2) && !stated)) {
    FailureOr<RunPosition> position = hasPosition(2) ? makePosition(operands[2], sequence, /*mayBeBehind=*/true)
                                                     : RunPosition::of(draft, sequence.length, nameSize);
    FailureOr<Values> inserted =
        failed(position) ? FailureOr<Values>(failure()) : position->insert(sequence.elements, operands[1]);
    return failed(inserted) ? FailureOr<Value>(failure()) : makeSequence({*inserted, sequence.length}, 1);
  }
  // The position after the last element is valid too, but cannot be written as a negative number.
  if (stated && *stated != count) {
    FailureOr<int64_t> position = readPosition(*stated, count);
    if (failed(position))
      return failure();
    place = *position;
  }
  sequence.elements.insert(sequence.elements.begin() + place, operands[1]);
  return makeSequence(sequence, 1);
}

FailureOr<Value> SequenceOperator::erase(RunSequence sequence) {
  if (sequence.elements.empty())
    return emitError(loc) << "expected a sequence with elements, got an empty one";
  std::optional<int64_t> length = getKnownScalar(sequence.length), stated = getKnownPosition(1);
  if (!length || (hasPosition(1) && !stated)) {
    FailureOr<RunPosition> position = makePosition(hasPosition(1) ? operands[1] : maker.scalar(-1), sequence);
    if (failed(position))
      return failure();
    // The position of the last element is the new length, which is how a run checks it.
    if (!hasPosition(1) || sequence.elements.size() == 1) {
      sequence.elements.pop_back();
      return makeSequence({sequence.elements, position->getNumber()}, 0);
    }
    FailureOr<Values> left = position->erase(sequence.elements);
    return failed(left) ? FailureOr<Value>(failure()) : makeSequence({*left, sequence.length}, -1);
  }
  FailureOr<int64_t> place = readPosition(stated.value_or(-1), sequence.elements.size());
  if (failed(place))
    return failure();
  sequence.elements.erase(sequence.elements.begin() + *place);
  return makeSequence(sequence, -1);
}

/// Returns the element at a position. If the position is known only at run time, elements of one type are stacked, and
/// of others a run takes one.
FailureOr<Value> SequenceOperator::take(const RunSequence &sequence) {
  ArrayRef<Value> elements = sequence.elements;
  if (elements.empty())
    return emitError(loc) << "expected a sequence with elements, got an empty one";
  if (std::optional<int64_t> stated = getKnownScalar(operands[1]); stated && getKnownScalar(sequence.length)) {
    FailureOr<int64_t> position = readPosition(*stated, elements.size());
    return failed(position) ? FailureOr<Value>(failure()) : elements[*position];
  }
  FailureOr<RunPosition> position = makePosition(operands[1], sequence);
  if (failed(position))
    return failure();
  bool isAlike = isa<RankedTensorType>(elements[0].getType()) &&
                 llvm::all_of(elements, [&](Value element) { return element.getType() == elements[0].getType(); });
  if (!isAlike)
    return position->take(elements);
  FailureOr<Value> all = maker.stack(elements, elements[0].getType(), 0);
  return failed(all) ? all : maker.make("Gather", {*all, position->getNumber()}, maker.axis(0));
}

FailureOr<Value> SequenceOperator::concat(const RunSequence &sequence) {
  if (sequence.elements.empty())
    return emitError(loc) << "expected a sequence with elements, got an empty one";
  int64_t axis = getInt("axis", 0);
  bool isCounted = !getKnownScalar(sequence.length);
  if (isCounted && failed(countNodes(sequence.elements.size())))
    return failure();
  if (!getInt("new_axis", 0)) {
    FailureOr<Values> elements =
        isCounted ? RunPosition::of(draft, sequence.length, nameSize).cut(sequence.elements, axis) : sequence.elements;
    return failed(elements) ? FailureOr<Value>(failure()) : maker.make("Concat", *elements, maker.axis(axis));
  }
  FailureOr<Value> all = maker.stack(sequence.elements, sequence.elements[0].getType(), isCounted ? 0 : axis);
  std::optional<cameo::onnx::DimList> dims = succeeded(all) ? cameo::onnx::getDims(*all) : std::nullopt;
  if (failed(all) || !isCounted || !dims)
    return all;
  dims->front() = cameo::Dim::named(builder.getStringAttr(nameSize(axis)));
  Type type = cameo::onnx::makeTensorType(*dims, cast<TensorType>(all->getType()).getElementType());
  Value front =
      cameo::onnx::PrefixOp::create(builder, loc, TypeRange(type), {*all, sequence.length}, ArrayRef<NamedAttribute>{});
  return concatSlices(SliceSequence{front, /*axis=*/0, /*keepsAxis=*/false, Value()});
}

FailureOr<Value> SequenceOperator::countSlices(const SliceSequence &slices) {
  auto sizeOf = [&](Value value, int64_t axis) -> FailureOr<Value> {
    SmallVector<NamedAttribute> range = {builder.getNamedAttr("start", builder.getI64IntegerAttr(axis)),
                                         builder.getNamedAttr("end", builder.getI64IntegerAttr(axis + 1))};
    FailureOr<Value> size = maker.make("Shape", {value}, range);
    return failed(size) ? size : maker.make("Reshape", {*size, maker.ints({})});
  };
  if (slices.sizes && cast<RankedTensorType>(slices.sizes.getType()).getRank() == 1)
    return sizeOf(slices.sizes, 0);
  FailureOr<Value> size = sizeOf(slices.data, slices.axis);
  if (!slices.sizes || failed(size))
    return size;
  FailureOr<Value> most = maker.make("Add", {*size, slices.sizes}),
                   last = failed(most) ? most : maker.make("Sub", {*most, maker.scalar(1)}),
                   part = maker.make("Max", {slices.sizes, maker.scalar(1)});
  if (failed(last) || failed(part))
    return failure();
  FailureOr<Value> count = maker.make("Div", {*last, *part});
  return failed(count) ? count : maker.make("Min", {*count, *size}); // which bounds loops over the parts
}

/// Returns the element at a position, which may count from the last one. Runs without such an element end.
FailureOr<Value> SequenceOperator::takeSlice(const SliceSequence &slices) {
  FailureOr<Value> count = countSlices(slices);
  if (failed(count))
    return failure();
  std::optional<int64_t> known = getKnownScalar(operands[1]);
  if (!known) {
    FailureOr<RunPosition> position = RunPosition::create(draft, operands[1], *count, /*mayBeBehind=*/false, nameSize);
    return failed(position) ? FailureOr<Value>(failure()) : takeAt(slices, position->getNumber(), *count);
  }
  // The element is checked instead of the position, so that the size of the element still follows from the position.
  Value isInside = RunPosition::isInside(draft, maker.scalar(*known), *count, /*mayBeBehind=*/false);
  if (!isInside)
    return failure();
  FailureOr<Value> element = takeAt(slices, maker.scalar(*known), *count);
  if (failed(element) || getKnownScalar(isInside).value_or(0) != 0)
    return element;
  return guardValue(draft, *element, isInside, /*required=*/true, nameSize(RunPosition::kNoAxis));
}

FailureOr<Value> SequenceOperator::takeAt(const SliceSequence &slices, Value position, Value count) {
  if (slices.sizes)
    return takePart(slices, position, count);
  FailureOr<Value> place = slices.keepsAxis ? maker.make("Reshape", {position, maker.ints({1})}) : position;
  return failed(place) ? place : maker.make("Gather", {slices.data, *place}, maker.axis(slices.axis));
}

/// Returns the part at a position. A part of equal ones ends where the data ends.
FailureOr<Value> SequenceOperator::takePart(const SliceSequence &slices, Value position, Value count) {
  auto make = [&](StringRef type, ArrayRef<FailureOr<Value>> made,
                  ArrayRef<NamedAttribute> attributes = {}) -> FailureOr<Value> {
    if (llvm::any_of(made, [](const FailureOr<Value> &value) { return failed(value); }))
      return failure();
    return maker.make(type, llvm::map_to_vector(made, [](const FailureOr<Value> &value) { return *value; }),
                      attributes);
  };
  Value one = maker.ints({1}), zero = maker.scalar(0);
  FailureOr<Value> start, end;
  if (cast<RankedTensorType>(slices.sizes.getType()).getRank() == 1) {
    end = make("Gather", {make("CumSum", {slices.sizes, zero}), position}, maker.axis(0));
    start = make("Sub", {end, make("Gather", {slices.sizes, position}, maker.axis(0))});
  } else {
    FailureOr<Value> fromLast = make("Add", {position, count});
    FailureOr<Value> number = make("Where", {make("Less", {position, zero}), fromLast, position});
    SmallVector<NamedAttribute> range = {builder.getNamedAttr("start", builder.getI64IntegerAttr(slices.axis)),
                                         builder.getNamedAttr("end", builder.getI64IntegerAttr(slices.axis + 1))};
    start = make("Mul", {number, slices.sizes});
    end = make("Min", {make("Add", {start, slices.sizes}), make("Shape", {slices.data}, range)});
  }
  FailureOr<Value> part = make(
      "Slice", {slices.data, make("Reshape", {start, one}), make("Reshape", {end, one}), maker.ints({slices.axis})});
  return failed(part) ? part : countPart(*part);
}

/// Concatenates or stacks slices whose number is dynamic. Fails after an error for slices that keep their axis and
/// would be joined along another one, because no operator computes this.
FailureOr<Value> SequenceOperator::concatSlices(const SliceSequence &slices) {
  auto type = dyn_cast<RankedTensorType>(slices.data.getType());
  if (!type)
    return emitError(loc) << "expected slices of known rank, got " << slices.data.getType();
  int64_t rank = type.getRank(), axis = getInt("axis", 0);
  bool isNew = getInt("new_axis", 0) != 0;
  int64_t places = rank - (slices.keepsAxis ? 0 : 1) + (isNew ? 1 : 0);
  if (axis < -places || axis >= places)
    return emitError(loc) << "expected 'axis' in [" << -places << ", " << places - 1 << "], got " << axis;
  axis = axis < 0 ? axis + places : axis;
  if (slices.keepsAxis) {
    if (isNew || axis != slices.axis)
      return emitError(loc) << "slices whose number is known only at run time can be joined only along their axis";
    return slices.data;
  }
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  order.erase(order.begin() + slices.axis);
  order.insert(order.begin() + axis, slices.axis);
  FailureOr<Value> moved = slices.data;
  if (axis != slices.axis)
    moved = maker.make("Transpose", {slices.data}, builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(order)));
  if (isNew || failed(moved))
    return moved;
  // The number of slices and their size along the axis become one dimension.
  auto sizes = [&](int64_t start, int64_t end) {
    return maker.make("Shape", {*moved},
                      {builder.getNamedAttr("start", builder.getI64IntegerAttr(start)),
                       builder.getNamedAttr("end", builder.getI64IntegerAttr(end))});
  };
  FailureOr<Value> before = sizes(0, axis), count = sizes(axis, axis + 1), size = sizes(axis + 1, axis + 2),
                   after = sizes(axis + 2, rank);
  if (failed(before) || failed(count) || failed(size) || failed(after))
    return failure();
  FailureOr<Value> joint = maker.make("Mul", {*count, *size});
  FailureOr<Value> shape = failed(joint) ? joint : maker.make("Concat", {*before, *joint, *after}, maker.axis(0));
  return failed(shape) ? shape : maker.make("Reshape", {*moved, *shape});
}

/// Splits the first operand into `count` parts of `sizes` along an axis. If the sizes are known only at run time, so
/// are the shapes of the parts, and only their number is usable.
FailureOr<Value> SequenceOperator::splitInto(Value sizes, int64_t count, int64_t axis, bool keepsAxis) {
  if (count == 0)
    return maker.sequence(ArrayRef<Value>());
  // Importing sixteen results of one operation takes as long as importing one node.
  if (failed(countNodes(keepsAxis ? count / 16 : count)))
    return failure();
  FailureOr<Operation *> op =
      createOnnxOperation(builder, loc, "Split", {operands[0], sizes}, builder.getDictionaryAttr(maker.axis(axis)),
                          SmallVector<bool>(count, true));
  if (failed(op))
    return failure();
  Values elements((*op)->getResults());
  if (!keepsAxis)
    for (Value &element : elements) {
      FailureOr<Value> squeezed = maker.make("Squeeze", {element, maker.ints({axis})});
      if (failed(squeezed))
        return failure();
      element = *squeezed;
    }
  return maker.sequence(elements);
}

/// Imports SplitToSequence. The sizes of the parts are a list, or one size for all parts but the last, or 1 if none is
/// stated.
FailureOr<Value> SequenceOperator::split() {
  std::optional<cameo::onnx::DimList> dims = cameo::onnx::getDims(operands[0]);
  int64_t axis = getInt("axis", 0), rank = dims ? dims->size() : 0;
  if (dims && (axis < -rank || axis >= rank))
    return emitError(loc) << "expected 'axis' in [" << -rank << ", " << rank - 1 << "], got " << axis;
  axis = axis < 0 ? axis + rank : axis;
  cameo::Dim size = dims ? (*dims)[axis] : cameo::Dim::unknown();
  bool isStated = operands.size() > 1 && !cameo::onnx::isAbsent(operands[1]),
       keepsAxis = isStated || getInt("keepdims", 1) != 0;
  auto type = isStated ? dyn_cast<RankedTensorType>(operands[1].getType()) : RankedTensorType();
  std::optional<SmallVector<int64_t>> stated =
      isStated ? cameo::onnx::getKnownInts(operands[1]) : SmallVector<int64_t>(1, 1);
  bool isOneSize = !isStated || (type && type.getRank() == 0 && stated);
  if (dims && !size.isStatic() && isOneSize && stated->front() == 1)
    return maker.sequence(SliceSequence{operands[0], axis, keepsAxis, Value()});
  if (type && type.getRank() == 1 && !type.isDynamicDim(0) && type.getDimSize(0) <= kMaxParts)
    return splitInto(operands[1], type.getDimSize(0), axis, keepsAxis);
  if (!size.isStatic() || !stated || stated->size() != 1) {
    if (!dims || !type || type.getRank() > 1)
      return emitError(loc) << "expected data of known rank and a scalar or a vector of sizes of parts";
    FailureOr<Value> sizes = maker.make(
        "Cast", {operands[1]}, builder.getNamedAttr("to", builder.getI64IntegerAttr(::onnx::TensorProto::INT64)));
    return failed(sizes) ? sizes
                         : FailureOr<Value>(maker.sequence(SliceSequence{operands[0], axis, keepsAxis, *sizes}));
  }
  int64_t part = stated->front();
  if (part < 1 || size.getSize() / part > kMaxParts)
    return emitError(loc) << "expected parts of a size of 1 or more, at most 65536 of them, got size " << part << " of "
                          << size.getSize();
  SmallVector<int64_t> parts(size.getSize() / part, part);
  if (size.getSize() % part != 0)
    parts.push_back(size.getSize() % part);
  return splitInto(maker.ints(parts), parts.size(), axis, keepsAxis);
}

/// Returns the value; runs in which it is absent end.
FailureOr<Value> SequenceOperator::guard(Value value, Value isPresent) {
  auto each = [&](Value part) {
    return guardValue(draft, part, isPresent, /*required=*/true, nameSize(RunPosition::kNoAxis));
  };
  if (std::optional<Values> elements = getSequenceElements(value)) {
    for (Value &element : *elements) {
      FailureOr<Value> guarded = each(element);
      if (failed(guarded))
        return failure();
      element = *guarded;
    }
    return maker.sequence(*elements);
  }
  if (std::optional<RunSequence> sequence = getRunSequence(value)) {
    FailureOr<Value> length = each(sequence->length);
    return failed(length) ? length : makeRunSequence(builder, loc, {sequence->elements, *length});
  }
  if (std::optional<SliceSequence> slices = getSliceSequence(value)) {
    FailureOr<Value> data = each(slices->data);
    return failed(data) ? data : maker.sequence(SliceSequence{*data, slices->axis, slices->keepsAxis, slices->sizes});
  }
  return each(value);
}

FailureOr<Value> SequenceOperator::runOptional() {
  bool hasElement = !operands.empty() && !cameo::onnx::isAbsent(operands[0]);
  std::optional<RunOptional> optional = hasElement ? getRunOptional(operands[0]) : std::nullopt;
  if (node.op_type() == "OptionalHasElement")
    return optional ? optional->isPresent : maker.boolean(hasElement);
  if (optional && node.op_type() == "OptionalGetElement")
    return holds(optional->isPresent) ? optional->value : guard(optional->value, optional->isPresent);
  if (hasElement)
    return operands[0];
  if (node.op_type() == "Optional")
    return cameo::onnx::makeNone(builder, loc);
  return emitError(loc) << "expected an optional with a value, got an empty one";
}

FailureOr<Value> SequenceOperator::run() {
  StringRef type = node.op_type();
  if (type.starts_with("Optional"))
    return runOptional();
  if (type == "SequenceEmpty" || type == "SequenceConstruct")
    return maker.sequence(operands);
  if (operands.empty())
    return emitError(loc) << "expected inputs, got none";
  if (type == "SplitToSequence")
    return split();
  std::optional<SliceSequence> slices = getSliceSequence(operands[0]);
  if (slices && type == "SequenceLength")
    return countSlices(*slices);
  if (slices && type == "SequenceAt" && operands.size() > 1)
    return takeSlice(*slices);
  if (slices && type == "ConcatFromSequence")
    return concatSlices(*slices);
  std::optional<RunSequence> sequence = getRunSequence(operands[0]);
  if (std::optional<Values> elements = getSequenceElements(operands[0]))
    sequence = RunSequence{*elements, maker.scalar(elements->size())};
  bool takesPosition = type == "SequenceAt" || type == "SequenceInsert";
  if (!sequence || (takesPosition && operands.size() < 2))
    return emitError(loc) << "expected a sequence" << (takesPosition ? " and another input" : "")
                          << (slices ? ", got slices whose number is known only at run time" : "");
  if (type == "SequenceInsert")
    return insert(*sequence);
  if (type == "SequenceErase")
    return erase(*sequence);
  if (type == "SequenceAt")
    return take(*sequence);
  if (type == "SequenceLength")
    return sequence->length;
  return concat(*sequence);
}

} // namespace

LogicalResult GraphImporter::importSequenceOperator(const ::onnx::NodeProto &node, Location loc, Scope &scope) {
  Values operands;
  for (const std::string &name : node.input()) {
    FailureOr<Value> operand = getOperand(name, loc, scope);
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
  }
  if (node.output_size() != 1)
    return emitError(loc) << "expected 1 output, got " << node.output_size();
  NodeDraft draft{builder, loc, node.op_type(), 0, {}, {}, {}, {}};
  auto count = [&](unsigned nodes) { return countNodes(nodes, loc); };
  auto name = [&](int64_t axis) { return nameSize(node.output(0), axis, scope); };
  auto countPart = [&](Value part) { return countSizes(draft, part, node.output(0), scope); };
  auto holds = [&](Value condition) { return findCase(condition).value_or(false); };
  FailureOr<Value> result = SequenceOperator(draft, node, operands, count, name, countPart, holds).run();
  return failed(result) ? failure() : bindOutput(node.output(0), *result, loc, scope);
}
