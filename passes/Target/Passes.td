// The pass that sets the target of a module.
#ifndef CAMEO_PASSES_TARGET_PASSES_TD
#define CAMEO_PASSES_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachTargetPass : Pass<"attach-target", "::mlir::ModuleOp"> {
  let summary = "Set the target that a module is compiled for";
  let description = [{
    Sets the attribute `cameo.target` of the module, and replaces an existing one. Passes that choose, verify and emit
    schedules read it. Without a triple and a processor, the target is the default machine, changed by the parameters of
    `machine`. Tests use this to state only the parameters that matter to them.

    Example: `--attach-target="cpu=x86-64-v4 machine=l2_bytes=2M"`,
    `--attach-target=machine=vector_bytes=64,vector_registers=32`
  }];
  let options = [
    Option<"triple", "triple", "std::string", "\"\"", "The machine, as LLVM names it">,
    Option<"cpu", "cpu", "std::string", "\"\"", "The processor, as LLVM names it, or native">,
    Option<"gpu", "gpu", "std::string", "\"\"", "The device that kernels run on, as GpuMachine.h names it; the processor when empty">,
    Option<"gpuMath", "gpu-math", "std::string", "\"f32\"", "What it multiplies where the model has float32, as GpuMachine.h names it">,
    ListOption<"parameters", "machine", "std::string", "KEY=VALUE,...: parameters of the machine that are others than those of the processor">
  ];
  let dependentDialects = ["::cameo::TargetDialect"];
}

#endif
