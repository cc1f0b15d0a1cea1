// The dialect, its operations and its schedule step, which AcmeOps.td declares.
#ifndef ACMEOPS_H
#define ACMEOPS_H

#include "dialects/Onnx/OnnxOps.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "AcmeOpsDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "AcmeOpsAttributes.h.inc"

#define GET_OP_CLASSES
#include "AcmeOps.h.inc"

#endif
