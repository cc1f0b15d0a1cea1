// Products with a constant matrix whose blocks share a scale. Its numbers stay packed in bytes, and the product unpacks
// them.
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/OnnxBuilder.h"
#include "passes/Graph/Quantized/IntegerPatterns.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace cameo::graph {
namespace {

/// A matrix of numbers of `bits` bits, with one row per index of the reduction and one column per column of the result.
struct BlockedWeights {
  onnx::DequantizeLinearOp op;
  bool isTransposed; ///< whether the columns are the outer dimension
  int64_t depth, columns, bits, block;
  int64_t blocks() const { return depth / block; }
};

/// Returns the right operand of a product as blocked weights, if it is constant and consists of whole blocks.
std::optional<BlockedWeights> findWeights(Value matrix, bool isTransposed) {
  if (auto transpose = matrix.getDefiningOp<onnx::TransposeOp>()) {
    std::optional<ArrayRef<int64_t>> perm = transpose.getPerm();
    if (perm && *perm != ArrayRef<int64_t>{1, 0})
      return std::nullopt;
    matrix = transpose.getData();
    isTransposed = !isTransposed;
  }
  auto op = matrix.getDefiningOp<onnx::DequantizeLinearOp>();
  auto type = op ? getStaticType(op.getX()) : RankedTensorType();
  int64_t block = op ? op.getBlockSize() : 0;
  if (!type || type.getRank() != 2 || block < 8 || block % 8 != 0 || !onnx::getConstantAttr(op.getX()) ||
      !type.getElementType().isInteger())
    return std::nullopt;
  BlockedWeights weights{op,
                         isTransposed,
                         type.getDimSize(isTransposed ? 1 : 0),
                         type.getDimSize(isTransposed ? 0 : 1),
                         type.getElementType().getIntOrFloatBitWidth(),
                         block};
  int64_t axis = op.getAxis() < 0 ? op.getAxis() + 2 : op.getAxis();
  auto scales = getStaticType(op.getXScale());
  bool hasZeros = !onnx::isAbsent(op.getXZeroPoint());
  if (axis != (isTransposed ? 1 : 0) || weights.bits > 8 || weights.depth % block != 0 || weights.depth == 0 ||
      !scales || scales.getRank() != 2 || !isa<FloatType>(scales.getElementType()) ||
      scales.getElementTypeBitWidth() < 16 || (hasZeros && !onnx::getConstantAttr(op.getXZeroPoint())))
    return std::nullopt;
  return weights;
}

class Packer {
public:
  Packer(BlockedWeights weights, OnnxBuilder &b) : weights(weights), b(b) {
    auto element = cast<IntegerType>(getElementTypeOrSelf(weights.op.getX().getType()));
    mask = (1 << weights.bits) - 1;
    middle = element.isUnsigned() ? 0 : 1 << (weights.bits - 1);
  }

  /// Creates the product; returns null if the bytes of the constant cannot be read.
  Value multiply(Value a) {
    std::optional<std::vector<char>> numbers = onnx::readConstant(weights.op.getX()), zeros;
    if (!onnx::isAbsent(weights.op.getXZeroPoint()) && !(zeros = onnx::readConstant(weights.op.getXZeroPoint())))
      return {};
    if (!numbers)
      return {};
    Value scales = weights.op.getXScale();
    if (weights.isTransposed)
      scales = b.transpose(scales, {1, 0});
    Value factors[] = {a, pack(*numbers), scales, makeZeros(zeros)};
    return b.make<onnx::BlockedMatMulOp>(factors, {b.attr("bits", weights.bits), b.attr("block_size", weights.block)});
  }

private:
  /// Returns an element as unsigned number; signed ones are shifted by half of their range.
  uint8_t read(ArrayRef<char> numbers, int64_t row, int64_t column, int64_t rows) const {
    int64_t place = weights.isTransposed ? column * rows + row : row * weights.columns + column;
    return (static_cast<uint8_t>(numbers[place]) + middle) & mask;
  }

  Value constant(ArrayRef<int64_t> shape, std::vector<char> bytes) {
    return onnx::makeConstant(b, b.getLoc(), RankedTensorType::get(shape, b.getIntegerType(8, /*isSigned=*/false)),
                              std::move(bytes), "packed");
  }

  Value pack(ArrayRef<char> numbers) {
    int64_t perByte = 8 / weights.bits, bytesOfBlock = weights.block / perByte;
    std::vector<char> bytes(weights.depth / perByte * weights.columns);
    for (int64_t row = 0; row < weights.depth; ++row)
      for (int64_t column = 0; column < weights.columns; ++column)
        bytes[row / perByte * weights.columns + column] |= read(numbers, row, column, weights.depth)
                                                           << (row % perByte * weights.bits);
    return constant({weights.blocks(), bytesOfBlock, weights.columns}, std::move(bytes));
  }

  /// Creates the zero points. They are absent if all are in the middle, the default for signed numbers.
  Value makeZeros(const std::optional<std::vector<char>> &zeros) {
    std::vector<char> bytes(weights.blocks() * weights.columns, static_cast<char>(middle));
    for (int64_t block = 0; zeros && block < weights.blocks(); ++block)
      for (int64_t column = 0; column < weights.columns; ++column)
        bytes[block * weights.columns + column] = read(*zeros, block, column, weights.blocks());
    char half = static_cast<char>(1 << (weights.bits - 1));
    if (llvm::all_of(bytes, [&](char zero) { return zero == half; }))
      return b.none();
    return constant({weights.blocks(), weights.columns}, std::move(bytes));
  }

  BlockedWeights weights;
  OnnxBuilder &b;
  int mask, middle;
};

struct MultiplyBlocks : OpRewritePattern<onnx::MatMulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::MatMulOp op, PatternRewriter &rewriter) const override {
    std::optional<BlockedWeights> weights = findWeights(op.getB(), /*isTransposed=*/false);
    auto type = dyn_cast<RankedTensorType>(op.getA().getType());
    if (!weights || !type || type.getRank() == 0)
      return failure();
    OnnxBuilder b(rewriter, op.getLoc());
    Value product = Packer(*weights, b).multiply(op.getA());
    if (!product)
      return failure();
    rewriter.replaceOp(op, b.as(product, op.getY().getType()));
    return success();
  }
};

struct MultiplyBlocksOfGemm : OpRewritePattern<onnx::GemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::GemmOp op, PatternRewriter &rewriter) const override {
    if (op.getTransA() != 0 || op.getAlpha() != 1.0f || op.getBeta() != 1.0f)
      return failure();
    std::optional<BlockedWeights> weights = findWeights(op.getB(), op.getTransB() != 0);
    if (!weights)
      return failure();
    OnnxBuilder b(rewriter, op.getLoc());
    Value product = Packer(*weights, b).multiply(op.getA());
    if (!product)
      return failure();
    if (!onnx::isAbsent(op.getC()))
      product = b.make<onnx::AddOp>({product, op.getC()});
    rewriter.replaceOp(op, b.as(product, op.getY().getType()));
    return success();
  }
};

} // namespace

void populateBlockedProductPatterns(RewritePatternSet &patterns) {
  patterns.add<MultiplyBlocks, MultiplyBlocksOfGemm>(patterns.getContext());
}

} // namespace cameo::graph
