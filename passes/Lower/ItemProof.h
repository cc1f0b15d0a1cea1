// A symbol is the number of independent items when every value either holds one part per item, item after item, or
// nothing of the items at all, and no operation takes a part of one item for another. The proof is over maps and
// shapes; it knows no operators.
#ifndef CAMEO_PASSES_LOWER_ITEMPROOF_H
#define CAMEO_PASSES_LOWER_ITEMPROOF_H

#include "dialects/Onnx/DimList.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace cameo::lower {

/// What a tensor or size has to do with the items.
enum class ItemRole {
  Shared,  ///< the same for all items
  PerItem, ///< of a tensor: dimension 0, and it alone, counts the items or equal parts of them; of a size: such a
           ///< number
  Mixed    ///< neither
};

/// Of one symbol and one lowered module.
class ItemProof {
public:
  explicit ItemProof(Dim symbol) : symbol(symbol) {}

  /// Whether the symbol counts independent items. To be asked once, before all else.
  bool holds(mlir::ModuleOp module, mlir::func::FuncOp main);
  /// Whether one item after the other is as fast as all of them together: weights that few rows of an item are
  /// multiplied with are read again for each, where a block of rows would share them.
  bool isWorthwhile() const { return fewRowProducts * fewRowSlowness <= otherProducts; }
  /// By the names of the dimensions.
  ItemRole roleOf(mlir::Type type) const {
    std::optional<onnx::DimList> dims = onnx::getDims(type);
    return dims ? roleOf(llvm::ArrayRef<Dim>(*dims)) : ItemRole::Shared;
  }

private:
  ItemRole roleOf(const Dim &dim) const;
  ItemRole roleOf(llvm::ArrayRef<Dim> dims) const;
  ItemRole roleOf(mlir::Value value) const { return roles.lookup_or(value, ItemRole::Shared); }
  bool isPerItem(mlir::Value value) const { return roleOf(value) == ItemRole::PerItem; }

  bool proveMain(mlir::func::FuncOp main);
  bool proveTask(task::DefOp def);
  bool proveOperation(mlir::Operation &op);
  bool proveGeneric(mlir::linalg::GenericOp op);
  bool proveElementAccess(mlir::tensor::ExtractOp op, unsigned itemLoop);
  bool isOwnPlace(mlir::OpOperand &use) const;
  bool proveReshape(mlir::Value source, mlir::Value result, llvm::ArrayRef<mlir::ReassociationIndices> groups);
  bool proveSlice(mlir::OffsetSizeAndStrideOpInterface op, mlir::Value whole, mlir::Value part);
  /// Whether the dynamic sizes of `result` agree with `role`: dimension 0 alone counts items.
  bool setShape(mlir::Value result, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  void countProducts(mlir::linalg::GenericOp op, unsigned itemLoop);

  /// Fewer rows than this leave registers for weights unused, and the product of one row with a matrix takes that much
  /// longer than as part of a block (784-256-128-10 for 128 items: 0.92 ms one after the other, 0.33 together).
  static constexpr int64_t fewRows = 8, fewRowSlowness = 8;
  /// What a dynamic size is taken for.
  static constexpr int64_t estimatedSize = 128;

  Dim symbol;
  /// Rows of the result that the task being looked at has for one item.
  int64_t rowsPerItem = 1;
  double fewRowProducts = 0, otherProducts = 0; ///< terms of sums
  llvm::DenseMap<mlir::Value, ItemRole> roles;
};

} // namespace cameo::lower

#endif
