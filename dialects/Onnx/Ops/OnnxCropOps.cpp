// Shape rules of operators that crop or pad dimensions.
#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ShapeRules.h"
#include "dialects/Onnx/StatedShapes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxCropOps.cpp.inc"

namespace {

using Operands = ArrayRef<const KnownTensor *>;
using Results = SmallVectorImpl<KnownTensor>;

/// Returns the axes of the bounds: those of the operand `axes`, or the first `count` if it is absent. Returns nothing
/// if the operand is unknown.
FailureOr<std::optional<SmallVector<int64_t>>> readAxes(Operation *op, Value axes, int64_t count, int64_t rank) {
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, count));
  if (!isAbsent(axes)) {
    std::optional<SmallVector<int64_t>> known = getKnownInts(axes);
    if (!known)
      return std::optional<SmallVector<int64_t>>();
    all = std::move(*known);
  }
  if (int64_t(all.size()) != count) // pad_c6, slice_c4
    return op->emitOpError() << "expected bounds for " << all.size() << " axes, got " << count;
  FailureOr<SmallVector<int64_t>> normalized = normalizeAxes(op, all, rank);
  if (failed(normalized))
    return failure();
  return std::optional(std::move(*normalized));
}

} // namespace

//===- Pad -----------------------------------------------------------------===//

namespace {

/// Returns the padded dimension; negative pads crop it.
FailureOr<Dim> padDim(PadOp op, SizeConstraints &sizes, const Dim &dim, const Dim &begin, const Dim &end) {
  Dim sum = dim + begin + end;
  bool isNumber = dim.isStatic() && begin.isStatic() && end.isStatic();
  if ((isNumber && !sum.isStatic()) || failed(sizes.requireAtLeast(sum, 0))) // pad_c4
    return op.emitOpError() << "expected a padded dimension of 0 or more, got " << dim.getSize() << " padded by "
                            << begin.getSize() << " and " << end.getSize();
  StringRef mode = op.getMode();
  // Negative pads are applied first: the modes repeat the remaining elements.
  Dim cropped = maxDims(Dim(0) - begin, 0) + maxDims(Dim(0) - end, 0);
  for (const Dim &pad : {begin, end}) {
    if (mode == "constant" || (pad.isStatic() && pad.getSize() <= 0))
      continue;
    // The number of elements that the mode needs for this pad.
    Dim needed = cropped + (mode == "reflect" ? pad + 1 : Dim(1));
    if (failed(sizes.requireAtLeastFor(maxDims(pad, 0), dim, needed))) // pad_c5
      return op.emitOpError() << "expected a dimension of at least " << needed.getSize() << " for mode '" << mode
                              << "' and pads of " << pad.getSize() << ", got " << dim.getSize();
  }
  return sum;
}

/// For pads that are known only at run time: takes the dimensions that the model states. All modes except `constant`
/// repeat elements, so there must be some.
LogicalResult assumeStated(PadOp op, SizeConstraints &sizes, DimList &dims, DimList result) {
  DimList whole = std::exchange(dims, result);
  fillStated(dims, op.getOutput());
  for (auto [dim, padded] : llvm::zip_equal(whole, result))
    if (padded.isUnknown() && op.getMode() != "constant" &&
        failed(sizes.requireAtLeastFor(productOf(dims), dim, 1))) // pad_c5
      return op.emitOpError()
             << "expected a dimension of 1 or more whose elements pad the tensor, got a dimension of 0";
  return success();
}

} // namespace

