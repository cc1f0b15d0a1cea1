// Orders the nodes of a graph and checks their names: each value is defined once, all inputs exist, and there are no
// cycles. It works on names, so that it can be tested without a model.
#ifndef CAMEO_FRONTEND_IMPORT_MODEL_NODEORDER_H
#define CAMEO_FRONTEND_IMPORT_MODEL_NODEORDER_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cameo {

/// The names of a node's inputs and outputs, without empty names (absent optional values).
struct NodeNames {
  llvm::SmallVector<llvm::StringRef, 4> inputs;
  llvm::SmallVector<llvm::StringRef, 2> outputs;
};

/// Returns the positions of the nodes in an order in which each node comes after those that compute its inputs; the
/// given order if it is one. `isKnown` says whether an input or constant of the graph has the name. `emitNodeError`
/// begins an error at a node; with the name of an input that does not exist, at the node of its subgraphs that reads
/// it. Fails after an error.
mlir::FailureOr<llvm::SmallVector<unsigned>>
orderNodes(llvm::ArrayRef<NodeNames> nodes, llvm::function_ref<bool(llvm::StringRef)> isKnown,
           llvm::function_ref<mlir::InFlightDiagnostic(unsigned node, llvm::StringRef input)> emitNodeError);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_NODEORDER_H
