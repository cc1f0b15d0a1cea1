// The passes of this folder: rewrites of the onnx graph for all targets.
#ifndef CAMEO_PASSES_GRAPH_PASSES_H
#define CAMEO_PASSES_GRAPH_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cameo {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Graph/Passes.h.inc"

} // namespace cameo

#endif
