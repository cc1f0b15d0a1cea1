// Passes of the frontend, and what a tool may ask about the shapes they found.
#ifndef CAMEO_FRONTEND_SHAPEINFERENCE_PASSES_H
#define CAMEO_FRONTEND_SHAPEINFERENCE_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace cameo {

#define GEN_PASS_DECL
#include "frontend/ShapeInference/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "frontend/ShapeInference/Passes.h.inc"

/// What the pass does, for a caller without a pass manager.
mlir::LogicalResult inferShapes(mlir::func::FuncOp function);

/// Results of which the rank, or a dimension without a name, is unknown after inference.
llvm::SmallVector<mlir::OpResult> findUnknownShapes(mlir::func::FuncOp function);

} // namespace cameo

#endif // CAMEO_FRONTEND_SHAPEINFERENCE_PASSES_H
