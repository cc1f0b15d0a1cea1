// Creates operations of the onnx dialect whose types are inferred from their operands, for decompositions of static and
// dynamic shapes.
#ifndef CAMEO_PASSES_GRAPH_ONNXBUILDER_H
#define CAMEO_PASSES_GRAPH_ONNXBUILDER_H

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cameo::graph {

class OnnxBuilder : public mlir::ImplicitLocOpBuilder {
public:
  OnnxBuilder(mlir::PatternRewriter &rewriter, mlir::Location loc) : ImplicitLocOpBuilder(loc, rewriter) {}

  mlir::NamedAttribute attr(llvm::StringRef name, int64_t value) {
    return getNamedAttr(name, getI64IntegerAttr(value));
  }
  mlir::NamedAttribute attr(llvm::StringRef name, llvm::ArrayRef<int64_t> values) {
    return getNamedAttr(name, getDenseI64ArrayAttr(values));
  }

  /// Creates an operation with one result. Missing trailing operands are absent.
  template <typename OpTy>
  mlir::Value make(mlir::ValueRange operands, llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return make(OpTy::getOperationName(), OpTy::getMaxInputs(), operands, attributes);
  }

  mlir::Value ints(llvm::ArrayRef<int64_t> values) { return onnx::makeIntsConstant(*this, getLoc(), values); }
  mlir::Value none() { return onnx::makeNone(*this, getLoc()); }
  /// Creates a scalar constant of the value's element type.
  mlir::Value numberLike(mlir::Value value, double number);
  /// Returns the size of dimension `axis` as a vector of one element.
  mlir::Value sizeOf(mlir::Value value, int64_t axis);
  /// Creates ONNX's Reshape: 0 keeps a dimension, -1 is inferred.
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> perm);
  mlir::Value unsqueeze(mlir::Value value, llvm::ArrayRef<int64_t> axes);
  mlir::Value concat(mlir::ValueRange values, int64_t axis);
  mlir::Value cast(mlir::Value value, mlir::Type elementType);
  /// Slices the elements [start, end) of an axis. The bounds are vectors of one element.
  mlir::Value slice(mlir::Value value, int64_t axis, mlir::Value start, mlir::Value end);
  /// Casts the value to the type that its users expect.
  mlir::Value as(mlir::Value value, mlir::Type type);

private:
  mlir::Value make(llvm::StringRef name, int64_t operandCount, mlir::ValueRange operands,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes);
  /// Creates a Reshape of a tensor that has a dimension of 0, where -1 cannot be inferred, from the sizes that are
  /// left.
  mlir::Value reshapeEmpty(mlir::Value value, llvm::ArrayRef<int64_t> shape);
};

} // namespace cameo::graph

#endif
