// --fold-batch-norm: folds y = factor * x + shift per channel into the weights of the op before it.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/OnnxBuilder.h"
#include "passes/Graph/Passes.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include <cmath>

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_FOLDBATCHNORMPASS
#include "passes/Graph/Passes.h.inc"

namespace {

using Floats = SmallVector<float, 0>;

/// The map y = factor[c] * x + shift[c].
struct Affine {
  SmallVector<double, 0> factor, shift;

  bool hasShift() const {
    return llvm::any_of(shift, [](double number) { return number != 0.0; });
  }
};

/// Whether the value is a constant of f32 numbers.
bool isFloatConstant(Value value) {
  RankedTensorType type = getStaticType(value);
  return type && type.getElementType().isF32() && isa_and_nonnull<onnx::ConstantOp>(value.getDefiningOp());
}

std::optional<Floats> readFloats(Value value) {
  if (!isFloatConstant(value))
    return std::nullopt;
  std::optional<std::vector<char>> bytes = onnx::readConstant(value);
  if (!bytes)
    return std::nullopt;
  Floats floats(getStaticType(value).getNumElements());
  llvm::copy(*bytes, reinterpret_cast<char *>(floats.data()));
  return floats;
}

Value createFloats(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, ArrayRef<float> floats) {
  return onnx::makeConstant(builder, loc, RankedTensorType::get(shape, builder.getF32Type()), floats);
}

/// Returns the elements of a constant, one per index of `axis` of a tensor of this rank; nothing for other constants.
std::optional<Floats> readPerChannel(Value value, int64_t rank, int64_t axis, int64_t channels) {
  RankedTensorType type = getStaticType(value);
  if (!type || type.getRank() > rank)
    return std::nullopt;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.getDimSize(i) != 1 && i + rank - type.getRank() != axis)
      return std::nullopt;
  std::optional<Floats> floats = readFloats(value);
  if (!floats)
    return std::nullopt;
  if (floats->size() == 1)
    floats->assign(channels, floats->front());
  return static_cast<int64_t>(floats->size()) == channels ? floats : std::nullopt;
}

std::optional<Affine> readBatchNorm(onnx::BatchNormalizationOp op) {
  // Scale and statistics may have another element type than x and the result.
  auto scale = onnx::getConstantFloats(op.getScale()), bias = onnx::getConstantFloats(op.getB());
  auto mean = onnx::getConstantFloats(op.getInputMean()), variance = onnx::getConstantFloats(op.getInputVar());
  Type type = getElementTypeOrSelf(op.getX().getType());
  bool isSupported = type.isF32() || type.isF16() || type.isBF16();
  if (op.getTrainingMode() || !isSupported || !scale || !bias || !mean || !variance)
    return std::nullopt;
  Affine affine;
  for (auto [s, b, m, v] : llvm::zip(*scale, *bias, *mean, *variance)) {
    affine.factor.push_back(s / std::sqrt(v + op.getEpsilon()));
    affine.shift.push_back(b - m * affine.factor.back());
  }
  return affine;
}

/// Returns the op as an affine map of `x` with the channel axis `axis`; nothing for other ops.
std::optional<Affine> readAffine(Operation *op, Value x, int64_t axis) {
  auto type = dyn_cast<RankedTensorType>(x.getType());
  if (!type || op->getResult(0).getType() != type)
    return std::nullopt;
  if (auto norm = dyn_cast<onnx::BatchNormalizationOp>(op))
    return norm.getX() == x && axis == (norm.getChannelsLast() ? type.getRank() - 1 : 1) ? readBatchNorm(norm)
                                                                                         : std::nullopt;
  if (!isa<onnx::MulOp, onnx::DivOp, onnx::AddOp, onnx::SubOp>(op))
    return std::nullopt;
  bool isLeft = op->getOperand(0) == x;
  if (!isLeft && isa<onnx::DivOp, onnx::SubOp>(op))
    return std::nullopt;
  int64_t channels = type.getDimSize(axis);
  if (ShapedType::isDynamic(channels))
    return std::nullopt;
  std::optional<Floats> numbers = readPerChannel(op->getOperand(isLeft ? 1 : 0), type.getRank(), axis, channels);
  if (!numbers)
    return std::nullopt;
  Affine affine{SmallVector<double, 0>(channels, 1.0), SmallVector<double, 0>(channels, 0.0)};
  for (auto [index, number] : llvm::enumerate(*numbers)) {
    if (isa<onnx::MulOp>(op))
      affine.factor[index] = number;
    else if (isa<onnx::DivOp>(op))
      affine.factor[index] = 1.0 / number;
    else
      affine.shift[index] = isa<onnx::AddOp>(op) ? number : -number;
  }
  return affine;
}