LogicalResult PadOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {0, 2})) || failed(expectRank(*this, 1, 1, 1)) /*pad_c1*/ ||
      failed(expectScalar(*this, sizes, 2)) /*pad_c2*/)
    return failure();
  std::optional<DimList> dims = getDims(getData()), pads = getKnownDims(getPads());
  std::optional<DimList> padded = getDims(getAxes());
  Dim groups = isAbsent(getAxes()) && dims     ? Dim(dims->size())
               : padded && padded->size() == 1 ? padded->front()
                                               : Dim::unknown();
  if (!pads && failed(expectDim(*this, sizes, 1, 0, groups * 2, "two pads per axis"))) // pad_c6
    return failure();
  if (!dims || !pads) {
    if (dims && failed(assumeStated(*this, sizes, *dims, DimList(dims->size(), Dim::unknown()))))
      return failure();
    types.push_back(makeResultType(dims, elementTypeOf(getData())));
    return success();
  }
  if (pads->size() % 2 != 0) // pad_c3
    return emitOpError() << "expected an even number of pads, got " << pads->size();
  size_t count = pads->size() / 2;
  if (isAbsent(getAxes()) && count != dims->size()) // pad_c6
    return emitOpError() << "expected bounds for " << dims->size() << " axes, got " << count;
  std::optional<DimList> whole = dims;
  FailureOr<std::optional<SmallVector<int64_t>>> axes = readAxes(*this, getAxes(), count, dims->size());
  if (failed(axes))
    return failure();
  if (*axes) {
    for (auto [i, axis] : llvm::enumerate(**axes)) {
      FailureOr<Dim> padded = padDim(*this, sizes, (*dims)[axis], (*pads)[i], (*pads)[count + i]);
      if (failed(padded))
        return failure();
      (*dims)[axis] = *padded;
    }
  } else {
    dims->assign(dims->size(), Dim::unknown());
  }
  DimList result = *std::exchange(dims, whole);
  if (failed(assumeStated(*this, sizes, *dims, std::move(result))))
    return failure();
  types.push_back(makeTensorType(*dims, elementTypeOf(getData())));
  return success();
}

//===- Slice ---------------------------------------------------------------===//

