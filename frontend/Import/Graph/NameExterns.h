// Names and parameters of the functions that the user's program brings along, once all their calls are known.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_NAMEEXTERNS_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_NAMEEXTERNS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace cameo {

/// The name that calls of an operator have before nameExterns: `com_acme_Foo` of com.acme and Foo, `ai_onnx_Foo`
/// without a domain.
std::string makeExternName(llvm::StringRef domain, llvm::StringRef opType);

/// Gives the calls of each operator one function, or one for each list of element types with the types in its name, and
/// all calls of a function the same parameters. Fails after an error where operators share a name, or an attribute has
/// several kinds.
mlir::LogicalResult nameExterns(mlir::ModuleOp module);

/// A function that the program is to bring along.
struct ExternFunction {
  std::string name;         ///< without the model's prefix
  std::string operatorName; ///< `com.acme.Foo-1`
  unsigned callCount = 0;
};

/// The functions of a module after nameExterns, in the order of their first calls.
std::vector<ExternFunction> listExterns(mlir::ModuleOp module);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_NAMEEXTERNS_H
