// A node on its way to an operation: what the model says, changed step by step into the newest form of its operator.
#ifndef CAMEO_FRONTEND_IMPORT_VERSIONS_NODEDRAFT_H
#define CAMEO_FRONTEND_IMPORT_VERSIONS_NODEDRAFT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"

#include <functional>

namespace cameo {

struct NodeDraft {
  /// Turns the value that the operation makes into the one that the model means; null for an output that the newest
  /// form of the operator does not have.
  using Finish = std::function<mlir::FailureOr<mlir::Value>(mlir::Value)>;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  std::string opType;
  /// Version of the operator that the fields below are a node of.
  int version;
  /// Absent inputs are results of onnx.None.
  llvm::SmallVector<mlir::Value> operands;
  mlir::NamedAttrList attributes;
  /// One per output of the node: whether it has a name.
  llvm::SmallVector<bool> outputs;
  llvm::SmallVector<std::pair<unsigned, Finish>> finishes;
  /// What the model states for the first output, for operators whose specification leaves it open.
  std::optional<int64_t> statedRank = std::nullopt;
  /// What the model states for each output, null where it states nothing.
  llvm::SmallVector<mlir::TensorType> statedTypes = {};

  mlir::InFlightDiagnostic emitError() const { return mlir::emitError(loc) << opType << "-" << version << ": "; }

  bool hasOperand(unsigned index) const;
  /// Fails after an error where the node has another number of operands.
  mlir::LogicalResult expectOperands(size_t count) const;
  bool hasOutput(unsigned index) const { return index < outputs.size() && outputs[index]; }
  /// Puts an operand at a place that may lie behind the last one; absent ones fill the gap.
  void setOperand(unsigned index, mlir::Value value);
  mlir::Value makeNone();
  mlir::Value makeInts(llvm::ArrayRef<int64_t> values);
  /// A scalar of an element type of floats.
  mlir::Value makeFloat(double value, mlir::Type elementType);

  /// Takes an attribute away and returns it; null when the node does not have it. An attribute of another kind is an
  /// error.
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

  /// Another operation at this place, with one result.
  mlir::FailureOr<mlir::Value> create(llvm::StringRef opType, mlir::ValueRange operands,
                                      llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
};

/// Creates the operation for an operator in its newest form and infers its types. Absent trailing operands and results
/// are filled in. Fails after an error at `loc`, without an operation.
mlir::FailureOr<mlir::Operation *> createOperation(mlir::OpBuilder &builder, mlir::Location loc,
                                                   mlir::RegisteredOperationName name, mlir::ValueRange operands,
                                                   mlir::DictionaryAttr attributes, llvm::ArrayRef<bool> outputs);

/// The same for one of the onnx dialect.
mlir::FailureOr<mlir::Operation *> createOnnxOperation(mlir::OpBuilder &builder, mlir::Location loc,
                                                       llvm::StringRef opType, mlir::ValueRange operands,
                                                       mlir::DictionaryAttr attributes, llvm::ArrayRef<bool> outputs);

/// Whether the onnx dialect has an operation for this operator.
bool hasOnnxOperation(mlir::MLIRContext *context, llvm::StringRef opType);

/// The operation for an operator of another domain, of the dialect that has the domain's name with '_' for what a
/// dialect's name cannot have; nothing where no such dialect is registered, or it has none. Loads the dialect.
std::optional<mlir::RegisteredOperationName> findForeignOperation(mlir::MLIRContext *context, llvm::StringRef domain,
                                                                  llvm::StringRef opType);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_VERSIONS_NODEDRAFT_H
