// Resolves the operator of a node: an operation, a function of the model, or unknown.
#ifndef CAMEO_FRONTEND_IMPORT_VERSIONS_RESOLVEOPERATOR_H
#define CAMEO_FRONTEND_IMPORT_VERSIONS_RESOLVEOPERATOR_H

#include "frontend/Import/Graph/ExternOperators.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"

namespace onnx {
class FunctionProto;
class ModelProto;
class NodeProto;
} // namespace onnx

namespace cameo {

struct WrittenOperator;

/// Domain -> version; the default domain is "".
using OpsetImports = llvm::StringMap<int64_t>;

struct ResolvedOperator {
  const ::onnx::FunctionProto *function = nullptr;
  int version = 0;
  /// How a node that is not a call is imported: as one operation, rewritten to several operations, with its subgraphs,
  /// or as a call of a function of the program.
  enum Kind { Operation, Written, FlexAttention, Extern } kind = Operation;
  const WrittenOperator *written = nullptr;
  /// The operation of a plugin's dialect, if it is one.
  std::optional<mlir::RegisteredOperationName> foreign;
  /// The error for an unsupported operator, which `name` names.
  std::string problem;
  /// `ai.onnx.Conv-11`.
  std::string name;
  /// Appended to the error if the user can do something about it.
  std::string hint;
};

class OperatorResolver {
public:
  /// Collects the functions of the model. Fails after an error for two functions of one name, unknown operator sets, or
  /// `externs` that the model does not use.
  static mlir::FailureOr<OperatorResolver> create(const ::onnx::ModelProto &model, const ExternOperators &externs,
                                                  mlir::Location loc);

  ResolvedOperator resolve(const ::onnx::NodeProto &node, const OpsetImports &opsets, mlir::MLIRContext *context) const;
  /// Resolves the operator as if no operator were named as a function of the program.
  ResolvedOperator resolveUnnamed(const ::onnx::NodeProto &node, const OpsetImports &opsets,
                                  mlir::MLIRContext *context) const;

  const OpsetImports &getOpsets() const { return opsets; }

private:
  mlir::LogicalResult addFunctions(const ::onnx::ModelProto &model, mlir::Location loc);

  ExternOperators externs;
  OpsetImports opsets;
  llvm::StringMap<const ::onnx::FunctionProto *> functions; // by domain, name and overload
};

/// Whether nodes of this operator have graphs as attributes, which the importer expands.
bool hasBodies(llvm::StringRef opType);

/// Whether the operator makes sequences or optional values, or takes them as inputs.
bool isOfSequences(llvm::StringRef opType);

/// Returns the operator sets that a function imports. Fails after an error if one is not supported.
mlir::FailureOr<OpsetImports> readFunctionOpsets(const ::onnx::FunctionProto &function, mlir::Location loc);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_VERSIONS_RESOLVEOPERATOR_H
