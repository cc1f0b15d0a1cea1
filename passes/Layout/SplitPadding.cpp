// --split-padding: the padding of windows becomes ops of its own, shared among all windows that look at one value.
#include "passes/Layout/Passes.h"
#include "passes/Layout/PermutedValues.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"

#include <limits>

using namespace mlir;
using namespace cameo::layout;

namespace cameo {

#define GEN_PASS_DEF_SPLITPADDINGPASS
#include "passes/Layout/Passes.h.inc"

namespace {

using Ints = SmallVector<int64_t>;

/// What surrounds the value that a window looks at.
struct Border {
  enum class Kind { Zero, Lowest, ZeroPoint } kind;
  std::optional<int64_t> number = std::nullopt; ///< the zero point of quantised values, if it is known when compiling
  Value zeroPoint = {};                         ///< otherwise
};

/// One use that wants padding: amounts for every dimension, begins first, then ends.
struct PaddingRequest {
  OpOperand *use;
  Ints pads;
  Border border;
};

bool isAllZero(ArrayRef<int64_t> numbers) {
  return llvm::all_of(numbers, [](int64_t number) { return number == 0; });
}

std::optional<Border> getBorder(Operation *op) {
  if (isa<onnx::ConvOp>(op))
    return Border{Border::Kind::Zero};
  if (auto conv = dyn_cast<onnx::ConvIntegerOp>(op)) {
    if (onnx::isAbsent(conv.getXZeroPoint()))
      return Border{Border::Kind::Zero};
    auto type = dyn_cast<RankedTensorType>(conv.getXZeroPoint().getType());
    if (!type || !type.hasStaticShape() || type.getNumElements() != 1)
      return std::nullopt;
    if (std::optional<Ints> zero = onnx::getConstantInts(conv.getXZeroPoint()))
      return Border{Border::Kind::ZeroPoint, zero->front()};
    return Border{Border::Kind::ZeroPoint, std::nullopt, conv.getXZeroPoint()};
  }
  // Pools in the order of the model copy a plane into the first-level cache.
  auto pool = dyn_cast<onnx::ChannelsLastOp>(op);
  if (!pool || !pool.isChannelsLast())
    return std::nullopt;
  if (isa<onnx::LpPoolOp>(op))
    return Border{Border::Kind::Zero};
  auto average = dyn_cast<onnx::AveragePoolOp>(op);
  if (average && average.getCountIncludePad() && !average.getCeilMode())
    return Border{Border::Kind::Zero};
  auto max = dyn_cast<onnx::MaxPoolOp>(op);
  // Indices count in the unpadded value.
  if (max && max.getIndices().use_empty() && !max.getCeilMode())
    return Border{Border::Kind::Lowest};
  return std::nullopt;
}

/// Whether `a` is computed where `b` is, at the latest.
bool isBefore(Value a, Value b) {
  Operation *op = a.getDefiningOp(), *other = b.getDefiningOp();
  return !op || op == other || (other && op->getBlock() == other->getBlock() && op->isBeforeInBlock(other));
}

/// The request of an op, if it has padding of known size that can be split off. Sums of bytes are multiplied as bytes
/// only without padding, so those of dynamic sizes are padded, too.
std::optional<PaddingRequest> getRequest(Operation &op) {
  std::optional<Border> border = getBorder(&op);
  if (!border)
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op.getOperand(0).getType());
  auto pads = op.getAttrOfType<DenseI64ArrayAttr>("pads");
  auto autoPad = op.getAttrOfType<StringAttr>("auto_pad");
  bool hasSizes = type && (type.hasStaticShape() || (border->kind == Border::Kind::ZeroPoint && onnx::getDims(type)));
  if (!hasSizes || !pads || isAllZero(pads.asArrayRef()) || (autoPad && autoPad.getValue() != "NOTSET"))
    return std::nullopt;
  int64_t first = cast<onnx::ChannelsLastOp>(&op).isChannelsLast() ? 1 : 2, spatial = pads.size() / 2;
  Ints whole(2 * type.getRank(), 0);
  for (int64_t i = 0; i < spatial; ++i) {
    whole[first + i] = pads[i];
    whole[type.getRank() + first + i] = pads[spatial + i];
  }
  if (llvm::any_of(whole, [](int64_t pad) { return pad < 0; }))
    return std::nullopt;
  return PaddingRequest{&op.getOpOperand(0), whole, *border};
}

/// Whether the op that computes the value can write it into a larger buffer.
bool canWritePadded(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (op->hasTrait<onnx::PointwiseOnnxOp>() ||
                isa<onnx::ChannelsLastOp, onnx::ConcatOp, onnx::TransposeOp, onnx::SliceOp, onnx::MatMulOp,
                    onnx::GemmOp, onnx::QuantizeLinearOp, onnx::DequantizeLinearOp, onnx::DynamicQuantizeLinearOp>(op));
}

/// Whether the user reads part of a larger buffer as fast as a whole one. A 1x1 convolution does not: over a whole
/// buffer it is one loop over all pixels.
bool canReadPart(Operation *user) {
  auto pads = user->getAttrOfType<DenseI64ArrayAttr>("pads");
  if (pads && !isAllZero(pads.asArrayRef()))
    return false;
  if (isa<onnx::ConvOp, onnx::ConvIntegerOp>(user)) {
    auto isOne = [](int64_t number) { return number == 1; };
    auto weight = dyn_cast<RankedTensorType>(user->getOperand(1).getType());
    bool isPointwise = weight && llvm::all_of(weight.getShape().drop_front(2), isOne);
    auto strides = user->getAttrOfType<DenseI64ArrayAttr>("strides");
    bool steps = strides && !llvm::all_of(strides.asArrayRef(), isOne);
    return !isPointwise || steps;
  }
  return user->hasTrait<onnx::PointwiseOnnxOp>() ||
         isa<onnx::ConcatOp, onnx::SliceOp, onnx::MaxPoolOp, onnx::AveragePoolOp, onnx::QuantizeLinearOp,
             onnx::DequantizeLinearOp>(user);
}

class PaddingSplitter {
public:
  explicit PaddingSplitter(Block &block) : block(block), builder(block.getParentOp()->getContext()) {}

