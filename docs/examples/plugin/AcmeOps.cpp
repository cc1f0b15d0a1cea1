#include "AcmeOps.h"

#include "dialects/Onnx/ShapeRules.h"

#include "AcmeOpsDialect.cpp.inc"

#define GET_OP_CLASSES
#include "AcmeOps.cpp.inc"

void acme::AcmeDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "AcmeOps.cpp.inc"
      >();
}
