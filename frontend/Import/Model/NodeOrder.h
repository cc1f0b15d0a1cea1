// The order in which nodes can be imported, and what a graph's names must fulfil: each value made once, by something
// that exists, in no cycle. Plain names, so that it can be tested without a model.
#ifndef CAMEO_FRONTEND_IMPORT_MODEL_NODEORDER_H
#define CAMEO_FRONTEND_IMPORT_MODEL_NODEORDER_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cameo {

/// Empty names (absent optional values) are left out of both.
struct NodeNames {
  llvm::SmallVector<llvm::StringRef, 4> inputs;
  llvm::SmallVector<llvm::StringRef, 2> outputs;
};

/// Positions of the nodes, each after those that make its inputs; as given where that is such an order. `isKnown` says
/// which names inputs and constants of the graph have. `emitNodeError` begins an error at a node.
mlir::FailureOr<llvm::SmallVector<unsigned>>
orderNodes(llvm::ArrayRef<NodeNames> nodes, llvm::function_ref<bool(llvm::StringRef)> isKnown,
           llvm::function_ref<mlir::InFlightDiagnostic(unsigned)> emitNodeError);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_NODEORDER_H
