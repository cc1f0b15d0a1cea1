// The dialect of a module's target. It has attributes only, see TargetAttributes.td.
#ifndef CAMEO_DIALECTS_TARGET_TARGETDIALECT_H
#define CAMEO_DIALECTS_TARGET_TARGETDIALECT_H

#include "dialects/Target/GpuMachine.h"
#include "dialects/Target/Machine.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"

#include "dialects/Target/TargetDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Target/TargetAttributes.h.inc"

namespace cameo {

/// The attribute of a module that holds its target.
constexpr llvm::StringLiteral targetAttrName = "cameo.target";

/// Returns the machine that `module` is compiled for; the default machine if it has no target.
Machine machineOf(mlir::ModuleOp module);

/// Returns the GPU that runs the kernels of `module`; null if the processor does.
const GpuMachine *gpuOf(mlir::ModuleOp module);

/// Returns the attribute of a target whose kernels run on `gpu`, or on the processor if that is null.
TargetAttr targetAttrOf(mlir::MLIRContext &context, llvm::StringRef triple, llvm::StringRef cpu,
                        llvm::StringRef features, const GpuMachine *gpu, const Machine &machine);

} // namespace cameo

#endif