namespace {

/// A static slice of one dimension: `count` elements from `start` on, `step` apart.
struct SliceBounds {
  int64_t start;
  int64_t step;
  int64_t count;
};

/// Returns the slice by ONNX's rules: negative bounds count from the end, and all bounds are clamped.
SliceBounds clampBounds(int64_t size, int64_t start, int64_t end, int64_t step) {
  int64_t least = step > 0 ? 0 : -1, most = step > 0 ? size : size - 1;
  auto clamp = [&](int64_t bound, int64_t low, int64_t high) {
    return std::max(low, std::min(bound < 0 ? bound + size : bound, high));
  };
  // For a negative step, an end of -1 - size or less means "before the first element".
  int64_t from = clamp(start, step > 0 ? 0 : std::min<int64_t>(0, size - 1), most), to = clamp(end, least, most);
  int64_t distance = step > 0 ? to - from : from - to;
  uint64_t stride = step > 0 ? uint64_t(step) : -uint64_t(step);
  return {from, step, distance <= 0 ? 0 : int64_t((uint64_t(distance) - 1) / stride + 1)};
}

/// Models write bounds of at least this for "to the end".
constexpr int64_t kToTheEnd = std::numeric_limits<int32_t>::max();

/// Returns the size of a forward slice of a named dimension; unknown if it has no expression.
Dim forwardExtent(const Dim &size, const Dim &start, const Dim &end) {
  bool fromFirst = start.isStatic() && start.getSize() == 0;
  bool toLast = (end.isStatic() && end.getSize() >= kToTheEnd) || end.equals(size);
  if (fromFirst && toLast)
    return size;
  // Bounds that are dimensions are assumed to be inside: see "Slices by named dimensions" in RATIONALE.md.
  bool isAfterFirst = end.isNamed() && !toLast && start.isStatic() && start.getSize() >= 0;
  if ((end.isNamed() || end.equals(size)) && (start.isNamed() || fromFirst || isAfterFirst))
    return subDims(end, start);
  // The elements after `start`, or none.
  if (toLast && start.isNamed() && isNeverNegative(start))
    return size - minDims(start, size);
  if (!size.isNamed() || !start.isStatic() || !(toLast || end.isStatic()))
    return Dim::unknown();
  int64_t from = start.getSize(), to = toLast ? kToTheEnd : end.getSize();
  // Both bounds count from the same side: compute the number of elements between that side and each bound.
  bool isCountedBack = from < 0 && (to < 0 || toLast), isCountedOn = from >= 0 && to >= 0 && !toLast;
  if (std::min(from, to) <= -kToTheEnd || from >= kToTheEnd)
    return Dim::unknown();
  if (isCountedBack || isCountedOn) {
    int64_t outer = isCountedBack ? -from : to, inner = isCountedOn ? from : toLast ? 0 : -to;
    // A run in which the only element of a slice does not exist is rejected. Of several elements, the slice has those
    // that exist.
    return outer - inner <= 1 ? Dim(std::max<int64_t>(outer - inner, 0)) : minDims(size, outer) - minDims(size, inner);
  }
  // From a number to the end, or to a number before the end. Runs with a size that makes this negative are rejected.
  return from >= 0 ? (toLast ? size : size + end) - start : Dim::unknown();
}

/// Returns the size of a backward slice of a named dimension: from the last element, or one counted from the last, to
/// the first element, or one counted from the first.
Dim backwardExtent(const Dim &size, const Dim &start, const Dim &end) {
  if (!size.isNamed() || !start.isStatic() || !end.isStatic())
    return Dim::unknown();
  bool fromLast = start.getSize() >= kToTheEnd, isCounted = start.getSize() < 0 && start.getSize() > -kToTheEnd;
  bool toFirst = end.getSize() <= -kToTheEnd, isInside = end.getSize() >= 0 && end.getSize() < kToTheEnd;
  if (!(fromLast || isCounted) || !(toFirst || isInside))
    return Dim::unknown();
  Dim beforeStart = fromLast ? size - Dim(1) : size + start;
  return toFirst ? beforeStart + Dim(1) : beforeStart - end;
}

Dim sliceDim(const Dim &size, const Dim &start, const Dim &end, const Dim &step) {
  if (!step.isStatic())
    return Dim::unknown();
  if (size.isStatic() && start.isStatic() && end.isStatic())
    return Dim(clampBounds(size.getSize(), start.getSize(), end.getSize(), step.getSize()).count);
  int64_t stride = std::abs(step.getSize());
  Dim extent = step.getSize() > 0 ? forwardExtent(size, start, end) : backwardExtent(size, start, end);
  return stride == 1 ? extent : floorDivDim(extent + Dim(stride - 1), stride);
}

/// Returns the starts or ends. The minimum integer marks an unknown dimension in MLIR, but ONNX recommends it for "to
/// the first element": it is replaced by the next larger integer, which means the same.
std::optional<DimList> readBounds(Value bounds) {
  std::optional<SmallVector<int64_t>> constants = getConstantInts(bounds);
  if (!constants)
    return getKnownDims(bounds);
  DimList dims;
  for (int64_t constant : *constants)
    dims.push_back(Dim(std::max(constant, -std::numeric_limits<int64_t>::max())));
  return dims;
}

/// The bounds of one axis, as far as the operands are known.
struct SliceRequest {
  int64_t axis;
  Dim start, end, step;
};

FailureOr<std::optional<SmallVector<SliceRequest>>> readSlices(SliceOp op, int64_t rank) {
  std::optional<DimList> starts = readBounds(op.getStarts()), ends = readBounds(op.getEnds());
  if (!starts || !ends)
    return std::optional<SmallVector<SliceRequest>>();
  if (starts->size() != ends->size()) // slice_c2
    return op.emitOpError() << "expected as many ends as starts, got " << ends->size() << " and " << starts->size();
  DimList steps(starts->size(), Dim(1));
  if (!isAbsent(op.getSteps())) {
    std::optional<DimList> known = getKnownDims(op.getSteps());
    if (known && known->size() != starts->size()) // slice_c3
      return op.emitOpError() << "expected as many steps as starts, got " << known->size() << " and " << starts->size();
    steps = known.value_or(DimList(starts->size(), Dim::unknown()));
  }
  FailureOr<std::optional<SmallVector<int64_t>>> axes = readAxes(op, op.getAxes(), starts->size(), rank);
  if (failed(axes))
    return failure();
  if (!*axes)
    return std::optional<SmallVector<SliceRequest>>();
  SmallVector<SliceRequest> requests;
  for (auto [axis, start, end, step] : llvm::zip(**axes, *starts, *ends, steps)) {
    if (step.isStatic() && step.getSize() == 0) // slice_c5
      return op.emitOpError() << "expected steps other than 0";
    requests.push_back({axis, start, end, step});
  }
  return std::optional(std::move(requests));
}

/// Returns a bound that is at most the size: as in ONNX if the bound depends on the names of the size alone, or is
/// never less than the size; otherwise the bound itself, which is assumed to be inside.
Dim clampToSize(const Dim &bound, const Dim &size) {
  if (!bound.isNamed() || size.isUnknown() || isNeverNegative(Dim(0) - bound))
    return bound;
  llvm::SetVector<StringAttr> own, names;
  collectNames(size, own);
  collectNames(bound, names);
  bool isOfSize = llvm::all_of(names, [&](StringAttr name) { return own.contains(name); });
  Dim clamped = isOfSize || isNeverNegative(bound - size) ? minDims(bound, size) : bound;
  return clamped.isUnknown() ? bound : clamped;
}

/// Converts bounds of a forward slice that are a negated size, as in `x[-n:]` and `x[:-n]`, to bounds that count from
/// the first element, and clamps those that count from there.
SliceRequest countFromFirst(SizeConstraints &sizes, SliceRequest request, const Dim &size) {
  if (size.isUnknown() || !request.step.isStatic() || request.step.getSize() < 0)
    return request;
  request.start = clampToSize(request.start, size);
  request.end = clampToSize(request.end, size);
  auto count = [&](Dim &bound) {
    if (!bound.isNamed() || !isNeverNegative(Dim(0) - bound))
      return false;
    // A bound of -0 would be the first element.
    [[maybe_unused]] LogicalResult isHeld = sizes.requireAtLeast(Dim(0) - bound, 1);
    assert(succeeded(isHeld) && "sizes that have names are dynamic");
    bound = size + bound;
    return true;
  };
  count(request.end);
  if (!count(request.start) || !request.end.isStatic())
    return request;
  int64_t end = request.end.getSize();
  if (end >= kToTheEnd)
    request.end = size;
  else if (end < 0)
    request.end = size + Dim(end);
  return request;
}

/// Adds the assumptions of sliceDim as requirements: see "Slices by named dimensions" in RATIONALE.md.
void requireSliced(SizeConstraints &sizes, const SliceRequest &request, const Dim &size, const Dim &sliced) {
  const auto &[axis, start, end, step] = request;
  bool isHeld = true, toLast = end.isStatic() && end.getSize() >= kToTheEnd;
  if (size.isNamed() && sliced == 1 && start.isStatic() && std::abs(start.getSize()) < kToTheEnd)
    isHeld = succeeded(sizes.requireAtLeast(size, start.getSize() < 0 ? Dim(0) - start : start + 1));
  else if (!toLast && (start.isNamed() || (end.isNamed() && end != size)) && !sliced.isUnknown())
    isHeld = succeeded(sizes.requireAtLeast(size, end)) && succeeded(sizes.requireAtLeast(start, 0)) &&
             succeeded(sizes.requireAtLeast(end, start));
  assert(isHeld && "sizes that have names are dynamic");
  (void)isHeld;
}

/// Checks that all operands have the same number of bounds, also if these are known only at run time.
LogicalResult expectSameCount(SliceOp op, SizeConstraints &sizes) {
  if (std::optional<DimList> starts = getDims(op.getStarts()))
    for (unsigned operand : {2, 3, 4})
      if (failed(
              expectDim(op, sizes, operand, 0, starts->front(), "as many as starts"))) // slice_c2, slice_c3, slice_c4
        return failure();
  return success();
}

} // namespace

