// Formulas for the shapes that operators have by what a run reads: axes, sizes, repeats.
#ifndef CAMEO_PASSES_GRAPH_READSHAPES_H
#define CAMEO_PASSES_GRAPH_READSHAPES_H

#include "passes/Graph/OnnxBuilder.h"

namespace cameo::graph {

/// Tensors of booleans, in front of the operation's users: all hold in the runs in which what the operator reads gives
/// its results the shapes that they have, and in which an axis is one. Empty where an operator reads neither, and where
/// too little is known of its operands.
llvm::SmallVector<mlir::Value> compareReadShapes(OnnxBuilder &builder, onnx::OnnxOp op);

} // namespace cameo::graph

#endif
