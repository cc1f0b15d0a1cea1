#include "passes/Graph/ReadShapes.h"

#include "dialects/Onnx/DimList.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cameo::graph {
namespace {

/// Creates the comparisons, on vectors of i64. Shapes are those of the types; symbolic dimensions are computed at run
/// time.
class ReadShapes {
public:
  explicit ReadShapes(OnnxBuilder &b) : b(b) {}

  SmallVector<Value> of(Operation *op);

private:
  // Arithmetic on vectors.
  Value ints(ArrayRef<int64_t> values) { return b.ints(values); }
  Value add(Value x, Value y) { return b.make<onnx::AddOp>({x, y}); }
  Value sub(Value x, Value y) { return b.make<onnx::SubOp>({x, y}); }
  Value mul(Value x, Value y) { return b.make<onnx::MulOp>({x, y}); }
  Value div(Value x, Value y) { return b.make<onnx::DivOp>({x, y}); }
  Value least(Value x, Value y) { return b.make<onnx::MinOp>({x, y}); }
  Value greatest(Value x, Value y) { return b.make<onnx::MaxOp>({x, y}); }
  Value equal(Value x, Value y) { return b.make<onnx::EqualOp>({x, y}); }
  Value less(Value x, Value y) { return b.make<onnx::LessOp>({x, y}); }
  Value both(Value x, Value y) { return b.make<onnx::AndOp>({x, y}); }
  Value either(Value x, Value y) { return b.make<onnx::OrOp>({x, y}); }
  Value isNot(Value x) { return b.make<onnx::NotOp>(x); }
  Value select(Value condition, Value x, Value y) { return b.make<onnx::WhereOp>({condition, x, y}); }
  Value number(Value x) { return b.cast(x, b.getI64Type()); }
  Value sum(Value x, int64_t axis) { return b.make<onnx::ReduceSumOp>({x, ints(axis)}, b.attr("keepdims", 0)); }
  Value total(Value x) { return b.make<onnx::ReduceSumOp>({x, ints(0)}, b.attr("keepdims", 1)); }
  Value product(Value x) { return b.make<onnx::ReduceProdOp>({x, ints(0)}, b.attr("keepdims", 1)); }
  Value pick(Value x, Value places) { return b.make<onnx::GatherOp>({x, places}, b.attr("axis", 0)); }
  Value part(Value x, int64_t begin, int64_t end) { return b.slice(x, 0, ints(begin), ints(end)); }
  Value shape(Value x) { return b.make<onnx::ShapeOp>(x); }
  /// Converts to a vector of i64. A scalar becomes a vector of one element.
  Value vector(Value x) { return b.reshape(number(x), {-1}); }
  Value upTo(int64_t end) { return ints(llvm::to_vector(llvm::seq<int64_t>(0, end))); }

  static int64_t rank(Value x) { return std::ssize(*onnx::getDims(x)); }
  /// Returns the length of a vector; nothing if it is dynamic.
  static std::optional<int64_t> count(Value x) {
    std::optional<onnx::DimList> dims = onnx::getDims(x);
    return dims && dims->size() == 1 && dims->front().isStatic() ? std::optional(dims->front().getSize())
                                                                 : std::nullopt;
  }
  static bool isVector(Value x) { return rank(x) == 1; }
  /// Returns the length of a vector as a vector of one element.
  Value length(Value x) { return b.sizeOf(x, 0); }
  /// Resizes the vector to `rows` elements. If its length is dynamic, elements are dropped or `otherwise` is appended.
  Value resized(Value x, int64_t rows, int64_t otherwise);
  /// Returns `expected` elements, or nothing if there cannot be as many. Requires at run time that the length is
  /// `expected`.
  std::optional<Value> numbers(Value x, int64_t expected);

  /// Returns a mask with one row per axis in `axes` and `rank` columns: 1 in the column of the axis.
  Value maskOf(Value axes, int64_t rank);
  /// Requires that each of `rows` rows has one axis, and no two have the same.
  void requireDistinct(Value mask, Value rows);
  void requireKept(Value whole, Value kept, int64_t keptRank, Value dropped, bool onlyOnes);

