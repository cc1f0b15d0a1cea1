// Roles and memory spaces of buffers, which structures outside of the IR use, too.
#ifndef CAMEO_DIALECTS_LOOP_LOOPENUMS_H
#define CAMEO_DIALECTS_LOOP_LOOPENUMS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/raw_ostream.h"

#include "dialects/Loop/LoopEnums.h.inc"

#endif
