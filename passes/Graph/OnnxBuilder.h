// Makes operations of the onnx dialect whose types follow from their operands: for decompositions of several steps, of
// static and of symbolic shapes alike.
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

  /// An operation of one result; trailing operands that are not given are absent.
  template <typename OpTy>
  mlir::Value make(mlir::ValueRange operands, llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return make(OpTy::getOperationName(), OpTy::getMaxInputs(), operands, attributes);
  }

  mlir::Value ints(llvm::ArrayRef<int64_t> values) { return onnx::makeIntsConstant(*this, getLoc(), values); }
  mlir::Value none() { return onnx::makeNone(*this, getLoc()); }
  /// A scalar of the value's element type.
  mlir::Value numberLike(mlir::Value value, double number);
  /// Dimension `axis` as a vector of one element.
  mlir::Value sizeOf(mlir::Value value, int64_t axis);
  /// ONNX's Reshape: 0 keeps the dimension at its place, -1 is what is left.
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> perm);
  mlir::Value unsqueeze(mlir::Value value, llvm::ArrayRef<int64_t> axes);
  mlir::Value concat(mlir::ValueRange values, int64_t axis);
  mlir::Value cast(mlir::Value value, mlir::Type elementType);
  /// Elements [start, end) of an axis; the bounds are vectors of one element.
  mlir::Value slice(mlir::Value value, int64_t axis, mlir::Value start, mlir::Value end);
  /// The value under the type that its users have seen so far.
  mlir::Value as(mlir::Value value, mlir::Type type);

private:
  mlir::Value make(llvm::StringRef name, int64_t operandCount, mlir::ValueRange operands,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes);
};

} // namespace cameo::graph

#endif