/// The positions of output channels in result and weights of an op.
struct WeightLayout {
  int64_t channelAxis;  // of the result
  int64_t outer, inner; // weights: outer x channels x inner
  int64_t groups = 1;   // ConvTranspose: the outer dimension is divided into groups with separate channels
};

std::optional<WeightLayout> getWeightLayout(Operation *op) {
  RankedTensorType weight = op->getNumOperands() > 1 ? getStaticType(op->getOperand(1)) : RankedTensorType();
  auto result = op->getNumResults() > 0 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
  if (!weight || !result || weight.getNumElements() == 0)
    return std::nullopt;
  int64_t elements = weight.getNumElements(), rank = result.getRank();
  if (auto conv = dyn_cast<onnx::ConvOp>(op))
    return WeightLayout{conv.getChannelsLast() ? rank - 1 : 1, 1, elements / weight.getDimSize(0)};
  if (auto conv = dyn_cast<onnx::ConvTransposeOp>(op)) {
    int64_t inner = elements / weight.getDimSize(0) / weight.getDimSize(1);
    return WeightLayout{conv.getChannelsLast() ? rank - 1 : 1, weight.getDimSize(0), inner, conv.getGroup()};
  }
  if (auto gemm = dyn_cast<onnx::GemmOp>(op)) {
    if (gemm.getBeta() != 1.0f)
      return std::nullopt;
    return gemm.getTransB() ? WeightLayout{1, 1, weight.getDimSize(1)} : WeightLayout{1, weight.getDimSize(0), 1};
  }
  if (isa<onnx::MatMulOp>(op) && weight.getRank() == 2 && rank >= 2)
    return WeightLayout{rank - 1, weight.getDimSize(0), 1};
  return std::nullopt;
}

/// Returns a constant with the weights of each channel times its factor; null if they cannot be read. They are scaled
/// where they have been copied to: weights may be most of a model.
Value scaleWeights(OpBuilder &builder, Location loc, Value constant, const WeightLayout &layout,
                   ArrayRef<double> factor) {
  std::optional<std::vector<char>> bytes = onnx::readConstant(constant);
  if (!bytes)
    return nullptr;
  MutableArrayRef<float> weights(reinterpret_cast<float *>(bytes->data()), bytes->size() / sizeof(float));
  int64_t channels = weights.size() / layout.outer / layout.inner;
  for (int64_t outer = 0; outer < layout.outer; ++outer) {
    int64_t first = outer / (layout.outer / layout.groups) * channels;
    if (layout.groups == 1)
      first = 0;
    for (int64_t channel = 0; channel < channels; ++channel) {
      float *line = &weights[(outer * channels + channel) * layout.inner];
      for (int64_t i = 0; i < layout.inner; ++i)
        line[i] = static_cast<float>(line[i] * factor[first + channel]);
    }
  }
  return onnx::makeConstant(builder, loc, getStaticType(constant), std::move(*bytes));
}

/// Returns how many operands are the memory of each constant, transposed or not.
DenseMap<Attribute, unsigned> countReaders(Operation *root) {
  DenseMap<Attribute, unsigned> readers;
  root->walk([&](onnx::ConstantOp op) {
    if (DenseResourceElementsAttr resource = onnx::getResource(onnx::getConstantAttr(op.getResult())))
      readers[resource] += std::distance(op->use_begin(), op->use_end());
  });
  return readers;
}

struct FoldIntoWeights : RewritePattern {
  FoldIntoWeights(StringRef root, MLIRContext *context, const DenseMap<Attribute, unsigned> &readers)
      : RewritePattern(root, 2, context), readers(readers) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    for (Value x : op->getOperands().take_front(isa<onnx::BatchNormalizationOp>(op) ? 1 : 2)) {
      Operation *producer = x.getDefiningOp();
      std::optional<WeightLayout> layout = producer && x.hasOneUse() ? getWeightLayout(producer) : std::nullopt;
      std::optional<Affine> affine = layout ? readAffine(op, x, layout->channelAxis) : std::nullopt;
      if (affine && !wouldCopy(producer, *affine) && succeeded(fold(op, producer, *layout, *affine, rewriter)))
        return success();
    }
    return failure();
  }

