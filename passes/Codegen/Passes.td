// The passes of code generation, for cameo-opt and for tests. The driver uses GenerateCode.h, which runs
// convert-kernels itself.
#ifndef CAMEO_PASSES_CODEGEN_PASSES_TD
#define CAMEO_PASSES_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertKernelsPass : Pass<"convert-kernels", "::mlir::ModuleOp"> {
  let summary = "Convert kernels to the LLVM dialect and drop the rest";
  let description = [{
    Kernels become internal functions of bare pointers and the range; their tables become constants.

    ```mlir
    func.func private @relu.k0(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32>, %begin: index, %end: index)
    ```
    becomes
    ```mlir
    llvm.func internal @relu.k0(%x: !llvm.ptr {llvm.noalias}, %y: !llvm.ptr, %begin: i64, %end: i64)
    ```

    Requires: a module after passes/Memory. Ensures: it holds kernels and tables in the LLVM dialect only: the planned @main, weights and
    infos are gone.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
  let options = [
    Option<"floatExtrema", "float-extrema", "bool", "false",
           "Whether the processor has instructions for the larger and the smaller of two floats that pass NaN on">,
  ];
}

def ExpandHalfFloatsPass : Pass<"expand-half-floats", "::mlir::ModuleOp"> {
  let summary = "Compute with f16 and bf16 where the processor has no instruction";
  let description = [{
    Conversions between f16 or bf16 and f32 become arithmetic on integers, what else computes with these types does so in f32. Rounding from f64 goes
    through f32, cut off to an odd number where it is not exact, so that it is as if there were one step.

    ```mlir
    %y = arith.truncf %x : f64 to f16
    ```
    becomes, where there are instructions for f16 and f32,
    ```mlir
    %single = arith.truncf %x : f64 to f32
    ... // odd where that lost something
    %y = arith.truncf %odd : f32 to f16
    ```

    Requires: kernels. Ensures: nothing with f16 or bf16 that LLVM calls a function of a compiler's library for.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"f16Conversions", "f16-conversions", "bool", "false",
           "Whether the processor has instructions that convert between f16 and f32">,
    Option<"f16Arithmetic", "f16-arithmetic", "bool", "false",
           "Whether the processor has instructions that compute with f16 and round f64 to it">,
    Option<"bf16Conversions", "bf16-conversions", "bool", "false",
           "Whether the processor has instructions that convert between bf16 and f32">,
  ];
}

def ConvertBlocksPass : Pass<"convert-blocks", "::mlir::ModuleOp"> {
  let summary = "Convert kernels that run by block to the LLVM dialect and drop the rest";
  let description = [{
    Numbers of threads and blocks and barriers become operations of the nvvm dialect, or with `for-host` what the emulator gives. The rest is `convert-kernels`.

    ```mlir
    func.func private @relu(%x: memref<4xf32>, %y: memref<4xf32>, %block: index) attributes {task.block = #task.block<threads = 128>}
    ```
    becomes
    ```mlir
    llvm.func @relu(%x: !llvm.ptr, %y: !llvm.ptr) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>}
    ```

    With `are-bodies` they become internal functions, which a persistent kernel calls with the numbers of a block and of a thread behind their buffers.

    Requires: a module after passes/Memory. Ensures: it holds kernels and tables in the LLVM and nvvm dialects only.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect"];
  let options = [
    Option<"forHost", "for-host", "bool", "false", "For the emulator, which runs threads one by one on the host">,
    Option<"areBodies", "are-bodies", "bool", "false", "Kernels are parts of a persistent one">,
  ];
}

def EmitObjectPass : Pass<"emit-object", "::mlir::ModuleOp"> {
  let summary = "Write the object file, or another form of it";
  let description = [{
    Converts the kernels, generates code and writes files; the module holds LLVM afterwards.

    Requires: a module after passes/Memory.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
  let options = [
    Option<"output", "output", "std::string", "\"-\"", "File to write">,
    Option<"form", "form", "std::string", "\"object\"", "One of object, assembly, llvm">,
    Option<"header", "header", "std::string", "\"\"", "File for the C header; none when empty">,
    Option<"weights", "weights", "std::string", "\"\"", "File for the weights; in the object when empty">,
    Option<"prefix", "prefix", "std::string", "\"model\"", "First part of all symbols">,
    Option<"triple", "triple", "std::string", "\"\"", "Target; the host when empty">,
    Option<"cpu", "cpu", "std::string", "\"\"", "Processor; the host's or the target's baseline when empty">
  ];
}

#endif
