// Gives each branch its own copy of operations that several branches share.
#ifndef CAMEO_PASSES_GRAPH_SEPARATEBRANCHES_H
#define CAMEO_PASSES_GRAPH_SEPARATEBRANCHES_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cameo::graph {

/// Copies the operations of `checked`, and all that is computed from them, for each branch of an onnx.Choose that needs
/// them, unless they are computed in every run. Two branches of one condition keep sharing, because every run takes one
/// of them.
void separateBranches(mlir::Block &block, const llvm::SmallPtrSetImpl<mlir::Operation *> &checked);

} // namespace cameo::graph

#endif // CAMEO_PASSES_GRAPH_SEPARATEBRANCHES_H
