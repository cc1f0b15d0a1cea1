// Locations in a model file. The location of a node is its name around file:line:1, where the line is the node's number
// plus one; other named values have line 0. DiagnosticPrinter.h prints them.
#ifndef CAMEO_FRONTEND_IMPORT_MODEL_NODELOCATION_H
#define CAMEO_FRONTEND_IMPORT_MODEL_NODELOCATION_H

#include "mlir/IR/Location.h"

namespace cameo {

/// Returns the location of the whole model.
mlir::Location getFileLocation(mlir::MLIRContext *context, llvm::StringRef file);

/// Returns the location of an input, an output or an initializer.
mlir::Location getValueLocation(mlir::MLIRContext *context, llvm::StringRef file, llvm::StringRef name);

/// Returns the location of a node of the main graph. Nodes in functions and subgraphs have the number of the outermost
/// node, and a path as name. A node without a name is called `#number:operator`.
mlir::Location getNodeLocation(mlir::MLIRContext *context, llvm::StringRef file, unsigned nodeIndex,
                               llvm::StringRef name);
std::string getNodeName(llvm::StringRef name, unsigned nodeIndex, llvm::StringRef opType);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_NODELOCATION_H
