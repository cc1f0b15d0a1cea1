// Proves that a symbolic size is a batch size, the number of independent samples: every value either has one part per
// sample, in the order of the samples, or does not depend on the samples, and no operation reads elements of one sample
// for another. The proof looks at indexing maps and shapes only, not at operators.
#ifndef CAMEO_PASSES_LOWER_BATCHPROOF_H
#define CAMEO_PASSES_LOWER_BATCHPROOF_H

#include "dialects/Onnx/DimList.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace cameo::lower {

/// How a tensor or a size depends on the samples.
enum class SampleRole {
  Shared,    ///< the same for all samples
  PerSample, ///< a tensor whose dimension 0, and no other, counts samples or equal parts of them; or such a size
  Mixed      ///< neither
};

/// The proof for one symbol and one lowered module.
class BatchProof {
public:
  /// `together` samples run at once.
  BatchProof(Dim symbol, int64_t together) : symbol(symbol), together(together) {}

  /// Whether the symbol counts independent samples. Must be called once, before all other functions.
  bool holds(mlir::ModuleOp module, mlir::func::FuncOp main);
  /// Whether running these samples after the others is about as fast as running all together. It is slower if samples
  /// have few rows, because the weights are then read again for each sample instead of once for a block of rows, and if
  /// they have few points, which fill no vectors, but in windows, which want known sizes. It is also slower if most
  /// products are convolutions of small planes, whose tiles are few and read transformed filters again.
  bool isWorthwhile() const {
    return smallPlaneProducts <= otherProducts - smallPlaneProducts &&
           fewRowProducts * fewRowSlowness <= otherProducts && (readsWindows || largestSample >= smallSample);
  }
  /// Returns the role of a type, from the names of its dimensions.
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
  bool proveCounts(mlir::func::FuncOp main);
  bool followCounts(task::CallOp call);
  bool proveTask(task::DefOp def);
  bool proveOperation(mlir::Operation &op);
  bool proveGeneric(mlir::linalg::GenericOp op);
  bool proveElementAccess(mlir::tensor::ExtractOp op, unsigned sampleLoop);
  bool indexesOwnSample(mlir::OpOperand &use) const;
  bool proveReshape(mlir::Value source, mlir::Value result, llvm::ArrayRef<mlir::ReassociationIndices> groups);
  bool proveSlice(mlir::OffsetSizeAndStrideOpInterface op, mlir::Value whole, mlir::Value part);
  /// Sets the role of `result` to that of its sizes. Returns false if another dimension than 0 counts samples.
  bool setShape(mlir::Value result, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  void countPoints(mlir::linalg::GenericOp op, unsigned sampleLoop);
  bool hasSmallPlane(mlir::linalg::GenericOp op) const;

  /// Products with fewer rows than `fewRows` leave registers for weights unused. The product of one row with a matrix
  /// takes `fewRowSlowness` times as long as in a block of rows (784-256-128-10 for 128 samples: 0.92 ms one after the
  /// other, 0.33 ms together).
  static constexpr int64_t fewRows = 8, fewRowSlowness = 8;
  /// Operations with fewer points for a sample take less time together: 0.07 to 0.64 of it with rows of 2 to 10
  /// numbers, 0.9 with rows of 400 (Softmax, LogSoftmax and norms of 4096 rows, Zen 4).
  static constexpr double smallSample = 1024;

  /// Convolutions of small images with at least this many channels take less time together: 3x3 ones of 64 channels
  /// 0.42 to 0.7 of it for 1 to 32 images of 8x8 (Zen 5), by Winograd's method (`chooseWinograd`).
  static constexpr int64_t fullChannels = 32;

  Dim symbol;
  int64_t together;
  /// Rows per sample in the result of the current task.
  int64_t rowsPerSample = 1;
  /// Tensors without samples whose elements are computed from the number of samples. They differ in a model for another
  /// number, so no sample may be computed from them.
  llvm::DenseSet<mlir::Value> counts;
  double fewRowProducts = 0, otherProducts = 0; ///< multiply-adds in products with few rows, and in all others
  double smallPlaneProducts = 0;                ///< those of `otherProducts` in convolutions of small planes
  double largestSample = 0;                     ///< the most points of `together` samples in an operation
  bool readsWindows = false; ///< whether elements of a sample are read at other places than their own
  llvm::DenseMap<mlir::Value, SampleRole> roles;
};

} // namespace cameo::lower

#endif
