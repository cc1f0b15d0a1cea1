// The table of functions that lower operations. A lowering reads the onnx operation (attributes, original types,
// constant operands), gets its operands already lowered, and returns the values that replace its results.
#ifndef CAMEO_PASSES_LOWER_LOWERINGTABLE_H
#define CAMEO_PASSES_LOWER_LOWERINGTABLE_H

#include "passes/Lower/Builders/GenericBuilder.h"

#include "llvm/ADT/StringMap.h"

#include <functional>

namespace cameo::lower {

/// One value per result; null for an absent one.
using Lowered = llvm::FailureOr<Values>;
/// Lowered operands; an absent one is null.
using Operands = llvm::ArrayRef<mlir::Value>;

/// Returns operand `number`, or null if it is absent.
inline mlir::Value operandOr(Operands operands, unsigned number) {
  return operands.size() > number ? operands[number] : mlir::Value();
}

class LoweringTable {
public:
  using Function = std::function<Lowered(mlir::Operation *, Operands, GenericBuilder &)>;

  /// Returns the table for the operation: that of its dialect if it has one (DialectLowerings.h), otherwise that of all
  /// lowerings of this folder.
  static const LoweringTable &of(mlir::Operation *op);

  template <typename OpTy> void add(Lowered (*lower)(OpTy, Operands, GenericBuilder &)) {
    functions[OpTy::getOperationName()] = [lower](mlir::Operation *op, Operands operands, GenericBuilder &b) {
      return lower(mlir::cast<OpTy>(op), operands, b);
    };
  }
  template <typename... OpTys> void addAll(Lowered (*lower)(mlir::Operation *, Operands, GenericBuilder &)) {
    ((functions[OpTys::getOperationName()] = lower), ...);
  }

  bool contains(mlir::Operation *op) const { return functions.contains(op->getName().getStringRef()); }
  /// Lowers `op`. Fails after an error at the operation.
  Lowered lower(mlir::Operation *op, Operands operands, GenericBuilder &b) const;

private:
  llvm::StringMap<Function> functions;
};

/// Reports that an operation with these properties is not supported; `what` completes "lowering of onnx.X with ...".
llvm::LogicalResult unsupported(mlir::Operation *op, const llvm::Twine &what);

/// Reports an error if one of `sizes` is dynamic. `what` names the size.
llvm::LogicalResult expectStatic(mlir::Operation *op, ShapeRef sizes, const llvm::Twine &what);

/// Returns the result of a lowering with one result.
inline Lowered one(mlir::Value value) { return Values{value}; }

/// Returns whether the integers of an operand or result of an onnx operation are signed.
Sign signOf(mlir::Value onnxValue);
/// Returns the type that replaces an onnx type in lowered code: signless integers, bytes for narrower integers
/// (NarrowNumbers.h), addresses for strings (StringBuilder.h).
mlir::Type toSignless(mlir::Type type);
/// Returns the constant with its type replaced in the same way.
mlir::ElementsAttr toSignless(mlir::ElementsAttr value);
/// Returns the shape of a result, and its lowered element type.
Shape resultShape(mlir::Operation *op, unsigned result = 0);
mlir::Type resultElement(mlir::Operation *op, unsigned result = 0);
/// Computes the first result of `op` elementwise from operands that are broadcast to its shape.
inline mlir::Value elementwise(mlir::Operation *op, Operands operands, GenericBuilder &b, GenericBuilder::Body body) {
  return b.elementwise(resultShape(op), resultElement(op), operands, body);
}

// One function per family of operators, in the file of the same name.
void addActivations(LoweringTable &table);
void addAffineGrids(LoweringTable &table);
void addArgExtrema(LoweringTable &table);
void addArithmetic(LoweringTable &table);
void addBlockedProducts(LoweringTable &table);
void addCasts(LoweringTable &table);
void addCausalConvs(LoweringTable &table);
void addCol2Ims(LoweringTable &table);
void addConvTransposes(LoweringTable &table);
void addConvs(LoweringTable &table);
void addCounted(LoweringTable &table);
void addCumulations(LoweringTable &table);
void addDeformConvs(LoweringTable &table);
void addDeterminants(LoweringTable &table);
void addEinsums(LoweringTable &table);
void addExterns(LoweringTable &table);
void addGathers(LoweringTable &table);
void addGenerators(LoweringTable &table);
void addGridSamples(LoweringTable &table);
void addLinearAttention(LoweringTable &table);
void addLosses(LoweringTable &table);
void addMatMuls(LoweringTable &table);
void addMovements(LoweringTable &table);
void addNormalizations(LoweringTable &table);
void addPads(LoweringTable &table);
void addPools(LoweringTable &table);
void addQuantization(LoweringTable &table);
void addRecurrent(LoweringTable &table);
void addReductions(LoweringTable &table);
void addReshapes(LoweringTable &table);
void addResizes(LoweringTable &table);
void addRoiAligns(LoweringTable &table);
void addScatters(LoweringTable &table);
void addSignals(LoweringTable &table);
void addSlices(LoweringTable &table);
void addSoftmaxes(LoweringTable &table);
void addStrings(LoweringTable &table);
void addTopSelections(LoweringTable &table);
void addTrees(LoweringTable &table);
void addUnaries(LoweringTable &table);

} // namespace cameo::lower

#endif