private:
  const DenseMap<Attribute, unsigned> &readers;

  /// Whether scaled weights would be a second copy of a matrix, such as that of the embedding in a language model.
  bool wouldCopy(Operation *producer, const Affine &affine) const {
    bool isScaled = llvm::any_of(affine.factor, [](double number) { return number != 1.0; });
    return isScaled && isa<onnx::GemmOp, onnx::MatMulOp>(producer) &&
           readers.lookup(onnx::getResource(onnx::getConstantAttr(producer->getOperand(1)))) > 1;
  }

  static LogicalResult fold(Operation *op, Operation *producer, const WeightLayout &layout, const Affine &affine,
                            PatternRewriter &rewriter) {
    Value weight = producer->getOperand(1);
    bool takesBias = producer->getNumOperands() > 2;
    if (!isFloatConstant(weight) || (affine.hasShift() && !takesBias))
      return failure();
    int64_t channels = affine.factor.size();
    bool hasBias = takesBias && !isa<NoneType>(producer->getOperand(2).getType());
    Floats bias(channels, 0.0f);
    if (hasBias) {
      RankedTensorType type = getStaticType(producer->getOperand(2));
      std::optional<Floats> given =
          type ? readPerChannel(producer->getOperand(2), type.getRank(), type.getRank() - 1, channels) : std::nullopt;
      if (!given)
        return failure();
      bias = *given;
    }
    for (auto [index, number] : llvm::enumerate(bias))
      number = static_cast<float>(number * affine.factor[index] + affine.shift[index]);

    Location loc = rewriter.getFusedLoc({producer->getLoc(), op->getLoc()});
    rewriter.setInsertionPoint(producer);
    bool isScaled = llvm::any_of(affine.factor, [](double number) { return number != 1.0; });
    if (isScaled)
      weight = scaleWeights(rewriter, loc, weight, layout, affine.factor);
    if (!weight)
      return failure();
    rewriter.modifyOpInPlace(producer, [&] {
      producer->setOperand(1, weight);
      if (hasBias || affine.hasShift())
        producer->setOperand(2, createFloats(rewriter, loc, channels, bias));
      producer->setLoc(loc);
    });
    rewriter.replaceAllUsesWith(op->getResult(0), producer->getResult(0));
    rewriter.eraseOp(op);
    return success();
  }
};

/// Rewrites a BatchNormalization that cannot be folded to two elementwise ops, which fuse with their neighbours. They
/// compute in f32, also between casts from and to f16 and bf16: weights in these types would be rounded once more.
struct SplitBatchNorm : OpRewritePattern<onnx::BatchNormalizationOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::BatchNormalizationOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getX().getType());
    std::optional<Affine> affine = type ? readBatchNorm(op) : std::nullopt;
    if (!affine || !op.getRunningMean().use_empty() || !op.getRunningVar().use_empty())
      return failure();
    // Channels of a dynamic size would become as many as the constants have.
    int64_t rank = type.getRank();
    if (rank > 1 && type.isDynamicDim(op.getChannelsLast() ? rank - 1 : 1))
      return failure();
    SmallVector<int64_t> shape(op.getChannelsLast() || rank < 2 ? 1 : rank - 1, 1);
    shape.front() = affine->factor.size();
    auto create = [&](ArrayRef<double> numbers) {
      return createFloats(rewriter, op.getLoc(), shape, Floats(numbers.begin(), numbers.end()));
    };
    OnnxBuilder builder(rewriter, op.getLoc());
    bool isF32 = type.getElementType().isF32();
    Value x = isF32 ? op.getX() : builder.cast(op.getX(), builder.getF32Type());
    Value scaled = builder.make<onnx::MulOp>({x, create(affine->factor)});
    Value shifted = builder.make<onnx::AddOp>({scaled, create(affine->shift)});
    Value result = isF32 ? shifted : builder.cast(shifted, type.getElementType());
    rewriter.replaceAllUsesWith(op.getY(), builder.as(result, op.getY().getType()));
    rewriter.eraseOp(op);
    return success();
  }
};

struct FoldBatchNormPass : impl::FoldBatchNormPassBase<FoldBatchNormPass> {
  void runOnOperation() override {
    DenseMap<Attribute, unsigned> readers = countReaders(getOperation());
    RewritePatternSet patterns(&getContext());
    for (StringRef root : {"onnx.BatchNormalization", "onnx.Mul", "onnx.Div", "onnx.Add", "onnx.Sub"})
      patterns.add<FoldIntoWeights>(root, &getContext(), readers);
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      return signalPassFailure();
    // Runs last: a BatchNormalization must not be split before another op has been folded into its producer.
    RewritePatternSet splitPatterns(&getContext());
    splitPatterns.add<SplitBatchNorm>(&getContext());
    if (failed(applyPatterns(getOperation(), std::move(splitPatterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo
