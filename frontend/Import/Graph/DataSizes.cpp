#include "frontend/Import/Graph/DataSizes.h"

#include "frontend/Import/Graph/GuardValue.h"
#include "frontend/Import/Graph/OperationMaker.h"
#include "frontend/Import/Graph/RunNumber.h"
#include "frontend/Import/Written/NodeWriter.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/TensorLimits.h"

using namespace mlir;
using namespace cameo;
using cameo::onnx::DimList;

namespace {

/// The request of a Slice for one axis, which is counted from the front. `number` is the position of its bounds in
/// `starts` and `ends`.
struct SliceRequest {
  int64_t number, axis, step;
};

class SizeCounter {
public:
  SizeCounter(NodeDraft &draft, const SizeStatement &statement) : draft(draft), statement(statement), w(draft) {}

  Value slice(cameo::onnx::SliceOp op);
  Value range(cameo::onnx::RangeOp op);
  bool hasFailed() const { return w.hasFailed(); }

private:
  std::optional<SmallVector<SliceRequest>> readRequests(cameo::onnx::SliceOp op) const;
  Value sliceAxis(Value data, Value starts, Value ends, const SliceRequest &request);
  Value countedSlice(Value data, Value start, Value end, const SliceRequest &request, const Dim &most);
  Value countedRange(cameo::onnx::RangeOp op, const Dim &most);

  /// Returns a Prefix of `count` rows of `data`. Its first dimension gets the name for dimension `axis` of the output.
  Value takeCounted(Value data, Value count, int64_t axis);
  /// Returns a size as a scalar; null if it cannot be computed from values of the block.
  Value makeSize(const Dim &dim);
  Value makeFactor(Attribute atom, const Dim &dim);
  Value scalar(Value number) { return w.make("Reshape", {number, w.ints({})}); }
  Value numbersBelow(Value count) { return w.make("Range", {w.scalar(0), count, w.scalar(1)}); }
  Dim knownOf(Value number) const {
    std::optional<cameo::onnx::KnownTensor> known = cameo::onnx::getKnownValue(number);
    return known && known->elements.size() == 1 ? getKnownElement({number}) : Dim::unknown();
  }
  /// Returns the stated size of an axis of the output if it is static or all its names have values; otherwise unknown.
  Dim statedSize(int64_t axis) const {
    Dim dim = statement.dims ? (*statement.dims)[axis] : Dim::unknown();
    return dim.isStatic() || statement.isGiven(dim) ? dim : Dim::unknown();
  }

