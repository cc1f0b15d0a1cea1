#include "passes/Graph/ReadShapes.h"

#include "dialects/Onnx/DimList.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cameo::graph {
namespace {

/// Makes the formulas, on vectors of i64. Shapes are those of the types, whose names the run knows.
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
  /// A vector of so many numbers, or a scalar as a vector of one.
  Value vector(Value x) { return b.reshape(number(x), {-1}); }
  Value upTo(int64_t end) { return ints(llvm::to_vector(llvm::seq<int64_t>(0, end))); }

  static int64_t rank(Value x) { return std::ssize(*onnx::getDims(x)); }
  /// Of a vector; nothing where it is not known.
  static std::optional<int64_t> count(Value x) {
    std::optional<onnx::DimList> dims = onnx::getDims(x);
    return dims && dims->size() == 1 && dims->front().isStatic() ? std::optional(dims->front().getSize()) : std::nullopt;
  }
  static bool isOne(Value x) {
    auto type = dyn_cast<RankedTensorType>(x.getType());
    return type && type.hasStaticShape() && type.getNumElements() == 1;
  }

  /// A row per axis that is read: 1 in the column of the dimension that it names, of so many.
  Value maskOf(Value axes, int64_t rank);
  /// Whether each row names a dimension, and each another one.
  void requireDistinct(Value mask);
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
  void squeeze(Value whole, Value axes, Value kept);
  void col2im(onnx::Col2ImOp op);
  void centerCropPad(onnx::CenterCropPadOp op);
  void dft(onnx::DFTOp op);
  void stft(onnx::STFTOp op);
  /// Of a real transform that leaves out its second half.
  Value bins(Value length) { return add(div(length, ints(2)), ints(1)); }
  /// `sizes` are those of the dimensions from `first` on.
  void sized(Value result, int64_t first, Value sizes);

  OnnxBuilder &b;
  SmallVector<Value> conditions;
};

Value ReadShapes::maskOf(Value axes, int64_t rank) {
  Value read = vector(axes);
  Value column = b.unsqueeze(select(less(read, ints(0)), add(read, ints(rank)), read), 1);
  return number(equal(column, upTo(rank)));
}

void ReadShapes::requireDistinct(Value mask) {
  conditions.push_back(equal(sum(mask, 1), ints(1)));
  conditions.push_back(less(sum(mask, 0), ints(2)));
}

/// The dimensions of `whole` that are not dropped are those of `kept`, in their order.
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
  if (onnx::isAbsent(axes) || count(axes).value_or(0) == 0 || rank(data) == 0)
    return;
  Value mask = maskOf(axes, rank(data)), dropped = least(sum(mask, 0), ints(1)), whole = shape(data);
  requireDistinct(mask);
  if (keepDims && keepDims.getInt() == 0)
    return requireKept(whole, shape(result), rank(result), dropped, /*onlyOnes=*/false);
  conditions.push_back(equal(shape(result), select(equal(dropped, ints(1)), ints(1), whole)));
}

void ReadShapes::squeeze(Value whole, Value axes, Value kept) {
  if (onnx::isAbsent(axes) || count(axes).value_or(0) == 0)
    return;
  Value mask = maskOf(axes, rank(whole));
  requireDistinct(mask);
  requireKept(shape(whole), shape(kept), rank(kept), least(sum(mask, 0), ints(1)), /*onlyOnes=*/true);
}

