// The task dialect, and definitions that its operations share.
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
    A model is a sequence of task calls on tensors. Lowering converts the definitions to buffer form (one-dimensional
    memrefs, and kernels dispatched over a parallel range) and the calls to dispatches on parts of one arena.

    A dynamic size is an expression over the symbolic dimensions of the model, see `#dim.expr`.
  }];
  let extraClassDeclaration = [{
    /// Attributes of the arguments of a definition in buffer form.
    static constexpr ::llvm::StringLiteral getPackingName() { return "task.packing"; }
    static constexpr ::llvm::StringLiteral getInplaceName() { return "task.inplace"; }
    static constexpr ::llvm::StringLiteral getElementsName() { return "task.elements"; }
    /// Attribute of arguments and results of a definition between lowering and buffer form: the names of its
    /// dimensions.
    static constexpr ::llvm::StringLiteral getDimsName() { return "task.dims"; }
    /// Attribute of the module: the symbol that counts independent samples, or the number of parts that a known number
    /// of samples is divided into; and of the arguments and results of @main that have one slice for each. Pass
    /// find-batch sets both.
    static constexpr ::llvm::StringLiteral getBatchName() { return "task.batch"; }
    static constexpr ::llvm::StringLiteral getPerSampleName() { return "task.per_sample"; }
    /// Attributes of arguments of the planned @main: the sizes of a slot in bytes, whose maximum is the size of the
    /// slot; and the expressions of the dynamic sizes that kernels read.
    static constexpr ::llvm::StringLiteral getSlotName() { return "task.slot"; }
    static constexpr ::llvm::StringLiteral getSizesName() { return "task.sizes"; }
    /// Attributes of the planned @main: expressions that must not be negative in any run, and those that must be zero
    /// in every run.
    static constexpr ::llvm::StringLiteral getDimensionsName() { return "task.dimensions"; }
    static constexpr ::llvm::StringLiteral getZerosName() { return "task.zeros"; }
    /// Attributes of the planned @main: the numbers of inputs and outputs of the model among its arguments.
    static constexpr ::llvm::StringLiteral getInputsName() { return "task.inputs"; }
    static constexpr ::llvm::StringLiteral getOutputsName() { return "task.outputs"; }
    /// Attribute of inputs and outputs of the planned @main: the type of the tensor in the buffer.
    static constexpr ::llvm::StringLiteral getTensorName() { return "task.tensor"; }
    /// Attribute of the first dispatch of each task execution in the planned @main.
    static constexpr ::llvm::StringLiteral getBeginName() { return "task.begin"; }
    /// Attribute of a GPU kernel: a #task.block.
    static constexpr ::llvm::StringLiteral getBlockName() { return "task.block"; }
    /// Attribute of a function that is the body of a task.loop.
    static constexpr ::llvm::StringLiteral getBodyName() { return "task.body"; }
  }];
  let dependentDialects = ["::cameo::DimDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

// Buffers are one-dimensional. An attribute of the operation or argument holds a dynamic size.
def Task_Buffer : Type<MemRefRankOf<[AnyType], [1]>.predicate, "one-dimensional memref", "::mlir::MemRefType">;

// A buffer of one integer (Task_Counter), and of one boolean (Task_Flag).
class Task_OneElement<Type element, string get>
    : Type<And<[MemRefRankOf<[element], [1]>.predicate, CPred<"::llvm::cast<::mlir::MemRefType>($_self).getDimSize(0) == 1">]>,
           "buffer of one " # element.summary, "::mlir::MemRefType">,
      BuildableType<"::mlir::MemRefType::get({1}, " # get # ")">;
def Task_Counter : Task_OneElement<I64, "$_builder.getI64Type()">;
def Task_Flag : Task_OneElement<I8, "$_builder.getI8Type()">;

class Task_Op<string mnemonic, list<Trait> traits = []> : Op<Task_Dialect, mnemonic, traits>;

#endif
