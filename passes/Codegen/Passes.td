// The passes of code generation, for cameo-opt and for tests. The driver uses GenerateCode.h, which runs
// convert-kernels itself.
#ifndef CAMEO_PASSES_CODEGEN_PASSES_TD
#define CAMEO_PASSES_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertKernelsPass : Pass<"convert-kernels", "::mlir::ModuleOp"> {
  let summary = "Convert kernels to the LLVM dialect and erase everything else";
  let description = [{
    Kernels become internal functions that take pointers and a range. Their constant tables become LLVM constants.

    ```mlir
    func.func private @relu.k0(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32>, %begin: index, %end: index)
    ```
    becomes
    ```mlir
    llvm.func internal @relu.k0(%x: !llvm.ptr {llvm.noalias}, %y: !llvm.ptr, %begin: i64, %end: i64)
    ```

    Requires: a module after passes/Memory. Ensures: the module holds only kernels and tables in the LLVM dialect. The
    planned @main, weights and infos are erased.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
  let options = [
    Option<"floatExtrema", "float-extrema", "bool", "false",
           "Whether the processor has instructions for the larger and the smaller of two floats that pass NaN on">,
  ];
}

def ExpandHalfFloatsPass : Pass<"expand-half-floats", "::mlir::ModuleOp"> {
  let summary = "Expand operations on f16 and bf16 for which the processor has no instructions";
  let description = [{
    Conversions between f32 and f16 or bf16 become integer arithmetic. Other operations on these types are computed in
    f32. A conversion from f64 goes through f32 and rounds to odd there, so that the result is the same as that of
    rounding once.

    ```mlir
    %y = arith.truncf %x : f64 to f16
    ```
    becomes, if the processor has instructions for f16 and f32,
    ```mlir
    %single = arith.truncf %x : f64 to f32
    ... // odd if the conversion was not exact
    %y = arith.truncf %odd : f32 to f16
    ```

    Requires: kernels. Ensures: no operation on f16 or bf16 becomes a call of a compiler's runtime library in LLVM.
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
  let summary = "Convert kernels that run in blocks to the LLVM dialect and erase everything else";
  let description = [{
    Thread numbers, block numbers and barriers become operations of the nvvm dialect, or with `for-host` calls of the
    emulator. Otherwise the pass does the same as `convert-kernels`.

    ```mlir
    func.func private @relu(%x: memref<4xf32>, %y: memref<4xf32>, %block: index) attributes {task.block = #task.block<threads = 128>}
    ```
    becomes
    ```mlir
    llvm.func @relu(%x: !llvm.ptr, %y: !llvm.ptr) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>}
    ```

    With `are-bodies` kernels become internal functions, which a persistent kernel calls. After their buffers they take
    the numbers of a block and of a thread.

    With `dependent-launch` every kernel begins by allowing the next launch to begin. Kernels without a wait for earlier
    launches get one before the first operation that may access memory. Without it, waits and prefetches are erased.

    Requires: a module after passes/Memory. Ensures: the module holds only kernels and tables in the LLVM and nvvm
    dialects.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect"];
  let options = [
    Option<"forHost", "for-host", "bool", "false",
           "Emit calls of the emulator, which runs the threads one by one on the host">,
    Option<"areBodies", "are-bodies", "bool", "false", "Emit kernels as functions that a persistent kernel calls">,
    Option<"dependentLaunch", "dependent-launch", "bool", "false", "Emit kernels whose launches may begin before earlier ones have ended">,
  ];
}

def EmitObjectPass : Pass<"emit-object", "::mlir::ModuleOp"> {
  let summary = "Generate code and write the object file, or another form of it";
  let description = [{
    Converts the kernels, generates code and writes the files that the options name. Afterwards the module is in the
    LLVM dialect.

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
