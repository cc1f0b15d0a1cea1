// The task dialect itself, and what its operations have in common.
#ifndef CAMEO_DIALECTS_TASK_TASKBASE_TD
#define CAMEO_DIALECTS_TASK_TASKBASE_TD

include "dialects/Dim/DimAttributes.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Task_Dialect : Dialect {
  let name = "task";
  let cppNamespace = "::cameo::task";
  let summary = "Fused subgraphs that are scheduled, measured and compiled as one.";
  let description = [{
    A model is a sequence of task calls on tensors. Lowering turns the definitions into buffer form (one-dimensional
    memrefs, kernels dispatched over a parallel range) and the calls into dispatches on parts of one arena.

    A dynamic size is an expression over the names of the model's dimensions, see `#dim.expr`.
  }];
  let extraClassDeclaration = [{
    /// Attributes of the arguments of a definition in buffer form.
    static constexpr ::llvm::StringLiteral getPackingName() { return "task.packing"; }
    static constexpr ::llvm::StringLiteral getInplaceName() { return "task.inplace"; }
    static constexpr ::llvm::StringLiteral getElementsName() { return "task.elements"; }
    /// On an argument or result of a definition between lowering and buffer form.
    static constexpr ::llvm::StringLiteral getDimsName() { return "task.dims"; }
    /// On the module: the symbol that counts independent samples. On the arguments and results of @main that hold a part of
    /// each. Pass find-batch sets both.
    static constexpr ::llvm::StringLiteral getBatchName() { return "task.batch"; }
    static constexpr ::llvm::StringLiteral getPerSampleName() { return "task.per_sample"; }
    /// Attributes of arguments of the planned @main. The expressions of a slot: it has as many bytes as the largest of them.
    /// Those of the numbers that kernels read: sizes of the run.
    static constexpr ::llvm::StringLiteral getSlotName() { return "task.slot"; }
    static constexpr ::llvm::StringLiteral getSizesName() { return "task.sizes"; }
    /// Attributes of the planned @main: expressions that no run may make negative, and those that every run must make zero.
    static constexpr ::llvm::StringLiteral getDimensionsName() { return "task.dimensions"; }
    static constexpr ::llvm::StringLiteral getZerosName() { return "task.zeros"; }
    /// Attributes of the planned @main: how many arguments are inputs and outputs of the model.
    static constexpr ::llvm::StringLiteral getInputsName() { return "task.inputs"; }
    static constexpr ::llvm::StringLiteral getOutputsName() { return "task.outputs"; }
    /// On an input or output of the planned @main: the type of the tensor that the buffer holds.
    static constexpr ::llvm::StringLiteral getTensorName() { return "task.tensor"; }
    /// On the first dispatch of each execution of a task in the planned @main.
    static constexpr ::llvm::StringLiteral getBeginName() { return "task.begin"; }
    /// On a kernel for a GPU: a #task.block.
    static constexpr ::llvm::StringLiteral getBlockName() { return "task.block"; }
    /// On a function: the body of a task.loop.
    static constexpr ::llvm::StringLiteral getBodyName() { return "task.body"; }
  }];
  let dependentDialects = ["::cameo::DimDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

// In buffer form everything is one-dimensional; what stands in for a dynamic size is said beside the type.
def Task_Buffer : Type<MemRefRankOf<[AnyType], [1]>.predicate, "one-dimensional memref", "::mlir::MemRefType">;

// One number in memory, and a boolean.
class Task_OneElement<Type element, string get>
    : Type<And<[MemRefRankOf<[element], [1]>.predicate, CPred<"::llvm::cast<::mlir::MemRefType>($_self).getDimSize(0) == 1">]>,
           "buffer of one " # element.summary, "::mlir::MemRefType">,
      BuildableType<"::mlir::MemRefType::get({1}, " # get # ")">;
def Task_Counter : Task_OneElement<I64, "$_builder.getI64Type()">;
def Task_Flag : Task_OneElement<I8, "$_builder.getI8Type()">;

class Task_Op<string mnemonic, list<Trait> traits = []> : Op<Task_Dialect, mnemonic, traits>;

#endif
