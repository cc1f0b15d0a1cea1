// The dialect and its operations, which AcmeOps.td declares.
#ifndef ACMEOPS_H
#define ACMEOPS_H

#include "dialects/Onnx/OnnxOps.h"

#include "AcmeOpsDialect.h.inc"

#define GET_OP_CLASSES
#include "AcmeOps.h.inc"

#endif