  void run();

private:
  void split(Value value, ArrayRef<PaddingRequest> requests);
  Value createFiller(Location loc, Type element, const Border &border);
  Value createPad(Value value, ArrayRef<int64_t> pads, const Border &border);
  Value createInside(Value padded, ArrayRef<Dim> sizes, ArrayRef<int64_t> pads, ArrayRef<int64_t> wanted);

  Block &block;
  OpBuilder builder;
};

Value PaddingSplitter::createFiller(Location loc, Type element, const Border &border) {
  if (border.kind == Border::Kind::Zero)
    return onnx::makeNone(builder, loc);
  if (border.zeroPoint)
    return cast<RankedTensorType>(border.zeroPoint.getType()).getRank() == 0
               ? border.zeroPoint
               : onnx::makeReshape(builder, loc, border.zeroPoint, {});
  Attribute number;
  if (border.number)
    number = IntegerAttr::get(element, *border.number);
  else if (auto real = dyn_cast<FloatType>(element))
    number = FloatAttr::get(real, APFloat::getInf(real.getFloatSemantics(), /*Negative=*/true));
  else
    number = IntegerAttr::get(element, element.isUnsignedInteger()
                                           ? APInt::getZero(element.getIntOrFloatBitWidth())
                                           : APInt::getSignedMinValue(element.getIntOrFloatBitWidth()));
  auto scalar = RankedTensorType::get({}, element);
  return onnx::ConstantOp::create(builder, loc, scalar, DenseElementsAttr::get(scalar, number));
}

Value PaddingSplitter::createPad(Value value, ArrayRef<int64_t> pads, const Border &border) {
  onnx::DimList shape = *onnx::getDims(value);
  for (auto [i, extent] : llvm::enumerate(shape))
    extent = extent + pads[i] + pads[shape.size() + i];
  Type element = getElementTypeOrSelf(value.getType());
  Location loc = value.getLoc();
  return onnx::PadOp::create(builder, loc, TypeRange(onnx::makeTensorType(shape, element)),
                             ValueRange{value, onnx::makeIntsConstant(builder, loc, pads),
                                        createFiller(loc, element, border), onnx::makeNone(builder, loc)},
                             ArrayRef<NamedAttribute>{});
}

/// The part of `padded` that has only `wanted` of its padding.
Value PaddingSplitter::createInside(Value padded, ArrayRef<Dim> sizes, ArrayRef<int64_t> pads,
                                    ArrayRef<int64_t> wanted) {
  if (pads == wanted)
    return padded;
  Ints starts, ends, axes;
  onnx::DimList shape;
  int64_t rank = sizes.size();
  for (int64_t i = 0; i < rank; ++i) {
    int64_t start = pads[i] - wanted[i], less = pads[rank + i] - wanted[rank + i];
    Dim size = sizes[i] + wanted[i] + wanted[rank + i];
    shape.push_back(size);
    if (start == 0 && less == 0)
      continue;
    starts.push_back(start);
    // Of a dynamic size all but the last `less` elements.
    ends.push_back(size.isStatic() ? start + size.getSize() : less > 0 ? -less : std::numeric_limits<int64_t>::max());
    axes.push_back(i);
  }
  Location loc = padded.getLoc();
  RankedTensorType type = onnx::makeTensorType(shape, getElementTypeOrSelf(padded.getType()));
  return onnx::SliceOp::create(builder, loc, TypeRange(type),
                               ValueRange{padded, onnx::makeIntsConstant(builder, loc, starts),
                                          onnx::makeIntsConstant(builder, loc, ends),
                                          onnx::makeIntsConstant(builder, loc, axes),
                                          onnx::makeIntsConstant(builder, loc, Ints(axes.size(), 1))},
                               ArrayRef<NamedAttribute>{});
}

/// All requests have one border: a single buffer with the widest padding serves them.
void PaddingSplitter::split(Value value, ArrayRef<PaddingRequest> requests) {
  Ints widest = requests.front().pads;
  DenseSet<OpOperand *> padded;
  for (const PaddingRequest &request : requests) {
    padded.insert(request.use);
    for (auto [most, pad] : llvm::zip(widest, request.pads))
      most = std::max(most, pad);
  }
  SmallVector<OpOperand *> others;
  for (OpOperand &use : value.getUses())
    if (!padded.contains(&use))
      others.push_back(&use);

  const Border &border = requests.front().border;
  bool waits = border.zeroPoint && !isBefore(border.zeroPoint, value);
  builder.setInsertionPointAfterValue(waits ? border.zeroPoint : value);
  onnx::DimList sizes = *onnx::getDims(value);
  Value pad = createPad(value, widest, border);
  DenseMap<ArrayRef<int64_t>, Value> parts;
  for (const PaddingRequest &request : requests) {
    Value &part = parts[request.pads];
    if (!part)
      part = createInside(pad, sizes, widest, request.pads);
    Operation *user = request.use->getOwner();
    request.use->set(part);
    size_t count = user->getAttrOfType<DenseI64ArrayAttr>("pads").size();
    user->setAttr("pads", builder.getDenseI64ArrayAttr(Ints(count, 0)));
  }
  bool allReadParts = llvm::all_of(others, [](OpOperand *use) { return canReadPart(use->getOwner()); });
  if (others.empty() || !allReadParts || !canWritePadded(value) || waits)
    return;
  Value inside = createInside(pad, sizes, widest, Ints(widest.size(), 0));
  for (OpOperand *use : others)
    use->set(inside);
}

void PaddingSplitter::run() {
  llvm::MapVector<std::tuple<Value, Border::Kind, int64_t, Value>, SmallVector<PaddingRequest>> requests;
  for (Operation &op : block)
    if (std::optional<PaddingRequest> request = getRequest(op)) {
      const Border &border = request->border;
      requests[{request->use->get(), border.kind, border.number.value_or(0), border.zeroPoint}].push_back(*request);
    }
  for (auto &[key, group] : requests)
    split(std::get<0>(key), group);
}

struct SplitPaddingPass : impl::SplitPaddingPassBase<SplitPaddingPass> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      PaddingSplitter(block).run();
  }
};

} // namespace
} // namespace cameo
