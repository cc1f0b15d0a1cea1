// A symbol is the number of independent samples when every value either holds one part per sample, sample after sample,
// or nothing of the samples at all, and no operation takes a part of one sample for another. The proof is over maps and
// shapes; it knows no operators.
#ifndef CAMEO_PASSES_LOWER_BATCHPROOF_H
#define CAMEO_PASSES_LOWER_BATCHPROOF_H

#include "dialects/Onnx/DimList.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace cameo::lower {

/// What a tensor or size has to do with the samples.
enum class SampleRole {
  Shared,    ///< the same for all samples
  PerSample, ///< of a tensor: dimension 0, and it alone, counts the samples or equal parts of them; of a size: such a
             ///< number
  Mixed      ///< neither
};

/// Of one symbol and one lowered module.
class BatchProof {
public:
  explicit BatchProof(Dim symbol) : symbol(symbol) {}

  /// Whether the symbol counts independent samples. To be asked once, before all else.
  bool holds(mlir::ModuleOp module, mlir::func::FuncOp main);
  /// Whether one sample after the other is as fast as all of them together: weights that few rows of a sample are
  /// multiplied with are read again for each, where a block of rows would share them.
  bool isWorthwhile() const { return fewRowProducts * fewRowSlowness <= otherProducts; }
  /// By the names of the dimensions.
  SampleRole roleOf(mlir::Type type) const {
    std::optional<onnx::DimList> dims = onnx::getDims(type);
    return dims ? roleOf(llvm::ArrayRef<Dim>(*dims)) : SampleRole::Shared;
  }

private:
  SampleRole roleOf(const Dim &dim) const;
  SampleRole roleOf(llvm::ArrayRef<Dim> dims) const;
  SampleRole roleOf(mlir::Value value) const { return roles.lookup_or(value, SampleRole::Shared); }
  bool isPerSample(mlir::Value value) const { return roleOf(value) == SampleRole::PerSample; }

  bool proveMain(mlir::func::FuncOp main);
  bool proveTask(task::DefOp def);
  bool proveOperation(mlir::Operation &op);
  bool proveGeneric(mlir::linalg::GenericOp op);
  bool proveElementAccess(mlir::tensor::ExtractOp op, unsigned sampleLoop);
  bool isOwnPlace(mlir::OpOperand &use) const;
  bool proveReshape(mlir::Value source, mlir::Value result, llvm::ArrayRef<mlir::ReassociationIndices> groups);
  bool proveSlice(mlir::OffsetSizeAndStrideOpInterface op, mlir::Value whole, mlir::Value part);
  /// Whether the dynamic sizes of `result` agree with `role`: dimension 0 alone counts samples.
  bool setShape(mlir::Value result, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  void countProducts(mlir::linalg::GenericOp op, unsigned sampleLoop);

  /// Fewer rows than this leave registers for weights unused, and the product of one row with a matrix takes that much
  /// longer than as part of a block (784-256-128-10 for 128 samples: 0.92 ms one after the other, 0.33 together).
  static constexpr int64_t fewRows = 8, fewRowSlowness = 8;
  /// What a dynamic size is taken for.
  static constexpr int64_t estimatedSize = 128;

  Dim symbol;
  /// Rows of the result that the task being looked at has for one sample.
  int64_t rowsPerSample = 1;
  double fewRowProducts = 0, otherProducts = 0; ///< terms of sums
  llvm::DenseMap<mlir::Value, SampleRole> roles;
};

} // namespace cameo::lower

#endif
