// Names functions of the user's program and unifies their parameters, after all calls are imported.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_NAMEEXTERNS_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_NAMEEXTERNS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace cameo {

/// Returns the name of an operator's function before nameExterns: `com_acme_Foo` for com.acme and Foo, `ai_onnx_Foo`
/// without a domain.
std::string makeExternName(llvm::StringRef domain, llvm::StringRef opType);

/// Gives all calls of an operator one function, or one per list of element types with the types in its name; and all
/// calls of a function the same parameters. Fails after an error if two operators get the same name, or an attribute
/// has several kinds.
mlir::LogicalResult nameExterns(mlir::ModuleOp module);

/// A function that the program must provide.
struct ExternFunction {
  std::string name;         ///< without the model's prefix
  std::string operatorName; ///< `com.acme.Foo-1`
  unsigned callCount = 0;
};

/// Returns the functions of a module after nameExterns, in the order of their first calls.
std::vector<ExternFunction> listExterns(mlir::ModuleOp module);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_NAMEEXTERNS_H