LogicalResult SliceOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {1, 2, 3, 4})))
    return failure();
  for (unsigned operand : {1, 2, 3, 4})
    if (failed(expectRank(*this, operand, 1, 1))) // slice_c1
      return failure();
  std::optional<DimList> dims = getDims(getData());
  if (dims) {
    FailureOr<std::optional<SmallVector<SliceRequest>>> requests = readSlices(*this, dims->size());
    if (failed(requests))
      return failure();
    DimList whole = *dims;
    if (!*requests) {
      if (failed(expectSameCount(*this, sizes)))
        return failure();
      dims->assign(dims->size(), Dim::unknown());
    } else {
      for (const SliceRequest &stated : **requests) {
        Dim &dim = (*dims)[stated.axis];
        SliceRequest request = countFromFirst(sizes, stated, dim);
        Dim sliced = sliceDim(dim, request.start, request.end, request.step);
        requireSliced(sizes, request, dim, sliced);
        dim = sliced;
      }
    }
    DimList found = *dims;
    fillStated(*dims, getOutput());
    for (auto [axis, size, sliced, known] : llvm::enumerate(whole, *dims, found))
      if (known.isUnknown() && failed(sizes.requireAtLeast(size, sliced)))
        return emitOpError() << "expected a result of at most " << size.getSize() << " in dimension " << axis
                             << ", got " << sliced.getSize();
  }
  types.push_back(makeResultType(dims, elementTypeOf(getData())));
  return success();
}

