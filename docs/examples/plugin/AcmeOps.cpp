#include "AcmeOps.h"

#include "dialects/Onnx/ShapeRules.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "AcmeOpsDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "AcmeOpsAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "AcmeOps.cpp.inc"

void acme::AcmeDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "AcmeOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "AcmeOpsAttributes.cpp.inc"
      >();
}
