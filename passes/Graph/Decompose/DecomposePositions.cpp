// Decomposes operators around attention: rotary embeddings to products and sums, causal convolutions to convolutions of
// an input that begins with the past state.
#include "passes/Graph/Decompose/DecomposePatterns.h"
#include "passes/Graph/OnnxBuilder.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/KnownTensor.h"

using namespace mlir;

namespace cameo::graph {
namespace {

constexpr int64_t kToTheEnd = std::numeric_limits<int64_t>::max();

/// Creates the rotation of x, seen as batch, ..., size with heads at `headAxis`.
class RotationWriter {
public:
  RotationWriter(onnx::RotaryEmbeddingOp op, PatternRewriter &rewriter) : op(op), b(rewriter, op.getLoc()) {}
  Value write();

private:
  Value readCache(Value cache);
  Value takePart(Value x, Value start, Value end);
  Value takePairs(Value x, int64_t number);
  Value joinPairs(Value real, Value imaginary);

  onnx::RotaryEmbeddingOp op;
  OnnxBuilder b;
  bool isFlat = false;
  /// Half of the rotated size, and the rotated size, as vectors of one element.
  Value half, rotated;
};

Value RotationWriter::readCache(Value cache) {
  if (!onnx::isAbsent(op.getPositionIds()))
    cache = b.make<onnx::GatherOp>({cache, op.getPositionIds()}, b.attr("axis", 0));
  return b.unsqueeze(cache, isFlat ? 2 : 1);
}

/// Slices the elements [start, end) of a head. The end is within the head: otherwise the size of the remaining part
/// would be negative, which is an error at run time.
Value RotationWriter::takePart(Value x, Value start, Value end) {
  Value part = b.slice(x, 3, start, end);
  onnx::DimList dims = *onnx::getDims(part), first = *onnx::getKnownDims(start), last = *onnx::getKnownDims(end);
  dims[3] = last[0] - first[0];
  part.setType(onnx::makeTensorType(dims, getElementTypeOrSelf(part.getType())));
  return part;
}

/// Returns the first (`number` 0) or second elements of all pairs.
Value RotationWriter::takePairs(Value x, int64_t number) {
  if (op.getInterleaved() == 0)
    return number == 0 ? takePart(x, b.ints(0), half) : takePart(x, half, rotated);
  Value pairs = b.make<onnx::ReshapeOp>({x, b.concat({b.ints({0, 0, 0}), half, b.ints(2)}, 0)});
  return b.make<onnx::SqueezeOp>({b.slice(pairs, 4, b.ints(number), b.ints(number + 1)), b.ints(4)});
}

Value RotationWriter::joinPairs(Value real, Value imaginary) {
  if (op.getInterleaved() == 0)
    return b.concat({real, imaginary}, 3);
  Value pairs = b.concat({b.unsqueeze(real, 4), b.unsqueeze(imaginary, 4)}, 4);
  return b.make<onnx::ReshapeOp>({pairs, b.concat({b.ints({0, 0, 0}), rotated}, 0)});
}

Value RotationWriter::write() {
  Value x = op.getX();
  isFlat = onnx::getDims(x)->size() == 3;
  if (isFlat)
    x = b.reshape(x, {0, 0, op.getNumHeads(), -1});
  Value cosine = readCache(op.getCosCache()), sine = readCache(op.getSinCache());
  Dim size = onnx::getDims(x)->back();
  Dim width = op.getRotaryEmbeddingDim() == 0 ? size : Dim(op.getRotaryEmbeddingDim());
  half = width.isStatic() ? b.ints(width.getSize() / 2) : b.sizeOf(cosine, 3);
  rotated = width.isStatic() ? b.ints(width.getSize()) : b.make<onnx::MulOp>({half, b.ints(2)});
  bool isWhole = width == size;
  Value turned = isWhole ? x : takePart(x, b.ints(0), rotated);
  Value first = takePairs(turned, 0), second = takePairs(turned, 1);
  auto times = [&](Value a, Value c) { return b.make<onnx::MulOp>({a, c}); };
  Value real = b.make<onnx::SubOp>({times(cosine, first), times(sine, second)});
  Value imaginary = b.make<onnx::AddOp>({times(sine, first), times(cosine, second)});
  Value y = joinPairs(real, imaginary);
  if (!isWhole)
    y = b.concat({y, b.slice(x, 3, rotated, b.ints(kToTheEnd))}, 3);
  return isFlat ? b.reshape(y, {0, 0, -1}) : y;
}

struct RotationToProducts : OpRewritePattern<onnx::RotaryEmbeddingOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::RotaryEmbeddingOp op, PatternRewriter &rewriter) const override {
    for (Value operand : op->getOperands())
      if (!onnx::isAbsent(operand) && !onnx::getDims(operand))
        return failure();
    Value y = RotationWriter(op, rewriter).write();
    rewriter.replaceOp(op, OnnxBuilder(rewriter, op.getLoc()).as(y, op.getY().getType()));
    return success();
  }
};

struct CausalConvToConv : OpRewritePattern<onnx::CausalConvWithStateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::CausalConvWithStateOp op, PatternRewriter &rewriter) const override {
    std::optional<onnx::DimList> weight = onnx::getDims(op.getWeight());
    // The groups of a Conv are a static number; LowerCausalConv handles dynamic ones.
    if (!weight || !(*weight)[0].isStatic() || !(*weight)[2].isStatic() || !onnx::getDims(op.getInput()))
      return failure();
    OnnxBuilder b(rewriter, op.getLoc());
    int64_t before = (*weight)[2].getSize() - 1;
    Value x = op.getInput(), whole = x;
    if (!onnx::isAbsent(op.getPastState()))
      whole = b.concat({op.getPastState(), x}, 2);
    else if (before > 0)
      whole = b.make<onnx::PadOp>({x, b.ints({before, 0}), b.none(), b.ints(2)});
    Value y = b.make<onnx::ConvOp>({whole, op.getWeight(), op.getBias()}, b.attr("group", (*weight)[0].getSize()));
    if (op.getActivation() != "none")
      y = b.make<onnx::SwishOp>(y);
    // Both bounds are sizes of shapes, so that the size of the slice is known if they are symbolic.
    Value state = b.slice(whole, 2, b.sizeOf(x, 2), b.sizeOf(whole, 2));
    rewriter.replaceOp(op, {b.as(y, op.getOutput().getType()), b.as(state, op.getPresentState().getType())});
    return success();
  }
};

} // namespace

void populateDecomposePositionPatterns(RewritePatternSet &patterns) {
  patterns.add<RotationToProducts, CausalConvToConv>(patterns.getContext());
}

} // namespace cameo::graph
