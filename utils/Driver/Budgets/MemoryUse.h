// Which buffers and weights a model has, and when a run uses them: for people who want it smaller.
#ifndef CAMEO_UTILS_DRIVER_BUDGETS_MEMORYUSE_H
#define CAMEO_UTILS_DRIVER_BUDGETS_MEMORYUSE_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace cameo {

struct MemoryUse {
  /// A buffer of the arena, in use from step `first` to step `last`, both included.
  struct Buffer {
    std::string task, nodes; // what makes it, as in Step
    bool isScratch;          // whether only that needs it
    int64_t bytes, offset, first, last;
  };
  /// What a run does one after the other.
  struct Step {
    std::string task,
        nodes; // the second: of the ONNX model, joined by '+'; may be empty. What is no task is named by its operation
    int64_t aliveBytes = 0;            // of the arena
    bool isConstant = false;           // nothing runs
    std::vector<int64_t> sources = {}; // the steps whose results it reads, ascending, each once; -1 and below: inputs
                                       // of the model, the first is -1
  };
  struct Weight {
    std::string task, nodes, type; // the first that reads it; its tensor
    int64_t bytes;
  };
  struct Task {
    std::string name, key, nodes;       // the last of its first call
    int64_t calls = 0, weightBytes = 0; // the second: of all calls, shared ones as often as they are shared
    int64_t aliveBytes = 0;             // of the arena, at most while it runs
  };

  int64_t arenaBytes = 0, aliveBytes = 0; // of the arena, and the most that are in use at once
  unsigned openBuffers = 0;               // those with dynamic sizes; they lie behind the arena
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  std::vector<Weight> weights;
  std::vector<Task> tasks;         // by first call
  std::vector<std::string> inputs; // of the model, by name

  /// The first step with the most bytes; none without steps.
  std::optional<size_t> peak() const;
};

/// "conv_0 (Conv_17+Relu_18)", for people.
std::string taskText(llvm::StringRef task, llvm::StringRef nodes);

/// Of a module in buffer form, before passes/Memory. None after a reported error.
std::optional<MemoryUse> findMemoryUse(mlir::ModuleOp module);

/// Bytes of the weights of one object with all of these modules, in buffer form: what is laid out alike is there once.
int64_t sharedWeightBytes(llvm::ArrayRef<mlir::ModuleOp> modules);

} // namespace cameo

#endif