/// What -1 stands for follows from the number of elements, which is required to stay.
void ReadShapes::reshape(onnx::ReshapeOp op) {
  int64_t from = rank(op.getData()), to = rank(op.getReshaped());
  if (to == 0 || count(op.getShape()) != to)
    return;
  Value asked = vector(op.getShape()), out = shape(op.getReshaped()), isRest = equal(asked, ints(-1));
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

/// That the input broadcasts to the result is required of the sizes.
void ReadShapes::expand(onnx::ExpandOp op) {
  int64_t from = rank(op.getInput()), to = rank(op.getOutput());
  std::optional<int64_t> read = count(op.getShape());
  if (to == 0 || !read || *read > to || from > to)
    return;
  auto fill = [&](Value sizes, int64_t own) {
    return own == to ? sizes : own == 0 ? ints(SmallVector<int64_t>(to, 1)) : b.concat({ints(SmallVector<int64_t>(to - own, 1)), sizes}, 0);
  };
  Value asked = fill(vector(op.getShape()), *read), own = fill(shape(op.getInput()), from), out = shape(op.getOutput());
  conditions.push_back(either(equal(asked, out), both(equal(asked, ints(1)), equal(own, out))));
}

void ReadShapes::tile(onnx::TileOp op) {
  if (rank(op.getInput()) == 0 || count(op.getRepeats()) != rank(op.getInput()))
    return;
  Value repeats = vector(op.getRepeats()), own = shape(op.getInput()), out = shape(op.getOutput());
  conditions.push_back(less(ints(-1), repeats));
  // Of more repeats the product may not fit into 64 bits.
  conditions.push_back(both(equal(mul(repeats, own), out), either(less(repeats, add(out, ints(1))), equal(own, ints(0)))));
}

void ReadShapes::pad(onnx::PadOp op) {
  int64_t dims = rank(op.getData());
  bool hasAxes = !onnx::isAbsent(op.getAxes());
  std::optional<int64_t> pads = count(op.getPads()), axes = hasAxes ? count(op.getAxes()) : std::optional(dims);
  if (!pads || !axes || *axes == 0 || *pads != 2 * *axes)
    return;
  Value all = vector(op.getPads()), grown = add(part(all, 0, *axes), part(all, *axes, *pads)), own = shape(op.getData());
  if (hasAxes) {
    Value mask = maskOf(op.getAxes(), dims);
    requireDistinct(mask);
    grown = sum(mul(mask, b.unsqueeze(grown, 1)), 0);
  }
  conditions.push_back(equal(add(own, grown), shape(op.getOutput())));
}

void ReadShapes::resize(onnx::ResizeOp op) {
  SmallVector<int64_t> axes = op.getAxes() ? SmallVector<int64_t>(*op.getAxes()) : llvm::to_vector(llvm::seq<int64_t>(0, rank(op.getX())));
  for (int64_t &axis : axes)
    axis += axis < 0 ? rank(op.getX()) : 0;
  Value out = pick(shape(op.getY()), ints(axes));
  if (!onnx::isAbsent(op.getSizes()) && count(op.getSizes()) == std::ssize(axes)) {
    Value asked = vector(op.getSizes());
    conditions.push_back(less(ints(-1), asked));
    conditions.push_back(equal(op.getKeepAspectRatioPolicy() == "stretch" ? asked : keepAspectRatio(op, pick(shape(op.getX()), ints(axes)), asked), out));
  } else if (!onnx::isAbsent(op.getScales()) && count(op.getScales()) == std::ssize(axes)) {
    // Rounded as for scales that are constants.
    Value own = b.cast(pick(shape(op.getX()), ints(axes)), b.getF32Type());
    Value scaled = b.make<onnx::FloorOp>(b.make<onnx::MulOp>({own, op.getScales()}));
    conditions.push_back(equal(scaled, b.cast(out, b.getF32Type())));
  }
}

/// A row per axis: its size scaled as each of the axes asks for, halves rounded up, of which the least or the greatest counts.
Value ReadShapes::keepAspectRatio(onnx::ResizeOp op, Value own, Value asked) {
  // The size of an axis is at most what is asked of it, or at least: where that is more than memory holds, it is not the stated one.
  constexpr int64_t most = int64_t(1) << 30;
  Value from = greatest(own, ints(1)), twice = mul(b.unsqueeze(own, 1), mul(least(asked, ints(most)), ints(2)));
  Value scaled = div(add(twice, from), mul(from, ints(2)));
  NamedAttribute drop = b.attr("keepdims", 0);
  bool isLeast = op.getKeepAspectRatioPolicy() == "not_larger";
  return isLeast ? Value(b.make<onnx::ReduceMinOp>({scaled, ints(1)}, drop)) : Value(b.make<onnx::ReduceMaxOp>({scaled, ints(1)}, drop));
}

void ReadShapes::slice(onnx::SliceOp op) {
  int64_t dims = rank(op.getData());
  std::optional<int64_t> slices = count(op.getStarts());
  auto fits = [&](Value operand) { return onnx::isAbsent(operand) || count(operand) == slices; };
  if (!slices || *slices == 0 || *slices > dims || !fits(op.getEnds()) || !fits(op.getAxes()) || !fits(op.getSteps()))
    return;
  Value own = shape(op.getData()), mask = maskOf(onnx::isAbsent(op.getAxes()) ? upTo(*slices) : Value(op.getAxes()), dims);
  requireDistinct(mask);
  Value size = sum(mul(mask, own), 1), zero = ints(0), one = ints(1);
  Value step = onnx::isAbsent(op.getSteps()) ? ints(SmallVector<int64_t>(*slices, 1)) : vector(op.getSteps());
  conditions.push_back(isNot(equal(step, zero)));
  // A step beyond all elements takes the first alone, as a longer one does.
  constexpr int64_t most = int64_t(1) << 48;
  step = least(greatest(step, ints(-most)), ints(most));
  Value isBack = less(step, zero), stride = greatest(b.make<onnx::AbsOp>(step), one), last = select(isBack, sub(size, one), size);
  auto place = [&](Value bound, Value first) {
    Value read = vector(bound);
    return least(greatest(select(less(read, zero), add(read, size), read), first), last);
  };
  Value start = place(op.getStarts(), zero), end = place(op.getEnds(), select(isBack, ints(-1), zero));
  Value distance = greatest(select(isBack, sub(start, end), sub(end, start)), zero);
  Value sliced = div(add(distance, sub(stride, one)), stride);
  Value found = select(equal(sum(mask, 0), zero), own, sum(mul(mask, b.unsqueeze(sliced, 1)), 0));
  conditions.push_back(equal(found, shape(op.getOutput())));
}

void ReadShapes::split(onnx::SplitOp op) {
  if (onnx::isAbsent(op.getSplit()) || count(op.getSplit()) != std::ssize(op.getOutputs()))
    return;
  int64_t axis = op.getAxis() < 0 ? op.getAxis() + rank(op.getInput()) : op.getAxis();
  Value sizes = vector(op.getSplit());
  for (auto [number, output] : llvm::enumerate(op.getOutputs()))
    if (!onnx::isAbsent(output))
      conditions.push_back(equal(part(sizes, number, number + 1), b.sizeOf(output, axis)));
}

/// There are as many columns as the block has places.
void ReadShapes::col2im(onnx::Col2ImOp op) {
  std::optional<int64_t> axes = count(op.getImageShape());
  if (!axes || *axes == 0 || count(op.getBlockShape()) != axes)
    return;
  auto given = [&](std::optional<ArrayRef<int64_t>> values, size_t size, int64_t otherwise) {
    return values ? SmallVector<int64_t>(*values) : SmallVector<int64_t>(size, otherwise);
  };
  SmallVector<int64_t> pads = given(op.getPads(), 2 * *axes, 0), around;
  for (int64_t axis = 0; axis < *axes; ++axis)
    around.push_back(pads[axis] + pads[axis + *axes]);
  Value image = vector(op.getImageShape()), block = vector(op.getBlockShape()), one = ints(1), columns = shape(op.getInput());
  sized(op.getOutput(), 2, image);
  conditions.push_back(less(ints(0), block));
  conditions.push_back(equal(mul(product(block), b.sizeOf(op.getOutput(), 1)), part(columns, 1, 2)));
  Value extent = add(mul(sub(block, one), ints(given(op.getDilations(), *axes, 1))), one), room = sub(add(image, ints(around)), extent);
  conditions.push_back(less(ints(-1), room));
  Value places = add(div(greatest(room, ints(0)), ints(given(op.getStrides(), *axes, 1))), one);
  conditions.push_back(equal(product(places), part(columns, 2, 3)));
}

void ReadShapes::centerCropPad(onnx::CenterCropPadOp op) {
  int64_t dims = rank(op.getInputData());
  SmallVector<int64_t> axes = op.getAxes() ? SmallVector<int64_t>(*op.getAxes()) : llvm::to_vector(llvm::seq<int64_t>(0, dims));
  for (int64_t &axis : axes)
    axis += axis < 0 ? dims : 0;
  if (!axes.empty() && count(op.getShape()) == std::ssize(axes))
    conditions.push_back(equal(vector(op.getShape()), pick(shape(op.getOutputData()), ints(axes))));
}

void ReadShapes::dft(onnx::DFTOp op) {
  std::optional<int64_t> axis = op.getKnownAxis(rank(op.getInput()));
  if (!axis || onnx::isAbsent(op.getDftLength()) || !isOne(op.getDftLength()))
    return;
  Value length = vector(op.getDftLength());
  sized(op.getOutput(), *axis, op.getOnesided() != 0 && op.getInverse() == 0 ? bins(length) : length);
}

void ReadShapes::stft(onnx::STFTOp op) {
  if (!isOne(op.getFrameStep()) || (!onnx::isAbsent(op.getFrameLength()) && !isOne(op.getFrameLength())))
    return;
  Value length = onnx::isAbsent(op.getFrameLength()) ? b.sizeOf(op.getWindow(), 0) : vector(op.getFrameLength());
  Value step = vector(op.getFrameStep()), room = sub(b.sizeOf(op.getSignal(), 1), length);
  for (Value positive : {step, length, add(room, ints(1))})
    conditions.push_back(less(ints(0), positive));
  sized(op.getOutput(), 1, add(div(room, greatest(step, ints(1))), ints(1)));
  sized(op.getOutput(), 2, op.getOnesided() != 0 ? bins(length) : length);
}

void ReadShapes::sized(Value result, int64_t first, Value sizes) {
  if (isOne(sizes) || count(sizes).value_or(0) > 0)
    conditions.push_back(equal(vector(sizes), part(shape(result), first, first + count(sizes).value_or(1))));
}

SmallVector<Value> ReadShapes::of(Operation *op) {
  auto fromFront = [](int64_t axis, Value result) { return axis < 0 ? axis + rank(result) : axis; };
  llvm::TypeSwitch<Operation *>(op)
      .Case<onnx::ReduceL1Op, onnx::ReduceL2Op, onnx::ReduceLogSumOp, onnx::ReduceLogSumExpOp, onnx::ReduceMaxOp, onnx::ReduceMeanOp,
            onnx::ReduceMinOp, onnx::ReduceProdOp, onnx::ReduceSumOp, onnx::ReduceSumSquareOp>([&](auto each) { reduce(each); })
      .Case([&](onnx::SqueezeOp each) { squeeze(each.getData(), each.getAxes(), each.getSqueezed()); })
      .Case([&](onnx::UnsqueezeOp each) { squeeze(each.getExpanded(), each.getAxes(), each.getData()); })
      .Case([&](onnx::ReshapeOp each) { reshape(each); })
      .Case([&](onnx::ExpandOp each) { expand(each); })
      .Case([&](onnx::TileOp each) { tile(each); })
      .Case([&](onnx::PadOp each) { pad(each); })
      .Case([&](onnx::ResizeOp each) { resize(each); })
      .Case([&](onnx::SliceOp each) { slice(each); })
      .Case([&](onnx::SplitOp each) { split(each); })
      .Case([&](onnx::Col2ImOp each) { col2im(each); })
      .Case([&](onnx::ConstantOfShapeOp each) { sized(each.getOutput(), 0, each.getInput()); })
      .Case([&](onnx::TopKOp each) { sized(each.getValues(), fromFront(each.getAxis(), each.getValues()), each.getK()); })
      .Case([&](onnx::OneHotOp each) { sized(each.getOutput(), fromFront(each.getAxis(), each.getOutput()), each.getDepth()); })
      .Case([&](onnx::MaxUnpoolOp each) {
        if (!onnx::isAbsent(each.getOutputShape()))
          sized(each.getOutput(), 0, each.getOutputShape());
      })
      .Case([&](onnx::CenterCropPadOp each) { centerCropPad(each); })
      .Case([&](onnx::AffineGridOp each) {
        if (int64_t dims = rank(each.getGrid()); count(each.getSize()) == dims) {
          sized(each.getGrid(), 0, part(vector(each.getSize()), 0, 1));
          sized(each.getGrid(), 1, part(vector(each.getSize()), 2, dims));
        }
      })
      .Case([&](onnx::MelWeightMatrixOp each) {
        sized(each.getOutput(), 0, bins(vector(each.getDftLength())));
        sized(each.getOutput(), 1, each.getNumMelBins());
      })
      .Case([&](onnx::DFTOp each) { dft(each); })
      .Case([&](onnx::STFTOp each) { stft(each); })
      .Case<onnx::HannWindowOp, onnx::HammingWindowOp, onnx::BlackmanWindowOp>([&](auto each) { sized(each->getResult(0), 0, each->getOperand(0)); });
  return std::move(conditions);
}

} // namespace

SmallVector<Value> compareReadShapes(OnnxBuilder &builder, onnx::OnnxOp op) { return ReadShapes(builder).of(op); }

} // namespace cameo::graph
