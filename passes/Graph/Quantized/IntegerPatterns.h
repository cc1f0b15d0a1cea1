// The patterns of --form-integer-products.
#ifndef CAMEO_PASSES_GRAPH_QUANTIZED_INTEGERPATTERNS_H
#define CAMEO_PASSES_GRAPH_QUANTIZED_INTEGERPATTERNS_H

#include "dialects/Target/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace cameo::graph {

/// A quantized value, equal to (integers - zero point) * scale.
struct Quantized {
  mlir::Value integers;            ///< i8 or ui8
  mlir::Value zeroPoint;           ///< null if it is known to be 0
  llvm::SmallVector<float> scales; ///< one, or one per index of `axis`
  int64_t axis = 0;

  bool isPerTensor() const { return scales.size() == 1; }
};

/// Returns the operands of the DequantizeLinear that computes `value`: bytes with constant f32 scales. Returns nothing
/// for other values and for scales per block.
std::optional<Quantized> getQuantized(mlir::Value value);

/// Returns constant weights minus their zero points, if the differences are signed bytes; others unchanged.
Quantized centre(mlir::OpBuilder &builder, mlir::Location loc, Quantized weights);
/// Returns constant weights of the other sign with zero points 128 apart; others unchanged.
Quantized withSign(mlir::OpBuilder &builder, mlir::Location loc, Quantized weights, bool isSigned);

/// Whether a zero point is absent, or a constant whose elements are all 0.
bool isZero(mlir::Value zeroPoint);
/// Whether `value` is a tensor of one element.
bool isOneNumber(mlir::Value value);

/// Returns the operand for a zero point that may be null.
mlir::Value zeroPointOperand(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value zeroPoint);

/// Whether the sum of `length` products of bytes and a number up to `addend` fits into 32 bits.
bool fitsSum(int64_t length, int64_t addend);

/// Converts the i32 tensor `sums` to f32 and multiplies it by one factor, or by one factor per index of `axis`.
mlir::Value scaleSums(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value sums, llvm::ArrayRef<float> factors,
                      int64_t axis);

/// Creates a constant of `numbers` (one, or one per index of `axis`) that broadcasts to a tensor of `rank` dimensions.
mlir::Value createAlong(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<float> numbers, int64_t rank,
                        int64_t axis);
mlir::Value createAlong(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int32_t> numbers, int64_t rank,
                        int64_t axis);

/// Patterns for Conv, Gemm and MatMul of dequantized operands.
void populateIntegerProductPatterns(mlir::RewritePatternSet &patterns);
/// Patterns for QLinearConv and QLinearMatMul.
void populateQLinearPatterns(mlir::RewritePatternSet &patterns);
/// Patterns for MatMul and Gemm with a constant matrix that is dequantized per block. The matrix stays packed.
void populateBlockedProductPatterns(mlir::RewritePatternSet &patterns);
/// Patterns that move DequantizeLinear behind ops that only move or select elements, up to a QuantizeLinear that
/// cancels it.
void populateMoveDequantizePatterns(mlir::RewritePatternSet &patterns);

/// Makes quantized activations that integer products read unsigned or, with `isSigned`, signed, if all their users
/// allow it.
void chooseSigns(mlir::func::FuncOp function, bool isSigned);
/// Gives the constant weights of integer products the sign that goes with the activations, and no zero point if
/// possible.
void chooseWeightSigns(mlir::func::FuncOp function, ByteProducts products);

} // namespace cameo::graph

#endif
