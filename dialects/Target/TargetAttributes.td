// The target of a module as an attribute.
#ifndef CAMEO_DIALECTS_TARGET_TARGETATTRIBUTES_TD
#define CAMEO_DIALECTS_TARGET_TARGETATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def Target_Dialect : Dialect {
  let name = "cameo";
  let cppNamespace = "::cameo";
  let summary = "The target that a module is compiled for.";
  let description = [{
    The attribute `cameo.target` of a module is the processor that it is compiled for. Passes that choose, verify and
    emit schedules read it. A module without it is compiled for the machine that `#cameo.target<>` describes.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

def Target_TargetAttr : AttrDef<Target_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "A processor with the parameters of its cores, and optionally a GPU";
  let description = [{
    `triple`, `cpu` and `features` are the names of LLVM. The other parameters are those of `Machine` (Machine.h). Only
    those that differ from their defaults are printed; sizes are in bytes. With `gpu`, a name of GpuMachine.h, kernels
    run on that device, and the processor is that of the host. `gpu_math`, a name of GpuMath, states the type in which
    kernels multiply float32 numbers, and `gpu_shared_bytes` the most shared memory of a block, where code for other
    architectures limits it.
    Example:
    `#cameo.target<triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v4", vector_bytes = 64, vector_registers = 32, byte_products = "vnni">`
  }];
  let parameters = (ins StringRefParameter<>:$triple, StringRefParameter<>:$cpu, StringRefParameter<>:$features, StringRefParameter<>:$gpu, "::cameo::GpuMath":$gpuMath, "int64_t":$gpuSharedBytes, "::cameo::Machine":$machine);
  let hasCustomAssemblyFormat = 1;
}

#endif
