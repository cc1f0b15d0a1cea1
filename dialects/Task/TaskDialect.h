// The task dialect: see TaskOps.td and RATIONALE.md.
#ifndef CAMEO_DIALECTS_TASK_TASKDIALECT_H
#define CAMEO_DIALECTS_TASK_TASKDIALECT_H

#include "dialects/Dim/DimDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Task/TaskOpsDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Task/TaskAttributes.h.inc"

#define GET_OP_CLASSES
#include "dialects/Task/TaskOps.h.inc"

namespace cameo::task {

/// Returns the bytes of one element in memory, rounded up to whole bytes for i1 and i4.
unsigned getElementBytes(mlir::Type element);

} // namespace cameo::task

#endif