  NodeDraft &draft;
  const SizeStatement &statement;
  NodeWriter w;
};

Value SizeCounter::takeCounted(Value data, Value count, int64_t axis) {
  if (!data || !count)
    return {};
  DimList dims = *cameo::onnx::getDims(data);
  dims.front() = Dim::named(draft.builder.getStringAttr(statement.nameSize(axis)));
  Type type = cameo::onnx::makeTensorType(dims, cast<TensorType>(data.getType()).getElementType());
  return cameo::onnx::PrefixOp::create(draft.builder, draft.loc, TypeRange(type), {data, count},
                                       ArrayRef<NamedAttribute>{});
}

/// Reads the size from the shape of a value in this block, or computes it as a sum of products of such sizes.
Value SizeCounter::makeSize(const Dim &dim) {
  if (dim.isStatic())
    return w.scalar(dim.getSize());
  auto find = [&](Value value) -> Value {
    for (auto [axis, size] : llvm::enumerate(cameo::onnx::getDims(value).value_or(DimList())))
      if (size == dim)
        return w.sizeOf(value, axis);
    return {};
  };
  Block &block = *draft.builder.getBlock();
  for (Value argument : block.getArguments())
    if (Value size = find(argument))
      return size;
  for (Operation &op : block)
    for (Value result : op.getResults())
      if (Value size = find(result))
        return size;
  if (dim.isUnknown())
    return {};
  Value sum = w.scalar(0);
  for (const cameo::DimTerm &term : cameo::getTerms(dim)) {
    Value product = w.scalar(term.coefficient);
    for (Attribute atom : term.getAtoms())
      product = w.make("Mul", {product, makeFactor(atom, dim)});
    sum = w.make("Add", {sum, product});
  }
  return sum;
}

/// Returns null for a quotient or a real number, and for a name that is the whole dimension, because makeSize has found
/// no value with this dimension.
Value SizeCounter::makeFactor(Attribute atom, const Dim &dim) {
  if (auto minimum = dyn_cast<cameo::DimMinAttr>(atom))
    return w.make("Min", {makeSize(minimum.getDim()), w.scalar(0)});
  return isa<cameo::DimQuotientAttr, cameo::DimFloorAttr>(atom) || Dim::atom(atom) == dim ? Value()
                                                                                          : makeSize(Dim::atom(atom));
}

//===- Slice ---------------------------------------------------------------===//

/// Returns the requests of a Slice in the order of `starts`. Returns nothing if axes or steps are not constant, or if
/// the lists do not match each other or the rank, which the verifier reports.
std::optional<SmallVector<SliceRequest>> SizeCounter::readRequests(cameo::onnx::SliceOp op) const {
  std::optional<DimList> dims = cameo::onnx::getDims(op.getData()), starts = cameo::onnx::getDims(op.getStarts());
  if (!dims || !starts || starts->size() != 1 || !starts->front().isStatic() ||
      starts != cameo::onnx::getDims(op.getEnds()) || starts->front().getSize() > std::ssize(*dims))
    return std::nullopt;
  int64_t count = starts->front().getSize();
  std::optional<SmallVector<int64_t>> axes = llvm::to_vector(llvm::seq<int64_t>(0, count)),
                                      steps = SmallVector<int64_t>(count, 1);
  if (!cameo::onnx::isAbsent(op.getAxes()))
    axes = cameo::onnx::getKnownInts(op.getAxes());
  if (!cameo::onnx::isAbsent(op.getSteps()))
    steps = cameo::onnx::getKnownInts(op.getSteps());
  if (!axes || !steps || std::ssize(*axes) != count || std::ssize(*steps) != count)
    return std::nullopt;
  SmallVector<SliceRequest> requests;
  for (auto [number, axis, step] : llvm::zip_equal(llvm::seq<int64_t>(0, count), *axes, *steps)) {
    int64_t fromFront = axis < 0 ? axis + std::ssize(*dims) : axis;
    bool isTaken = llvm::any_of(requests, [&](const SliceRequest &other) { return other.axis == fromFront; });
    if (fromFront < 0 || fromFront >= std::ssize(*dims) || isTaken || step == 0)
      return std::nullopt;
    // Each step beyond the axis selects only the first element, so clamping it changes nothing and prevents overflow.
    requests.push_back({number, fromFront, std::clamp(step, -cameo::onnx::kMaxElements, cameo::onnx::kMaxElements)});
  }
  return requests;
}

Value SizeCounter::slice(cameo::onnx::SliceOp op) {
  std::optional<SmallVector<SliceRequest>> requests = readRequests(op);
  DimList found = *cameo::onnx::getDims(op.getOutput());
  auto isCounted = [&](const SliceRequest &request) {
    return found[request.axis].isUnknown() && statedSize(request.axis) != 0;
  };
  if (!requests || llvm::none_of(*requests, isCounted))
    return op.getOutput();
  Value data = op.getData(), starts = op.getStarts(), ends = op.getEnds();
  DimList whole = *cameo::onnx::getDims(data);
  if (llvm::any_of(*requests, [&](const SliceRequest &request) { return whole[request.axis].isUnknown(); }))
    return op.getOutput();
  op.erase();
  for (const SliceRequest &request : *requests)
    data = sliceAxis(data, starts, ends, request);
  return data;
}

Value SizeCounter::sliceAxis(Value data, Value starts, Value ends, const SliceRequest &request) {
  auto element = [&](Value bounds) {
    auto type = cast<RankedTensorType>(bounds.getType());
    return type.getDimSize(0) == 1
               ? bounds
               : w.make("Slice", {bounds, w.ints(request.number), w.ints(request.number + 1), w.ints(0)});
  };
  Value start = w.cast(element(starts), w.i64()), end = w.cast(element(ends), w.i64());
  Value part = w.make("Slice", {data, start, end, w.ints(request.axis), w.ints(request.step)});
  if (!part)
    return {};
  DimList dims = *cameo::onnx::getDims(part);
  if (!dims[request.axis].isUnknown())
    return part;
  part.getDefiningOp()->erase();
  RunNumber distance = RunNumber::of({ends, request.number}) - RunNumber::of({starts, request.number});
  Dim exact = statedSize(request.axis);
  Dim most = (*cameo::onnx::getDims(data))[request.axis], last = knownOf(end), first = knownOf(start);
  // Exporters write the largest 32-bit or 64-bit integer for a slice up to the end.
  bool isToEnd = last.isStatic() && last.getSize() >= std::numeric_limits<int32_t>::max();
  // If one bound counts from the front and the other from the end, their difference is not the length.
  bool areAlike = !first.isStatic() || !last.isStatic() || (first.getSize() < 0) == (last.getSize() < 0);
  if (exact.isUnknown() && request.step == 1 && areAlike && !isToEnd)
    exact = distance.getKnown();
  bool isInside = last.isNamed() || (last.isStatic() && last.getSize() >= 0 && !isToEnd);
  if (request.step > 0 && isInside)
    most = cameo::minDims(most, last);
  if (request.step > 0 && most.isStatic() && first.isStatic() && first.getSize() >= 0)
    most = std::max<int64_t>(most.getSize() - first.getSize(), 0);
  bool isWindow = (exact.isStatic() && exact.getSize() > 0) || exact.isNamed();
  Value taken = countedSlice(data, scalar(start), scalar(end), request, isWindow ? cameo::minDims(most, exact) : most);
  Value length = isWindow ? makeSize(exact) : Value();
  if (!length)
    return taken;
  // Reshape to the stated or computed size, because later nodes may require it. A run with a shorter slice is refused.
  SmallVector<Value> shape;
  for (size_t axis = 0; axis < dims.size(); ++axis)
    shape.push_back(static_cast<int64_t>(axis) == request.axis ? w.make("Reshape", {length, w.ints(1)}) : w.ints(0));
  return w.make("Reshape", {taken, w.make("Concat", shape, w.attr("axis", 0))});
}

Value SizeCounter::countedSlice(Value data, Value start, Value end, const SliceRequest &request, const Dim &most) {
  bool isForward = request.step > 0;
  Value size = w.sizeOf(data, request.axis), zero = w.scalar(0), stride = w.scalar(std::abs(request.step));
  Value behind = isForward ? size : w.make("Sub", {size, w.scalar(1)});
  // Resolves a negative bound, which counts from the end, and clamps the result to [least, behind].
  auto place = [&](Value bound, int64_t least) {
    Value wrapped = w.make("Where", {w.make("Less", {bound, zero}), w.make("Add", {bound, size}), bound});
    return w.make("Min", {w.make("Max", {wrapped, w.scalar(least)}), behind});
  };
  bool fromFirst = isForward && knownOf(start) == 0;
  Value first = fromFirst ? zero : place(start, 0), last = place(end, isForward ? 0 : -1);
  Value count = w.make("Max", {w.make("Sub", {isForward ? last : first, isForward ? first : last}), zero});
  if (std::abs(request.step) != 1)
    count = w.make("Div", {w.make("Add", {count, w.scalar(std::abs(request.step) - 1)}), stride});
  else if (fromFirst && request.axis == 0) {
    // What the prefix is taken of has no more rows than the model states, so that it has room for no more.
    if (Dim whole = cameo::onnx::getDims(data)->front();
        most.isStatic() && whole.isStatic() && most.getSize() < whole.getSize())
      data = w.make("Slice", {data, w.ints(0), w.ints(most.getSize()), w.ints(0)});
    return takeCounted(data, count, 0);
  }
  Dim room = most.isStatic() ? Dim((most.getSize() + std::abs(request.step) - 1) / std::abs(request.step)) : most;
  Value bound = makeSize(room), numbers = numbersBelow(bound ? bound : size);
  if (fromFirst && request.step == 1)
    return w.make("Slice",
                  {data, w.ints(0), w.make("Shape", takeCounted(numbers, count, request.axis)), w.ints(request.axis)});
  Value places = w.make("Add", {w.make("Mul", {numbers, w.scalar(request.step)}), first});
  return w.make("Gather", {data, takeCounted(places, count, request.axis)}, w.attr("axis", request.axis));
}

//===- Range ---------------------------------------------------------------===//

Value SizeCounter::range(cameo::onnx::RangeOp op) {
  Dim size = cameo::onnx::getDims(op.getOutput())->front();
  if (!size.isUnknown())
    return op.getOutput();
  Dim most;
  if (Dim delta = knownOf(op.getDelta()); delta.isStatic() && delta.getSize() > std::numeric_limits<int64_t>::min()) {
    int64_t step = std::abs(delta.getSize());
    RunNumber start = RunNumber::of({op.getStart()}), limit = RunNumber::of({op.getLimit()});
    RunNumber distance = delta.getSize() > 0 ? limit - start : start - limit;
    if (Dim exact = distance.getKnown(); exact.isNamed() && step == 1 && !isa<FloatType>(w.elementOf(op.getOutput()))) {
      op.getOutput().setType(cameo::onnx::makeTensorType({exact}, w.elementOf(op.getOutput())));
      return op.getOutput();
    }
    if (most = cameo::maxDims(distance.getGreatest(), 0); most.isStatic())
      most = Dim(most.getSize() / step + (most.getSize() % step != 0));
  }
  if (most.isUnknown() && statement.dims)
    most = statedSize(0);
  return most.isUnknown() ? Value(op.getOutput()) : countedRange(op, most);
}

Value SizeCounter::countedRange(cameo::onnx::RangeOp op, const Dim &most) {
  Value bound = makeSize(most);
  if (!bound)
    return op.getOutput();
  Value start = op.getStart(), limit = op.getLimit(), delta = op.getDelta(), zero = w.scalar(0), count;
  Type element = w.elementOf(start);
  start = scalar(start), limit = scalar(limit), delta = scalar(delta);
  if (isa<FloatType>(element)) {
    Type f64 = draft.builder.getF64Type();
    Value steps = w.make("Div", {w.cast(w.make("Sub", {limit, start}), f64), w.cast(delta, f64)});
    count = w.cast(w.make("Max", {w.make("Ceil", steps), w.number(0, f64)}), w.i64());
  } else {
    // A distance that overflows 64 bits is replaced by the largest one, which exceeds every bound.
    constexpr int64_t farthest = std::numeric_limits<int64_t>::max();
    Value from = w.cast(start, w.i64()), to = w.cast(limit, w.i64()), step = w.cast(delta, w.i64()),
          distance = w.make("Sub", {to, from});
    Value isBack = w.make("Less", {to, from}), wraps = w.make("Xor", {isBack, w.make("Less", {distance, zero})});
    distance = w.make("Where", {wraps, w.make("Where", {isBack, w.scalar(-farthest), w.scalar(farthest)}), distance});
    // Div rounds towards zero, so a remainder in the direction of the step stands for one more element.
    Value steps = w.make("Div", {distance, step}), rest = w.make("Sub", {distance, w.make("Mul", {steps, step})});
    Value isMore = w.make("Equal", {w.make("Sign", rest), w.make("Sign", step)});
    count = w.make("Max", {w.make("Add", {steps, w.cast(isMore, w.i64())}), zero});
  }
  // A step of 0 gives the count -1. A negative count ends the run.
  count = w.make("Where", {w.make("Equal", {delta, w.cast(zero, element)}), w.scalar(-1), count});
  op.erase();
  Value numbers = w.cast(takeCounted(numbersBelow(bound), count, 0), element);
  return w.make("Add", {start, w.make("Mul", {numbers, delta})});
}

} // namespace

