// --shrink-weights stores constant matrices of matrix-vector products with fewer bits, because the time of such a
// product is that of reading its matrix.
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Passes.h"
#include "passes/Graph/Quantized/IntegerPatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_SHRINKWEIGHTSPASS
#include "passes/Graph/Passes.h.inc"

namespace {

/// Smaller matrices stay in the cache, so fewer bytes make the product no faster.
constexpr int64_t minBytes = 256 * 1024;
constexpr float largestInteger = 127;

/// Returns the bits of `number` rounded to bfloat16, ties to even. NaN stays NaN.
uint16_t roundToBFloat(float number) {
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  if (std::isnan(number))
    return static_cast<uint16_t>(bits >> 16) | 0x40;
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

class Shrinker {
public:
  Shrinker(Operation *op, RankedTensorType type, ArrayRef<float> weights)
      : op(op), builder(op), rows(type.getDimSize(0)), columns(type.getDimSize(1)), weights(weights) {}

  void toBFloats();
  void toIntegers();

private:
  /// Creates a constant with the stored numbers and a cast to f32, which fuses into the product.
  Value convert(Type element, std::vector<char> bytes) {
    constexpr int64_t numberOfFloat = 1; // TensorProto.FLOAT
    Value stored = onnx::makeConstant(builder, op->getLoc(), RankedTensorType::get({rows, columns}, element),
                                      std::move(bytes), "weights");
    auto to = builder.getNamedAttr("to", builder.getI64IntegerAttr(numberOfFloat));
    return onnx::CastOp::create(builder, op->getLoc(),
                                TypeRange(RankedTensorType::get({rows, columns}, builder.getF32Type())),
                                ValueRange(stored), ArrayRef<NamedAttribute>(to));
  }

  Operation *op;
  OpBuilder builder;
  int64_t rows, columns;
  ArrayRef<float> weights;
};

void Shrinker::toBFloats() {
  std::vector<char> bytes(weights.size() * sizeof(uint16_t));
  for (auto [place, number] : llvm::enumerate(weights)) {
    uint16_t rounded = roundToBFloat(number);
    std::memcpy(&bytes[place * sizeof(rounded)], &rounded, sizeof(rounded));
  }
  op->setOperand(1, convert(builder.getBF16Type(), std::move(bytes)));
}

/// Stores signed bytes with one scale per column. The result of the product is multiplied by the scales.
void Shrinker::toIntegers() {
  SmallVector<float> scales(columns, 0);
  for (auto [place, number] : llvm::enumerate(weights))
    scales[place % columns] = std::max(scales[place % columns], std::abs(number) / largestInteger);
  std::vector<char> bytes(weights.size());
  for (auto [place, number] : llvm::enumerate(weights))
    if (float scale = scales[place % columns]; scale > 0)
      bytes[place] = static_cast<char>(std::clamp(std::nearbyint(number / scale), -largestInteger, largestInteger));
  Value stored = convert(builder.getIntegerType(8), std::move(bytes));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Location loc = op->getLoc();
  Value sum = onnx::MatMulOp::create(builder, loc, TypeRange(type), ValueRange{op->getOperand(0), stored},
                                     ArrayRef<NamedAttribute>{});
  Value factors = createAlong(builder, loc, scales, type.getRank(), type.getRank() - 1);
  Value result =
      onnx::MulOp::create(builder, loc, TypeRange(type), ValueRange{sum, factors}, ArrayRef<NamedAttribute>{});
  if (op->getNumOperands() > 2 && !onnx::isAbsent(op->getOperand(2)))
    result = onnx::AddOp::create(builder, loc, TypeRange(type), ValueRange{result, op->getOperand(2)},
                                 ArrayRef<NamedAttribute>{});
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

/// Number of rows that a product multiplies by its matrix: one, dynamic, or another number. Other operations, and
/// products that transpose or scale, are `Other` too.
enum class Rows { One, Open, Other };

Rows countRows(Operation *op) {
  if (auto gemm = dyn_cast<onnx::GemmOp>(op))
    if (gemm.getTransA() || gemm.getTransB() || gemm.getAlpha() != 1.0f || gemm.getBeta() != 1.0f)
      return Rows::Other;
  std::optional<onnx::DimList> left;
  if (isa<onnx::MatMulOp, onnx::GemmOp>(op))
    left = onnx::getDims(op->getOperand(0).getType());
  if (!left || left->size() < 2)
    return Rows::Other;
  Rows rows = Rows::One;
  for (const Dim &dim : ArrayRef(*left).drop_back()) {
    if (dim.isStatic() && dim.getSize() != 1)
      return Rows::Other;
    if (!dim.isStatic())
      rows = Rows::Open;
  }
  return rows;
}

/// Returns the type of the matrix of a product if it is a large f32 constant, otherwise null.
RankedTensorType getLargeMatrix(Operation *product) {
  Value matrix = product->getOperand(1);
  RankedTensorType type = getStaticType(matrix);
  bool isLarge = type && type.getRank() == 2 && type.getElementType().isF32() &&
                 type.getNumElements() * static_cast<int64_t>(sizeof(float)) >= minBytes;
  return isLarge && onnx::getConstantAttr(matrix) ? type : RankedTensorType();
}

/// Emits a warning that the weights of products with a dynamic number of rows stay as they are.
void warnOfOpenRows(ArrayRef<Operation *> products) {
  if (products.empty())
    return;
  InFlightDiagnostic warning = products.front()->emitWarning("its weights stay as they are");
  if (products.size() > 1)
    warning << ", and those of " << products.size() - 1
            << (products.size() == 2 ? " other product" : " other products");
  warning << ": --weights-type is for products of one row, and the number of rows is known only at run time; --dim "
             "NAME=SIZE fixes a size";
}

struct ShrinkWeightsPass : impl::ShrinkWeightsPassBase<ShrinkWeightsPass> {
  using ShrinkWeightsPassBase::ShrinkWeightsPassBase;
  void runOnOperation() override {
    if (!llvm::is_contained({"as-is", "bf16", "int8"}, weightsType)) {
      getOperation().emitError("expected a weights type of as-is, bf16 or int8, got '") << weightsType << "'";
      return signalPassFailure();
    }
    if (weightsType == "as-is")
      return;
    SmallVector<Operation *> products, open;
    getOperation().walk([&](Operation *op) {
      Rows rows = countRows(op);
      if (rows != Rows::Other && getLargeMatrix(op))
        (rows == Rows::One ? products : open).push_back(op);
    });
    warnOfOpenRows(open);
    for (Operation *op : products)
      shrink(op);
  }

private:
  void shrink(Operation *op) {
    Value matrix = op->getOperand(1);
    RankedTensorType type = getLargeMatrix(op);
    std::optional<std::vector<char>> bytes = onnx::readConstant(matrix);
    if (!bytes)
      return;
    ArrayRef<float> weights(reinterpret_cast<const float *>(bytes->data()), type.getNumElements());
    if (!llvm::all_of(weights, [](float number) { return std::isfinite(number); }))
      return;
    Shrinker shrinker(op, type, weights);
    weightsType == "bf16" ? shrinker.toBFloats() : shrinker.toIntegers();
    if (Operation *constant = matrix.getDefiningOp(); constant->use_empty())
      constant->erase();
  }
};

} // namespace
} // namespace cameo
