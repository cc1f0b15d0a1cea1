// The loop dialect itself.
#ifndef CAMEO_DIALECTS_LOOP_LOOPBASE_TD
#define CAMEO_DIALECTS_LOOP_LOOPBASE_TD

include "dialects/Dim/DimAttributes.td"
include "mlir/IR/OpBase.td"

def Loop_Dialect : Dialect {
  let name = "loop";
  let cppNamespace = "::cameo::loop";
  let summary = "The loop level: loop nests over buffers, and their loops.";
  let description = [{
    A `loop.program` is the level between linalg on tensors and kernels of scf, vector and memref operations. It has buffers, and groups of perfect nests that
    load from and store to them at addresses that are linear in the nest's dimensions. The pass `build-loops` makes one of the body of each task,
    `apply-schedule` gives its nests loops, and `emit-kernels` makes kernels of it.

    A size or stride is a number, or a quoted expression if it is known at run time only.
  }];
  let dependentDialects = ["::cameo::DimDialect"];
  let useDefaultAttributePrinterParser = 1;
}

#endif
