// The target of a module as an attribute.
#ifndef CAMEO_DIALECTS_TARGET_TARGETATTRIBUTES_TD
#define CAMEO_DIALECTS_TARGET_TARGETATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def Target_Dialect : Dialect {
  let name = "cameo";
  let cppNamespace = "::cameo";
  let summary = "What a module is compiled for.";
  let description = [{
    A module has the processor that it is compiled for as its attribute `cameo.target`. Passes that choose schedules, verify and emit them read it; a module
    without one is compiled for the machine that `#cameo.target<>` describes.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

def Target_TargetAttr : AttrDef<Target_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "A processor: its names, and what schedules must know of its cores; a GPU beside it, where kernels run on one";
  let description = [{
    `triple`, `cpu` and `features` are as LLVM has them. The other parameters are those of `Machine` (Machine.h), of which the ones that differ from the
    defaults are printed; sizes are in bytes. With `gpu`, a name that GpuMachine.h has, kernels run on that device, and the processor is that of the host;
    `gpu_math`, one of those of GpuMath, says what they multiply where the model has float32.
    Example: `#cameo.target<triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v4", vector_bytes = 64, vector_registers = 32, byte_products = "vnni">`
  }];
  let parameters = (ins StringRefParameter<>:$triple, StringRefParameter<>:$cpu, StringRefParameter<>:$features, StringRefParameter<>:$gpu, "::cameo::GpuMath":$gpuMath, "::cameo::Machine":$machine);
  let hasCustomAssemblyFormat = 1;
}

#endif
