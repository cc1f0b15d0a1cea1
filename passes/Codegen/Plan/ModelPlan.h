// The planned @main as plain data. The generated `run`, the header and the description are emitted from it.
#ifndef CAMEO_PASSES_CODEGEN_PLAN_MODELPLAN_H
#define CAMEO_PASSES_CODEGEN_PLAN_MODELPLAN_H

#include "dialects/Onnx/DimList.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace cameo {

/// The place of a buffer: an offset from a base.
struct BufferPlace {
  enum class Base { Input, Output, Arena, Weights, Slot, Sizes, Strings, TextArea, Counters };
  Base base;
  unsigned index = 0;                          ///< number of the input, output or slot
  int64_t offset = 0;                          ///< in bytes
  std::optional<int64_t> bytes = std::nullopt; ///< size of the buffer from `offset` on; nothing if it is dynamic
};

struct PlannedTensor {
  std::string name, sequence;       ///< `sequence` is the name of the sequence that the tensor is an element of, or ""
  std::vector<int64_t> integerKeys; ///< integer keys of the columns if the rows are maps
  std::vector<std::string> stringKeys; ///< string keys of the columns if the rows are maps
  std::vector<int64_t> shape;          ///< as in the description: negative for a dynamic dimension
  std::string shapeText;               ///< "1x3x224", "batchx3"
  onnx::DimList dims;                  ///< dimensions that a run computes; set only for an output with data-dependent
                                       ///< dimensions
  int elementType;                     ///< cameo_element_type
  int64_t elementBytes;
  std::string cType;
  Dim bytes;                           ///< largest size of the tensor
  std::optional<unsigned> sharedInput; ///< for an output: the input whose memory it may share
  bool isPerSample = false;            ///< whether it holds one slice for each sample
  Dim sampleBytes;                     ///< bytes that one execution of the steps uses: a slice, or the whole tensor
};

/// An input or output of a function that the program defines.
struct ExternTensor {
  bool isPresent = false;
  int elementType = 0; ///< cameo_element_type
  std::string cType;
  onnx::DimList dims;
};

/// A field of the struct of parameters of a function that the program defines.
struct ExternParameter {
  std::string name;
  mlir::Attribute value; ///< value in one call: a number, a string, a list of numbers or strings, or a tensor; zero or
                         ///< empty if it is missing
  bool isOptional = false, isMissing = false;
};

/// A call of a function that the program defines. Also the signature of a function, the union of all its calls: a
/// tensor is present if any call has it.
struct PlannedExtern {
  std::string function, operatorName; ///< `function` is the name without the model's prefix
  std::vector<ExternTensor> inputs, outputs;
  std::vector<ExternParameter> parameters;
};

/// How a step that the host executes in a model for a GPU accesses a buffer.
struct HostOperand {
  bool isRead = false, isWritten = false; ///< neither: scratch memory, or no memory of the device
  Dim bytes = 0;
};

struct PlannedStep {
  enum class Kind {
    Kernel, ///< runs a kernel
    Host,   ///< runs a kernel on the host, in a model for a GPU
    Extern, ///< calls a function of the program with the buffers of the tensors that are present
    Copy,   ///< copies `bytes` from buffers[0] to buffers[1]; if buffers[2] is given, to the slice of buffers[1] with
            ///< the number of the iteration that it holds
    Rows,   ///< copies rows of buffers[0] to buffers[1], from the positions in buffers[2] on; `extents` as in
            ///< task.write_rows, in bytes
    Bind,   ///< sets the size `bound` to the value in buffers[0], which is at most `extent`
    Repeat, ///< begins a loop up to Next; buffers[0] receives the iteration number
    Next,   ///< the end of the innermost Repeat
    If,     ///< begins a branch up to EndIf, which is taken if all `flags` hold
    EndIf   ///< the end of the innermost If
  };
  Kind kind = Kind::Kernel;
  std::string kernel, bound;
  std::optional<PlannedExtern> call; ///< for Extern
  std::vector<BufferPlace> buffers;
  Dim extent = 1, bytes = 0;
  std::vector<HostOperand> operands; ///< for Host, and Extern in a model for a GPU: one for each buffer
  bool skipsSame = false;            ///< for Copy: both buffers may be the same one, then nothing is copied
  std::vector<Dim> extents;
  std::optional<BufferPlace> tripCount, condition; ///< for Repeat: the trip count and the condition to continue
  std::vector<std::pair<BufferPlace, bool>> flags; ///< for If and Bind: boolean buffers and the values that they must
                                                   ///< have; if they differ, Bind sets the size to 0
  std::optional<Dim> maxTripCount;                 ///< for Repeat: upper bound of the trip count
  std::optional<unsigned> task;                    ///< the task that it is part of; copies are part of none
  bool beginsTask = false;                         ///< whether it is the first step of an execution of the task
};

struct PlannedTask {
  std::string name, key;
  double flops, bytes;  ///< negative if they depend on the sizes of the run
  std::string schedule; ///< a short description for users
};

struct ModelPlan {
  std::vector<PlannedTensor> inputs, outputs;
  std::vector<PlannedStep> steps;
  std::vector<PlannedTask> tasks;
  unsigned firstTask = 0;             ///< number of the first task, if the tasks of other variants come before
  std::vector<PlannedExtern> externs; ///< signatures of the functions of the program that steps call, in order of their
                                      ///< first calls
  int64_t arenaBytes = 0, weightBytes = 0;
  int64_t ownWeightBytes = 0;       ///< bytes of the weights that these steps read; less than weightBytes if other
                                    ///< weights are for other variants
  std::vector<std::string> strings; ///< string constants, in the order of the table of their addresses
  bool makesStrings = false;        ///< whether steps need a text area

  std::optional<Dim> batch;         ///< how often the steps are executed, for one part of the samples after the other
  std::vector<std::string> symbols; ///< symbols of input dimensions, in order of their first occurrence
  std::vector<Dim> derived;         ///< other dynamic dimensions of inputs and outputs, as expressions of the
                                    ///< symbols
  std::vector<Dim> greatest;        ///< upper bounds of data-dependent output dimensions
  std::vector<std::string> counted; ///< names of sizes that steps bind
  std::vector<Dim> dimensions;      ///< expressions that must not be negative
  std::vector<Dim> zeros;           ///< expressions that must be zero
  std::vector<std::vector<Dim>> slots; ///< slots after the arena; each is as large as the largest of its sizes
  std::vector<Dim> sizes;              ///< sizes that kernels read

  /// Whether a run takes dynamic sizes or computes some.
  bool hasSizes() const { return !symbols.empty() || !dimensions.empty() || !counted.empty(); }

  /// Returns the sum of `costOf` over all executions of tasks, or nothing if a cost is known only at run time.
  std::optional<double> addUpTasks(llvm::function_ref<double(const PlannedTask &task)> costOf) const;

  /// Reads the plan from a module after passes/Memory. Fails after a diagnostic if a tensor has a type that C programs
  /// cannot pass, or if a size does not follow from the dimensions of the inputs.
  static mlir::FailureOr<ModelPlan> read(mlir::ModuleOp module);
};

} // namespace cameo

#endif
