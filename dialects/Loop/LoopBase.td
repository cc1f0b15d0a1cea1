// The loop dialect itself.
#ifndef CAMEO_DIALECTS_LOOP_LOOPBASE_TD
#define CAMEO_DIALECTS_LOOP_LOOPBASE_TD

include "dialects/Dim/DimAttributes.td"
include "mlir/IR/OpBase.td"

def Loop_Dialect : Dialect {
  let name = "loop";
  let cppNamespace = "::cameo::loop";
  let summary = "The loop level: nests over buffers, and the loops that walk them.";
  let description = [{
    Between linalg on tensors and kernels of scf, vector and memref stands a `loop.program`: buffers, and groups of perfect nests that read and write them at
    addresses that are linear in the nest's dimensions. The pass `build-loops` makes one of the body of each task, `apply-schedule` gives its nests loops,
    `emit-kernels` makes kernels of it.

    A size or stride is a number, or the expression of one known only at run time, in quotes.
  }];
  let dependentDialects = ["::cameo::DimDialect"];
  let useDefaultAttributePrinterParser = 1;
}

#endif
