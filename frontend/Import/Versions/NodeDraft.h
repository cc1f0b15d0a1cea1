// A node during import: what the model states, upgraded step by step to the newest version of its operator.
#ifndef CAMEO_FRONTEND_IMPORT_VERSIONS_NODEDRAFT_H
#define CAMEO_FRONTEND_IMPORT_VERSIONS_NODEDRAFT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"

#include <functional>

namespace cameo {

struct NodeDraft {
  /// Converts a result of the operation to the output of the node; null for an output that the newest version of the
  /// operator does not have.
  using Finish = std::function<mlir::FailureOr<mlir::Value>(mlir::Value)>;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  std::string opType;
  /// Version of the operator to which the fields below belong.
  int version;
  /// Absent inputs are results of onnx.None.
  llvm::SmallVector<mlir::Value> operands;
  mlir::NamedAttrList attributes;
  /// One per output of the node: whether it has a name.
  llvm::SmallVector<bool> outputs;
  /// The conversions of outputs, by number. The last is applied first, because the last upgrade is closest to the
  /// operation.
  llvm::SmallVector<std::pair<unsigned, Finish>> finishes;
  /// The rank that the model states for the first output, for operators whose specification leaves it open.
  std::optional<int64_t> statedRank = std::nullopt;
  /// The type that the model states for each output, null if it states none.
  llvm::SmallVector<mlir::TensorType> statedTypes = {};

  mlir::InFlightDiagnostic emitError() const { return mlir::emitError(loc) << opType << "-" << version << ": "; }

  bool hasOperand(unsigned index) const;
  /// Fails after an error if the node has another number of operands.
  mlir::LogicalResult expectOperands(size_t count) const;
  bool hasOutput(unsigned index) const { return index < outputs.size() && outputs[index]; }
  /// Sets an operand. Operands up to `index` that do not exist become absent.
  void setOperand(unsigned index, mlir::Value value);
  mlir::Value makeNone();
  mlir::Value makeInts(llvm::ArrayRef<int64_t> values);
  /// Creates a scalar of a float type.
  mlir::Value makeFloat(double value, mlir::Type elementType);

  /// Removes an attribute and returns it; null if the node does not have it. Fails after an error if it has another
  /// kind.
  template <typename Attr> mlir::FailureOr<Attr> take(llvm::StringRef name) {
    mlir::Attribute attribute = attributes.get(name);
    if (!attribute)
      return Attr();
    auto typed = llvm::dyn_cast<Attr>(attribute);
    if (!typed)
      return emitError() << "expected attribute '" << name << "' of another kind, got " << attribute;
    attributes.erase(name);
    return typed;
  }

  /// Creates an operation with one result. Fails after an error.
  mlir::FailureOr<mlir::Value> create(llvm::StringRef opType, mlir::ValueRange operands,
                                      llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
};

/// Creates the operation for the newest version of an operator and infers its result types. Missing trailing operands
/// and results become absent. Fails after an error at `loc`, without an operation.
mlir::FailureOr<mlir::Operation *> createOperation(mlir::OpBuilder &builder, mlir::Location loc,
                                                   mlir::RegisteredOperationName name, mlir::ValueRange operands,
                                                   mlir::DictionaryAttr attributes, llvm::ArrayRef<bool> outputs);

/// As above, for an operation of the onnx dialect.
mlir::FailureOr<mlir::Operation *> createOnnxOperation(mlir::OpBuilder &builder, mlir::Location loc,
                                                       llvm::StringRef opType, mlir::ValueRange operands,
                                                       mlir::DictionaryAttr attributes, llvm::ArrayRef<bool> outputs);

/// Whether the onnx dialect has an operation for this operator.
bool hasOnnxOperation(mlir::MLIRContext *context, llvm::StringRef opType);

/// Returns the operation for an operator of another domain. Its dialect has the domain's name, with '_' for characters
/// that are invalid in names of dialects. Returns nothing if no such dialect is registered or it lacks the operation.
/// Loads the dialect.
std::optional<mlir::RegisteredOperationName> findForeignOperation(mlir::MLIRContext *context, llvm::StringRef domain,
                                                                  llvm::StringRef opType);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_VERSIONS_NODEDRAFT_H
