// The passes of the frontend, and queries of inferred shapes.
#ifndef CAMEO_FRONTEND_SHAPEINFERENCE_PASSES_H
#define CAMEO_FRONTEND_SHAPEINFERENCE_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace cameo {

#define GEN_PASS_DECL
#include "frontend/ShapeInference/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "frontend/ShapeInference/Passes.h.inc"

/// Runs the pass for a caller without a pass manager. Fails after an error.
mlir::LogicalResult inferShapes(mlir::func::FuncOp function);

/// Returns the results whose rank, or a dimension without a name, is unknown after inference.
llvm::SmallVector<mlir::OpResult> findUnknownShapes(mlir::func::FuncOp function);

} // namespace cameo

#endif // CAMEO_FRONTEND_SHAPEINFERENCE_PASSES_H