FailureOr<Value> cameo::countDataSizes(NodeDraft &draft, Value result, const SizeStatement &statement) {
  std::optional<DimList> dims = cameo::onnx::getDims(result);
  if (!dims || llvm::none_of(*dims, [](const Dim &dim) { return dim.isUnknown(); }))
    return result;
  SizeCounter counter(draft, statement);
  if (auto slice = result.getDefiningOp<cameo::onnx::SliceOp>())
    result = counter.slice(slice);
  else if (auto range = result.getDefiningOp<cameo::onnx::RangeOp>())
    result = counter.range(range);
  return counter.hasFailed() ? FailureOr<Value>(failure()) : result;
}

LogicalResult cameo::splitByData(NodeDraft &draft, MutableArrayRef<Value> results,
                                 llvm::function_ref<std::string()> nameSize) {
  bool isMade = !results.empty() && results.front();
  auto op = isMade ? results.front().getDefiningOp<cameo::onnx::SplitOp>() : cameo::onnx::SplitOp();
  std::optional<DimList> dims = op ? cameo::onnx::getDims(op.getInput()) : std::nullopt;
  if (!dims || !op.getSplit() || cameo::onnx::isAbsent(op.getSplit()) || llvm::all_of(results, [](Value result) {
        std::optional<DimList> sizes = cameo::onnx::getDims(result);
        return sizes && llvm::none_of(*sizes, [](const Dim &dim) { return dim.isUnknown(); });
      }))
    return success();
  std::optional<DimList> list = cameo::onnx::getDims(op.getSplit());
  if (!list || list->size() != 1 || list->front().isUnknown())
    return success();
  NodeWriter w(draft);
  Value data = op.getInput(), start = w.ints(0);
  int64_t axis = op.getAxis() < 0 ? op.getAxis() + std::ssize(*dims) : op.getAxis();
  // Slices take what there is, but sizes that do not add up to the data are an error.
  Value addsUp = w.make("Equal", {w.make("ReduceSum", op.getSplit()), w.sizeOf(data, axis)}),
        areSizes = w.make("GreaterOrEqual", {w.make("ReduceMin", op.getSplit()), w.scalar(0)}),
        areAll = w.make("Equal", {w.sizeOf(op.getSplit(), 0), w.scalar(std::ssize(results))}),
        areValid = w.make("And", {w.make("And", {addsUp, areSizes}), areAll});
  if (w.hasFailed())
    return failure();
  FailureOr<Value> sizes = guardValue(draft, op.getSplit(), areValid, /*required=*/true, nameSize());
  if (failed(sizes))
    return failure();
  for (auto [number, result] : llvm::enumerate(results)) {
    Value end = w.make("Add", {start, w.make("Gather", {*sizes, w.ints(number)})});
    result = w.make("Slice", {data, start, end, w.ints(axis)});
    start = end;
  }
  if (w.hasFailed())
    return failure();
  op.erase();
  return success();
}
