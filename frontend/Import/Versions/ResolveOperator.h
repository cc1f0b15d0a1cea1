// What a node's operator is: one of the onnx dialect, a function of the model, or nothing that is known here.
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
  /// How a node that is no call is imported: as an operation, written as several, with its graphs, or as a call of a
  /// function of the program.
  enum Kind { Operation, Written, FlexAttention, Extern } kind = Operation;
  const WrittenOperator *written = nullptr;
  /// Of a plugin's dialect.
  std::optional<mlir::RegisteredOperationName> foreign;
  /// What is wrong with it, for an operator that is neither; `name` then says which one.
  std::string problem;
  /// `ai.onnx.Conv-11`.
  std::string name;
  /// Behind the name, where something can be done about it.
  std::string hint;
};

class OperatorResolver {
public:
  /// Collects the functions of the model. Fails after an error for two of one name, operator sets that are unknown, or
  /// externs that are named and that the model does not have.
  static mlir::FailureOr<OperatorResolver> create(const ::onnx::ModelProto &model, const ExternOperators &externs,
                                                  mlir::Location loc);

  ResolvedOperator resolve(const ::onnx::NodeProto &node, const OpsetImports &opsets, mlir::MLIRContext *context) const;
  /// The same where no operator is named as a function of the program.
  ResolvedOperator resolveUnnamed(const ::onnx::NodeProto &node, const OpsetImports &opsets,
                                  mlir::MLIRContext *context) const;

  const OpsetImports &getOpsets() const { return opsets; }

private:
  mlir::LogicalResult addFunctions(const ::onnx::ModelProto &model, mlir::Location loc);

  ExternOperators externs;
  OpsetImports opsets;
  llvm::StringMap<const ::onnx::FunctionProto *> functions; // by domain, name and overload
};

/// Whether nodes of this operator have graphs as attributes: the importer makes what they do of them.
bool hasBodies(llvm::StringRef opType);

/// Whether it makes sequences or optional values, or takes them apart; the same.
bool isOfSequences(llvm::StringRef opType);

/// The operator sets that a function imports, checked like those of a model.
mlir::FailureOr<OpsetImports> readFunctionOpsets(const ::onnx::FunctionProto &function, mlir::Location loc);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_VERSIONS_RESOLVEOPERATOR_H
