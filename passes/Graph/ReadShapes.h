// Computes the shapes of results from operands that are read at run time: axes, sizes, repeats.
#ifndef CAMEO_PASSES_GRAPH_READSHAPES_H
#define CAMEO_PASSES_GRAPH_READSHAPES_H

#include "passes/Graph/OnnxBuilder.h"

namespace cameo::graph {

/// Creates boolean tensors before the users of the operation. All are true in the runs in which the values that the
/// operator reads give its results the shapes of their types, and axes are valid. Returns nothing if the operator reads
/// no such values, or too little is known of its operands.
llvm::SmallVector<mlir::Value> compareReadShapes(OnnxBuilder &builder, onnx::OnnxOp op);

} // namespace cameo::graph

#endif
