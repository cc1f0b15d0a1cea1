// The parts of --form-integer-products.
#ifndef CAMEO_PASSES_GRAPH_QUANTIZED_INTEGERPATTERNS_H
#define CAMEO_PASSES_GRAPH_QUANTIZED_INTEGERPATTERNS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace cameo::graph {

/// A value that stands for (integers - zero point) * scale.
struct Quantized {
  mlir::Value integers;            ///< i8 or ui8
  mlir::Value zeroPoint;           ///< null when it is known to be 0
  llvm::SmallVector<float> scales; ///< one, or one per index of `axis`
  int64_t axis = 0;

  bool isPerTensor() const { return scales.size() == 1; }
};

/// What `value` dequantises: bytes, with constant scales in f32. Without them, or with scales per block, nothing.
std::optional<Quantized> getQuantized(mlir::Value value);

/// Whether these are constant integers with a zero point of 0, or unsigned ones with 128.
bool isSymmetricConstant(const Quantized &weights);
/// `weights` as signed bytes with a zero point of 0 where that is possible, otherwise as they are.
Quantized makeSigned(mlir::OpBuilder &builder, mlir::Location loc, Quantized weights);

/// Whether a zero point is absent, or a constant of nothing but 0.
bool isZero(mlir::Value zeroPoint);
/// Whether `value` is a tensor of one element.
bool isOneNumber(mlir::Value value);

/// The operand for a zero point that may be null.
mlir::Value zeroPointOperand(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value zeroPoint);

/// Whether sums of so many products of bytes, and a number up to `addend`, stay within 32 bits.
bool fitsSum(int64_t length, int64_t addend);

/// The i32 tensor `sums` as f32, times one factor or one per index of `axis`.
mlir::Value scaleSums(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value sums, llvm::ArrayRef<float> factors,
                      int64_t axis);

/// `numbers` (one, or one per index of `axis`) as a constant that broadcasts along a tensor of `rank` dimensions.
mlir::Value createAlong(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<float> numbers, int64_t rank,
                        int64_t axis);
mlir::Value createAlong(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int32_t> numbers, int64_t rank,
                        int64_t axis);

/// Conv, Gemm and MatMul of dequantised values.
void populateIntegerProductPatterns(mlir::RewritePatternSet &patterns);
/// QLinearConv and QLinearMatMul.
void populateQLinearPatterns(mlir::RewritePatternSet &patterns);
/// MatMul and Gemm with a constant matrix that is dequantised block by block: its numbers stay packed.
void populateBlockedProductPatterns(mlir::RewritePatternSet &patterns);
/// DequantizeLinear moves behind ops that only move or choose elements, until it meets a QuantizeLinear that undoes it.
void populateMoveDequantizePatterns(mlir::RewritePatternSet &patterns);

/// Makes quantised activations that integer products read unsigned (or signed), wherever everybody who reads them
/// allows it.
void chooseSigns(mlir::func::FuncOp function, bool isSigned);

} // namespace cameo::graph

#endif
