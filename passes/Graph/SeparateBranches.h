// Operations that several branches share become operations of each.
#ifndef CAMEO_PASSES_GRAPH_SEPARATEBRANCHES_H
#define CAMEO_PASSES_GRAPH_SEPARATEBRANCHES_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cameo::graph {

/// Copies the operations of `checked`, and what is computed from them, for each of the branches of onnx.Choose that
/// need them, where no run needs them in any case. Both branches of one condition share on, since every run takes one.
void separateBranches(mlir::Block &block, const llvm::SmallPtrSetImpl<mlir::Operation *> &checked);

} // namespace cameo::graph

#endif // CAMEO_PASSES_GRAPH_SEPARATEBRANCHES_H
