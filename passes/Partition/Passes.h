// The passes of this folder: division of the network into tasks.
#ifndef CAMEO_PASSES_PARTITION_PASSES_H
#define CAMEO_PASSES_PARTITION_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cameo {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Partition/Passes.h.inc"

} // namespace cameo

#endif