LogicalResult SliceOp::evaluate(Operands operands, Results &results) {
  const KnownTensor *data = operands[0];
  size_t count = data && operands[1] ? operands[1]->elements.size() : 0;
  auto read = [&](unsigned operand, auto otherwise) -> std::optional<SmallVector<int64_t>> {
    if (isAbsent(getOperand(operand)))
      return llvm::map_to_vector(llvm::seq<int64_t>(0, count), otherwise);
    const KnownTensor *tensor = operands[operand];
    auto isNumber = [](const Number &number) { return number.integer.isStatic(); };
    if (!tensor || tensor->elements.size() != count || !llvm::all_of(tensor->elements, isNumber))
      return std::nullopt;
    return llvm::map_to_vector(tensor->elements, [](const Number &number) { return number.integer.getSize(); });
  };
  auto one = [](int64_t) -> int64_t { return 1; };
  auto own = [](int64_t place) { return place; };
  std::optional<SmallVector<int64_t>> starts = read(1, own), ends = read(2, own), axes = read(3, own),
                                      steps = read(4, one);
  if (!data || !starts || !ends || !axes || !steps)
    return failure();
  SmallVector<int64_t> shape = data->shape, strides = rowMajorStrides(data->shape);
  int64_t first = 0;
  for (auto [start, end, axis, step] : llvm::zip_equal(*starts, *ends, *axes, *steps)) {
    if (axis < -data->rank() || axis >= data->rank() || step == 0)
      return failure();
    int64_t place = axis < 0 ? axis + data->rank() : axis;
    SliceBounds bounds = clampBounds(data->shape[place], start, end, step);
    first += bounds.start * strides[place];
    strides[place] *= bounds.step;
    shape[place] = bounds.count;
  }
  auto offset = [&](ArrayRef<int64_t> index) {
    int64_t sum = first;
    for (auto [position, stride] : llvm::zip_equal(index, strides))
      sum += position * stride;
    return sum;
  };
  return appendKnown(selectElements(*data, shape, offset), results);
}

Value SliceOp::getEqualOperand() {
  std::optional<DimList> dims = getDims(getData());
  if (!dims || llvm::any_of(*dims, [](const Dim &dim) { return dim.isUnknown(); }))
    return {};
  // A reversed slice of all elements has the same type, too.
  std::optional<SmallVector<int64_t>> steps;
  if (!isAbsent(getSteps()) && !(steps = getKnownInts(getSteps())))
    return {};
  bool isForward = !steps || llvm::all_of(*steps, [](int64_t step) { return step > 0; });
  return isForward ? getData() : Value();
}

//===- Trilu ---------------------------------------------------------------===//

LogicalResult TriluOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 0, 2)) /*trilu_c1*/ || failed(expectScalar(*this, sizes, 1)) /*trilu_c2*/)
    return failure();
  likeOperand(*this, 0, types);
  return success();
}

LogicalResult CenterCropPadOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectRank(*this, 1, 1, 1))) // centercroppad_c1
    return failure();
  std::optional<DimList> dims = getDims(getInputData());
  if (!dims) {
    types.push_back(makeResultType(dims, elementTypeOf(getInputData())));
    return success();
  }
  SmallVector<int64_t> axes =
      getAxes() ? SmallVector<int64_t>(*getAxes()) : llvm::to_vector(llvm::seq<int64_t>(0, dims->size()));
  FailureOr<SmallVector<int64_t>> normalized = normalizeAxes(*this, axes, dims->size()); // centercroppad_c2
  if (failed(normalized) ||
      failed(expectDim(*this, sizes, 1, 0, Dim(axes.size()), "sizes of the axes"))) // centercroppad_c3
    return failure();
  std::optional<DimList> stated = getKnownDims(getShape());
  for (auto [i, axis] : llvm::enumerate(*normalized)) {
    Dim size = stated ? (*stated)[i] : Dim::unknown();
    if (failed(sizes.requireAtLeast(size, 0))) // centercroppad_c3
      return emitOpError() << "expected sizes of 0 or more, got " << size.getSize();
    (*dims)[axis] = size;
  }
  types.push_back(makeResultType(dims, elementTypeOf(getInputData())));
  return success();
}