  void reduce(Operation *op);
  void reshape(onnx::ReshapeOp op);
  void expand(onnx::ExpandOp op);
  void tile(onnx::TileOp op);
  void pad(onnx::PadOp op);
  void resize(onnx::ResizeOp op);
  Value keepAspectRatio(onnx::ResizeOp op, Value own, Value asked);
  void slice(onnx::SliceOp op);
  void split(onnx::SplitOp op);
  void squeeze(Value whole, Value axes, Value kept, bool isWithoutAxes);
  void col2im(onnx::Col2ImOp op);
  void centerCropPad(onnx::CenterCropPadOp op);
  void dft(onnx::DFTOp op);
  void stft(onnx::STFTOp op);
  /// Returns the length of a real transform that omits its second half.
  Value bins(Value length) { return add(div(length, ints(2)), ints(1)); }
  void cumulate(Value data, Value axis);
  /// Requires that `sizes` are the sizes of `dims` dimensions from `first` on.
  void sized(Value result, int64_t first, int64_t dims, Value sizes);

  OnnxBuilder &b;
  SmallVector<Value> conditions;
};

Value ReadShapes::maskOf(Value axes, int64_t rank) {
  Value read = vector(axes);
  Value column = b.unsqueeze(select(less(read, ints(0)), add(read, ints(rank)), read), 1);
  return number(equal(column, upTo(rank)));
}

Value ReadShapes::resized(Value x, int64_t rows, int64_t otherwise) {
  if (count(x) == rows)
    return x;
  Value fill = b.cast(ints(SmallVector<int64_t>(rows, otherwise)), getElementTypeOrSelf(x.getType()));
  return pick(b.concat({x, fill}, 0), upTo(rows));
}

std::optional<Value> ReadShapes::numbers(Value x, int64_t expected) {
  if (expected == 0 || (!isVector(x) && expected != 1))
    return std::nullopt;
  std::optional<int64_t> known = isVector(x) ? count(x) : 1;
  if (known)
    return known == expected ? std::optional(vector(x)) : std::nullopt;
  conditions.push_back(equal(length(x), ints(expected)));
  return number(resized(x, expected, 0));
}

void ReadShapes::requireDistinct(Value mask, Value rows) {
  Value uses = sum(mask, 0);
  conditions.push_back(equal(total(uses), rows));
  conditions.push_back(less(uses, ints(2)));
}

/// Requires that the dimensions of `whole` that are not dropped are those of `kept`, in order.
void ReadShapes::requireKept(Value whole, Value kept, int64_t keptRank, Value dropped, bool onlyOnes) {
  Value stays = sub(ints(1), dropped), isDropped = equal(dropped, ints(1));
  conditions.push_back(equal(total(stays), ints(keptRank)));
  Value dropFits = onlyOnes ? equal(whole, ints(1)) : isDropped;
  if (keptRank == 0)
    return conditions.push_back(dropFits);
  Value places = sub(b.make<onnx::CumSumOp>({stays, b.reshape(ints(0), {})}), ints(1));
  Value other = pick(kept, least(greatest(places, ints(0)), ints(keptRank - 1)));
  conditions.push_back(select(isDropped, dropFits, equal(whole, other)));
}

void ReadShapes::reduce(Operation *op) {
  Value data = op->getOperand(0), axes = op->getOperand(1), result = op->getResult(0);
  auto keepDims = op->getAttrOfType<IntegerAttr>("keepdims");
  if (onnx::isAbsent(axes) || !isVector(axes) || count(axes) == 0 || rank(data) == 0)
    return;
  Value mask = maskOf(axes, rank(data)), dropped = least(sum(mask, 0), ints(1)), whole = shape(data);
  requireDistinct(mask, length(axes));
  auto keepsAll = op->getAttrOfType<IntegerAttr>("noop_with_empty_axes");
  if (!count(axes) && (!keepsAll || keepsAll.getInt() == 0)) // no axes are all
    dropped = select(equal(length(axes), ints(0)), ints(1), dropped);
  if (keepDims && keepDims.getInt() == 0)
    return requireKept(whole, shape(result), rank(result), dropped, /*onlyOnes=*/false);
  conditions.push_back(equal(shape(result), select(equal(dropped, ints(1)), ints(1), whole)));
}

/// Without axes, a Squeeze drops all dimensions of size 1.
void ReadShapes::squeeze(Value whole, Value axes, Value kept, bool isWithoutAxes) {
  if (onnx::isAbsent(axes) || !isVector(axes) || count(axes) == 0 || rank(whole) == 0)
    return;
  Value mask = maskOf(axes, rank(whole)), dropped = least(sum(mask, 0), ints(1)), sizes = shape(whole);
  requireDistinct(mask, length(axes));
  if (!count(axes) && isWithoutAxes)
    dropped = select(equal(length(axes), ints(0)), number(equal(sizes, ints(1))), dropped);
  requireKept(sizes, shape(kept), rank(kept), dropped, /*onlyOnes=*/true);
}

/// The value of -1 follows from the number of elements, which must not change.
void ReadShapes::reshape(onnx::ReshapeOp op) {
  int64_t from = rank(op.getData()), to = rank(op.getReshaped());
  std::optional<Value> read = numbers(op.getShape(), to);
  if (!read)
    return;
  Value asked = *read, out = shape(op.getReshaped()), isRest = equal(asked, ints(-1));
  Value fits = either(equal(asked, out), isRest);
  if (op.getAllowzero() == 0 && from > 0) {
    SmallVector<Value> kept = {part(shape(op.getData()), 0, std::min(from, to))};
    if (from < to)
      kept.push_back(ints(SmallVector<int64_t>(to - from, -1)));
    fits = either(fits, both(equal(asked, ints(0)), equal(b.concat(kept, 0), out)));
  }
  conditions.push_back(fits);
  conditions.push_back(less(total(number(isRest)), ints(2)));
}

/// That the input broadcasts to the result is required separately, as a relation between sizes.
void ReadShapes::expand(onnx::ExpandOp op) {
  int64_t from = rank(op.getInput()), to = rank(op.getOutput());
  std::optional<int64_t> read = count(op.getShape());
  if (to == 0 || !isVector(op.getShape()) || read > to || from > to)
    return;
  auto fill = [&](Value sizes, int64_t own) {
    return own == to  ? sizes
           : own == 0 ? ints(SmallVector<int64_t>(to, 1))
                      : b.concat({ints(SmallVector<int64_t>(to - own, 1)), sizes}, 0);
  };
  Value asked, own = fill(shape(op.getInput()), from), out = shape(op.getOutput());
  if (read) {
    asked = fill(vector(op.getShape()), *read);
  } else { // the numbers belong to the last dimensions
    Value sizes = vector(op.getShape()), count = length(sizes), place = sub(upTo(to), sub(ints(to), count));
    conditions.push_back(less(count, ints(to + 1)));
    asked = pick(b.concat({ints(1), sizes}, 0), add(greatest(least(place, sub(count, ints(1))), ints(-1)), ints(1)));
  }
  conditions.push_back(either(equal(asked, out), both(equal(asked, ints(1)), equal(own, out))));
}

void ReadShapes::tile(onnx::TileOp op) {
  std::optional<Value> read = numbers(op.getRepeats(), rank(op.getInput()));
  if (!read)
    return;
  Value repeats = *read, own = shape(op.getInput()), out = shape(op.getOutput());
  conditions.push_back(less(ints(-1), repeats));
  // With more repeats the product may not fit into 64 bits.
  conditions.push_back(
      both(equal(mul(repeats, own), out), either(less(repeats, add(out, ints(1))), equal(own, ints(0)))));
}

void ReadShapes::pad(onnx::PadOp op) {
  int64_t dims = rank(op.getData());
  bool hasAxes = !onnx::isAbsent(op.getAxes());
  std::optional<int64_t> axes = hasAxes ? count(op.getAxes()) : std::optional(dims);
  std::optional<Value> all = axes ? numbers(op.getPads(), 2 * *axes) : std::nullopt;
  if (!all)
    return;
  Value grown = add(part(*all, 0, *axes), part(*all, *axes, 2 * *axes)), own = shape(op.getData());
  if (hasAxes) {
    Value mask = maskOf(op.getAxes(), dims);
    requireDistinct(mask, ints(*axes));
    grown = sum(mul(mask, b.unsqueeze(grown, 1)), 0);
  }
  conditions.push_back(equal(add(own, grown), shape(op.getOutput())));
}

void ReadShapes::resize(onnx::ResizeOp op) {
  SmallVector<int64_t> axes =
      op.getAxes() ? SmallVector<int64_t>(*op.getAxes()) : llvm::to_vector(llvm::seq<int64_t>(0, rank(op.getX())));
  for (int64_t &axis : axes)
    axis += axis < 0 ? rank(op.getX()) : 0;
  Value out = pick(shape(op.getY()), ints(axes));
  int64_t scaledDims = axes.size();
  if (!onnx::isAbsent(op.getSizes())) {
    std::optional<Value> asked = numbers(op.getSizes(), scaledDims);
    if (!asked)
      return;
    conditions.push_back(less(ints(-1), *asked));
    conditions.push_back(equal(op.getKeepAspectRatioPolicy() == "stretch"
                                   ? *asked
                                   : keepAspectRatio(op, pick(shape(op.getX()), ints(axes)), *asked),
                               out));
  } else if (!onnx::isAbsent(op.getScales()) && scaledDims > 0 &&
             count(op.getScales()).value_or(scaledDims) == scaledDims) {
    conditions.push_back(equal(length(op.getScales()), ints(scaledDims)));
    // Rounded as for constant scales.
    Value own = b.cast(pick(shape(op.getX()), ints(axes)), b.getF32Type());
    Value scaled = b.make<onnx::FloorOp>(b.make<onnx::MulOp>({own, resized(op.getScales(), scaledDims, 1)}));
    conditions.push_back(equal(scaled, b.cast(out, b.getF32Type())));
  }
}

/// Returns, for each axis, its size scaled by the least or greatest of the scales that all axes ask for; halves are
/// rounded up.
Value ReadShapes::keepAspectRatio(onnx::ResizeOp op, Value own, Value asked) {
  // Requested sizes are clamped so that the products fit into 64 bits. A larger size cannot be that of the result.
  constexpr int64_t most = int64_t(1) << 30;
  Value from = greatest(own, ints(1)), twice = mul(b.unsqueeze(own, 1), mul(least(asked, ints(most)), ints(2)));
  Value scaled = div(add(twice, from), mul(from, ints(2)));
  NamedAttribute drop = b.attr("keepdims", 0);
  bool isLeast = op.getKeepAspectRatioPolicy() == "not_larger";
  return isLeast ? Value(b.make<onnx::ReduceMinOp>({scaled, ints(1)}, drop))
                 : Value(b.make<onnx::ReduceMaxOp>({scaled, ints(1)}, drop));
}

void ReadShapes::slice(onnx::SliceOp op) {
  int64_t dims = rank(op.getData());
  if (dims == 0 || !isVector(op.getStarts()) || count(op.getStarts()) == 0 || count(op.getStarts()) > dims)
    return;
  // If the number of slices is dynamic, rows beyond it change no dimension.
  std::optional<int64_t> known = count(op.getStarts());
  int64_t slices = known.value_or(dims);
  Value asked = length(op.getStarts());
  auto read = [&](Value operand, int64_t otherwise) {
    if (count(operand) != known || !known)
      conditions.push_back(equal(length(operand), asked));
    return vector(resized(operand, slices, otherwise));
  };
  Value starts = read(op.getStarts(), 0), ends = read(op.getEnds(), 0), axes = upTo(slices);
  if (!onnx::isAbsent(op.getAxes()))
    axes = read(op.getAxes(), dims);
  else if (!known)
    axes = select(less(axes, asked), axes, ints(dims));
  Value own = shape(op.getData()), mask = maskOf(axes, dims), zero = ints(0), one = ints(1);
  requireDistinct(mask, asked);
  Value size = sum(mul(mask, own), 1);
  Value step = onnx::isAbsent(op.getSteps()) ? ints(SmallVector<int64_t>(slices, 1)) : read(op.getSteps(), 1);
  conditions.push_back(isNot(equal(step, zero)));
  // Steps beyond all elements take the first one only, like any longer step, so they are clamped.
  constexpr int64_t most = int64_t(1) << 48;
  step = least(greatest(step, ints(-most)), ints(most));
  Value isBack = less(step, zero), stride = greatest(b.make<onnx::AbsOp>(step), one),
        last = select(isBack, sub(size, one), size);
  auto place = [&](Value bound, Value first) {
    return least(greatest(select(less(bound, zero), add(bound, size), bound), first), last);
  };
  Value start = place(starts, zero), end = place(ends, select(isBack, ints(-1), zero));
  Value distance = greatest(select(isBack, sub(start, end), sub(end, start)), zero);
  Value sliced = div(add(distance, sub(stride, one)), stride);
  Value found = select(equal(sum(mask, 0), zero), own, sum(mul(mask, b.unsqueeze(sliced, 1)), 0));
  conditions.push_back(equal(found, shape(op.getOutput())));
}

void ReadShapes::split(onnx::SplitOp op) {
  std::optional<Value> sizes =
      onnx::isAbsent(op.getSplit()) ? std::nullopt : numbers(op.getSplit(), op.getOutputs().size());
  if (!sizes)
    return;
  int64_t axis = op.getAxis() < 0 ? op.getAxis() + rank(op.getInput()) : op.getAxis();
  SmallVector<int64_t> places;
  SmallVector<Value> found;
  for (auto [number, output] : llvm::enumerate(op.getOutputs())) {
    if (onnx::isAbsent(output))
      continue;
    const Dim dim = (*onnx::getDims(output))[axis];
    places.push_back(number);
    found.push_back(dim.isStatic() ? ints(dim.getSize()) : b.sizeOf(output, axis));
  }
  if (!found.empty())
    conditions.push_back(equal(pick(*sizes, ints(places)), b.concat(found, 0)));
}

/// The number of columns is the number of positions of the block.
void ReadShapes::col2im(onnx::Col2ImOp op) {
  int64_t axes = rank(op.getOutput()) - 2;
  std::optional<Value> image = numbers(op.getImageShape(), axes), block = numbers(op.getBlockShape(), axes);
  if (!image || !block)
    return;
  auto given = [&](std::optional<ArrayRef<int64_t>> values, size_t size, int64_t otherwise) {
    return values ? SmallVector<int64_t>(*values) : SmallVector<int64_t>(size, otherwise);
  };
  SmallVector<int64_t> pads = given(op.getPads(), 2 * axes, 0), around;
  for (int64_t axis = 0; axis < axes; ++axis)
    around.push_back(pads[axis] + pads[axis + axes]);
  Value one = ints(1), columns = shape(op.getInput());
  sized(op.getOutput(), 2, axes, *image);
  conditions.push_back(less(ints(0), *block));
  conditions.push_back(equal(mul(product(*block), b.sizeOf(op.getOutput(), 1)), part(columns, 1, 2)));
  Value extent = add(mul(sub(*block, one), ints(given(op.getDilations(), axes, 1))), one),
        room = sub(add(*image, ints(around)), extent);
  conditions.push_back(less(ints(-1), room));
  Value places = add(div(greatest(room, ints(0)), ints(given(op.getStrides(), axes, 1))), one);
  conditions.push_back(equal(product(places), part(columns, 2, 3)));
}

void ReadShapes::centerCropPad(onnx::CenterCropPadOp op) {
  int64_t dims = rank(op.getInputData());
  SmallVector<int64_t> axes =
      op.getAxes() ? SmallVector<int64_t>(*op.getAxes()) : llvm::to_vector(llvm::seq<int64_t>(0, dims));
  for (int64_t &axis : axes)
    axis += axis < 0 ? dims : 0;
  if (std::optional<Value> asked = numbers(op.getShape(), axes.size()))
    conditions.push_back(equal(*asked, pick(shape(op.getOutputData()), ints(axes))));
}

void ReadShapes::dft(onnx::DFTOp op) {
  int64_t signalDims = rank(op.getInput()) - 1;
  bool isReal = op.getOnesided() != 0 && op.getInverse() != 0;
  Value own = part(shape(op.getInput()), 0, signalDims), out = part(shape(op.getOutput()), 0, signalDims), length = own;
  if (isReal)
    length = mul(sub(own, ints(1)), ints(2));
  if (!onnx::isAbsent(op.getDftLength())) {
    std::optional<Value> read = numbers(op.getDftLength(), 1);
    if (!read)
      return;
    length = *read;
  }
  Value isAlong;
  if (std::optional<int64_t> axis = op.getKnownAxis(signalDims + 1)) {
    isAlong = equal(upTo(signalDims), ints(*axis));
  } else if (std::optional<Value> read = numbers(op.getAxis(), 1)) {
    // The last dimension holds real and imaginary parts and is not a signal dimension.
    Value mask = part(b.reshape(maskOf(*read, signalDims + 1), {-1}), 0, signalDims);
    conditions.push_back(equal(total(mask), ints(1)));
    isAlong = equal(mask, ints(1));
  } else {
    return;
  }
  Value found = op.getOnesided() != 0 && !isReal ? bins(length) : length;
  conditions.push_back(either(isNot(isAlong), less(ints(0), length)));
  conditions.push_back(equal(out, select(isAlong, found, own)));
}

/// The result has the shape of the data, whatever the axis.
void ReadShapes::cumulate(Value data, Value axis) {
  if (std::optional<Value> read = numbers(axis, 1); read && rank(data) > 0)
    conditions.push_back(equal(total(sum(maskOf(*read, rank(data)), 0)), ints(1)));
}

void ReadShapes::stft(onnx::STFTOp op) {
  std::optional<Value> readStep = numbers(op.getFrameStep(), 1);
  std::optional<Value> readLength =
      onnx::isAbsent(op.getFrameLength()) ? length(op.getWindow()) : numbers(op.getFrameLength(), 1);
  if (!readStep || !readLength)
    return;
  Value step = *readStep, length = *readLength, room = sub(b.sizeOf(op.getSignal(), 1), length);
  for (Value positive : {step, length, add(room, ints(1))})
    conditions.push_back(less(ints(0), positive));
  sized(op.getOutput(), 1, 1, add(div(room, greatest(step, ints(1))), ints(1)));
  sized(op.getOutput(), 2, 1, op.getOnesided() != 0 ? bins(length) : length);
}

void ReadShapes::sized(Value result, int64_t first, int64_t dims, Value sizes) {
  if (std::optional<Value> read = numbers(sizes, dims))
    conditions.push_back(equal(*read, part(shape(result), first, first + dims)));
}

SmallVector<Value> ReadShapes::of(Operation *op) {
  auto fromFront = [](int64_t axis, Value result) { return axis < 0 ? axis + rank(result) : axis; };
  llvm::TypeSwitch<Operation *>(op)
      .Case<onnx::ReduceL1Op, onnx::ReduceL2Op, onnx::ReduceLogSumOp, onnx::ReduceLogSumExpOp, onnx::ReduceMaxOp,
            onnx::ReduceMeanOp, onnx::ReduceMinOp, onnx::ReduceProdOp, onnx::ReduceSumOp, onnx::ReduceSumSquareOp>(
          [&](auto each) { reduce(each); })
      .Case([&](onnx::SqueezeOp each) {
        squeeze(each.getData(), each.getAxes(), each.getSqueezed(), /*isWithoutAxes=*/true);
      })
      .Case([&](onnx::UnsqueezeOp each) {
        squeeze(each.getExpanded(), each.getAxes(), each.getData(), /*isWithoutAxes=*/false);
      })
      .Case([&](onnx::ReshapeOp each) { reshape(each); })
      .Case([&](onnx::ExpandOp each) { expand(each); })
      .Case([&](onnx::TileOp each) { tile(each); })
      .Case([&](onnx::PadOp each) { pad(each); })
      .Case([&](onnx::ResizeOp each) { resize(each); })
      .Case([&](onnx::SliceOp each) { slice(each); })
      .Case([&](onnx::SplitOp each) { split(each); })
      .Case([&](onnx::Col2ImOp each) { col2im(each); })
      .Case([&](onnx::ConstantOfShapeOp each) { sized(each.getOutput(), 0, rank(each.getOutput()), each.getInput()); })
      .Case([&](onnx::TopKOp each) {
        sized(each.getValues(), fromFront(each.getAxis(), each.getValues()), 1, each.getK());
      })
      .Case([&](onnx::OneHotOp each) {
        sized(each.getOutput(), fromFront(each.getAxis(), each.getOutput()), 1, each.getDepth());
      })
      .Case([&](onnx::MaxUnpoolOp each) {
        if (!onnx::isAbsent(each.getOutputShape()))
          sized(each.getOutput(), 0, rank(each.getOutput()), each.getOutputShape());
      })
      .Case([&](onnx::CenterCropPadOp each) { centerCropPad(each); })
      .Case([&](onnx::AffineGridOp each) {
        int64_t dims = rank(each.getGrid());
        if (std::optional<Value> read = numbers(each.getSize(), dims)) {
          sized(each.getGrid(), 0, 1, part(*read, 0, 1));
          sized(each.getGrid(), 1, dims - 2, part(*read, 2, dims));
        }
      })
      .Case([&](onnx::MelWeightMatrixOp each) {
        sized(each.getOutput(), 0, 1, bins(vector(each.getDftLength())));
        sized(each.getOutput(), 1, 1, each.getNumMelBins());
      })
      .Case([&](onnx::DFTOp each) { dft(each); })
      .Case([&](onnx::STFTOp each) { stft(each); })
      .Case<onnx::HannWindowOp, onnx::HammingWindowOp, onnx::BlackmanWindowOp>(
          [&](auto each) { sized(each->getResult(0), 0, 1, each->getOperand(0)); })
      .Case<onnx::CumSumOp, onnx::CumProdOp>([&](auto each) { cumulate(each->getOperand(0), each->getOperand(1)); });
  return std::move(conditions);
}

} // namespace

SmallVector<Value> compareReadShapes(OnnxBuilder &builder, onnx::OnnxOp op) { return ReadShapes(builder).of(op); }

} // namespace cameo::graph
