// The loop dialect: see LoopBase.td, LoopOps.td and RATIONALE.md.
#ifndef CAMEO_DIALECTS_LOOP_LOOPDIALECT_H
#define CAMEO_DIALECTS_LOOP_LOOPDIALECT_H

#include "dialects/Dim/DimDialect.h"
#include "dialects/Loop/LoopEnums.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

#include "dialects/Loop/LoopDialect.h.inc"

namespace cameo::loop {

/// Maximum number of dimensions of a loop nest.
constexpr unsigned maxDims = 64;

} // namespace cameo::loop

#define GET_ATTRDEF_CLASSES
#include "dialects/Loop/LoopAttributes.h.inc"

#define GET_OP_CLASSES
#include "dialects/Loop/LoopOps.h.inc"

#endif
