// Locations of what stands in a model file. A node is a name wrapped around file:line:1, whose line is the node's
// number plus one; another named value has line 0. DiagnosticPrinter.h turns them into text again.
#ifndef CAMEO_FRONTEND_IMPORT_MODEL_NODELOCATION_H
#define CAMEO_FRONTEND_IMPORT_MODEL_NODELOCATION_H

#include "mlir/IR/Location.h"

namespace cameo {

/// The model as a whole.
mlir::Location getFileLocation(mlir::MLIRContext *context, llvm::StringRef file);

/// An input, an output or an initializer.
mlir::Location getValueLocation(mlir::MLIRContext *context, llvm::StringRef file, llvm::StringRef name);

/// The node with this number in the main graph. Nodes inside functions and subgraphs have the number of the outermost
/// node, and a path as their name. A node without a name is called `#number:operator`.
mlir::Location getNodeLocation(mlir::MLIRContext *context, llvm::StringRef file, unsigned nodeIndex,
                               llvm::StringRef name);
std::string getNodeName(llvm::StringRef name, unsigned nodeIndex, llvm::StringRef opType);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_NODELOCATION_H
