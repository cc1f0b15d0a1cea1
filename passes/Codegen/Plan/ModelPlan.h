// The planned @main as plain data: what the generated `run` does, and what the header and the description say.
#ifndef CAMEO_PASSES_CODEGEN_PLAN_MODELPLAN_H
#define CAMEO_PASSES_CODEGEN_PLAN_MODELPLAN_H

#include "dialects/Onnx/DimList.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace cameo {

/// Where a buffer lies.
struct BufferPlace {
  enum class Base { Input, Output, Arena, Weights, Slot, Sizes, Texts, TextArea, Counters };
  Base base;
  unsigned index = 0;                          ///< of the input, output or slot
  int64_t offset = 0;                          ///< in bytes
  std::optional<int64_t> bytes = std::nullopt; ///< from there on; none: as many as the run says
};

struct PlannedTensor {
  std::string name, sequence;        ///< the second for an element: of which sequence
  std::vector<int64_t> integerKeys;  ///< of the columns of rows that are maps
  std::vector<std::string> textKeys; ///< the same, where they are texts
  std::vector<int64_t> shape;        ///< as in the description: below 0 for a dynamic dimension
  std::string shapeText;             ///< "1x3x224", "batchx3"
  onnx::DimList dims;                ///< what a run finds; only of an output whose size data decides
  int elementType;                   ///< cameo_element_type
  int64_t elementBytes;
  std::string cType;
  Dim bytes;                           ///< as many as it may need
  std::optional<unsigned> sharedInput; ///< of an output: the input whose memory it may be
  bool isPerSample = false;            ///< whether it holds a part per sample
  Dim sampleBytes;                     ///< what the steps take at once: that part, or everything
};

/// An input or output of a function of the program.
struct ExternTensor {
  bool isPresent = false;
  int elementType = 0; ///< cameo_element_type
  std::string cType;
  onnx::DimList dims;
};

/// A field of the struct of parameters of such a function.
struct ExternParameter {
  std::string name;
  mlir::Attribute
      value; ///< of one call: a number, a text, a list of either, or a tensor; zero or empty where it is missing
  bool isOptional = false, isMissing = false;
};

/// A call of a function of the program; also what all calls of one have in common, of which each tensor is present that
/// some call has.
struct PlannedExtern {
  std::string function, operatorName; ///< the first without the model's prefix
  std::vector<ExternTensor> inputs, outputs;
  std::vector<ExternParameter> parameters;
};

struct PlannedStep {
  enum class Kind {
    Kernel, ///< runs one
    Extern, ///< calls a function of the program, with the buffers of the tensors that are there
    Copy,   ///< `bytes` from buffers[0] to buffers[1], there to the slice of the round in buffers[2] if that is given
    Rows,   ///< rows of buffers[0] to buffers[1], from the places in buffers[2] on; `extents` as in task.write_rows, of
            ///< bytes
    Bind,   ///< gives the size `bound` the value in buffers[0], at most `extent`
    Repeat, ///< what follows, up to Next, again and again; buffers[0] has the number of the round
    Next,   ///< the end of the innermost Repeat
    If,     ///< what follows, up to EndIf, where all `flags` say so
    EndIf   ///< the end of the innermost If
  };
  Kind kind = Kind::Kernel;
  std::string kernel, bound;
  std::optional<PlannedExtern> call; ///< of Extern
  std::vector<BufferPlace> buffers;
  Dim extent = 1, bytes = 0;
  bool skipsSame = false; ///< of Copy: both buffers may be one
  std::vector<Dim> extents;
  std::optional<BufferPlace> rounds, condition; ///< of Repeat: what ends it
  std::vector<std::pair<BufferPlace, bool>>
      flags;                    ///< of If and Bind: booleans, and what each has to be; else a size is 0
  std::optional<Dim> most;      ///< of Repeat: rounds that no run may exceed
  std::optional<unsigned> task; ///< whose execution it is part of; copies are part of none
  bool beginsTask = false;      ///< the first step of an execution
};

struct PlannedTask {
  std::string name, key;
  double flops, bytes;  ///< below 0: the sizes of the run decide
  std::string schedule; ///< in short, for people
};

struct ModelPlan {
  std::vector<PlannedTensor> inputs, outputs;
  std::vector<PlannedStep> steps;
  std::vector<PlannedTask> tasks;
  unsigned firstTask = 0;             ///< number of the first, where those for other processors come before
  std::vector<PlannedExtern> externs; ///< the functions of the program that steps call, in order of their first calls
  int64_t arenaBytes = 0, weightBytes = 0;
  int64_t ownWeightBytes = 0;     ///< of the weights: what these steps read, where others are for other processors
  std::vector<std::string> texts; ///< constants, one behind the other, as steps find their addresses in a table
  bool makesTexts = false;        ///< whether steps need an area for texts

  std::string batch; ///< the symbol that says how often the steps are run, each time on the next sample; "" for once
  std::vector<std::string> symbols;    ///< names of dimensions of the inputs, by first occurrence
  std::vector<Dim> derived;            ///< other dimensions of inputs and outputs known only at run time
  std::vector<Dim> greatest;           ///< of dimensions of outputs that data decides: what they are at most
  std::vector<std::string> counted;    ///< names of sizes that steps find
  std::vector<Dim> dimensions;         ///< what no run may make negative
  std::vector<Dim> zeros;              ///< what every run must make zero
  std::vector<std::vector<Dim>> slots; ///< behind the arena; each as large as the largest of its sizes
  std::vector<Dim> sizes;              ///< the numbers that kernels read

  /// Whether a run must be told sizes, or at least compute some.
  bool hasSizes() const { return !symbols.empty() || !dimensions.empty() || !counted.empty(); }

  /// What `costOf` says of each execution of a task, added up; nothing where it is known only at run time how much one
  /// of them does.
  std::optional<double> addUpTasks(llvm::function_ref<double(const PlannedTask &task)> costOf) const;

  /// Reads the plan from a module after passes/Memory. Fails after a diagnostic on a tensor that C programs cannot
  /// pass, or on a size that does not follow from the dimensions of the inputs.
  static mlir::FailureOr<ModelPlan> read(mlir::ModuleOp module);
};

} // namespace cameo

#endif
