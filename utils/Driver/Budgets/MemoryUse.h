// Finds the buffers and weights of a model and their live ranges, for users who want to reduce its memory.
#ifndef CAMEO_UTILS_DRIVER_BUDGETS_MEMORYUSE_H
#define CAMEO_UTILS_DRIVER_BUDGETS_MEMORYUSE_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace cameo {

struct MemoryUse {
  /// A buffer of the arena, which is live from step `first` to step `last`, inclusive.
  struct Buffer {
    std::string task, nodes; // its producer, as in Step
    bool isScratch;          // whether it is scratch memory of its producer
    int64_t bytes, offset, first, last;
  };
  /// One step of a run.
  struct Step {
    std::string task,
        nodes; // the second: of the ONNX model, joined by '+'; may be empty. What is no task is named by its operation
    int64_t aliveBytes = 0;            // of the arena
    bool isConstant = false;           // whether nothing is executed
    std::vector<int64_t> sources = {}; // the steps whose results it reads, ascending and unique; negative numbers are
                                       // inputs of the model, the first of which is -1
  };
  struct Weight {
    std::string task, nodes, type; // `task` and `nodes` of its first reader, and its tensor type
    int64_t bytes;
  };
  struct Task {
    std::string name, key, nodes;       // `nodes` are those of its first call
    int64_t calls = 0, weightBytes = 0; // `weightBytes` is the sum over all calls; shared weights count for each call
    int64_t aliveBytes = 0;             // most bytes of the arena that are live while it runs
  };

  int64_t arenaBytes = 0, aliveBytes = 0; // size of the arena, and the most bytes of it that are live at once
  unsigned openBuffers = 0;               // number of buffers with dynamic sizes, which are placed after the arena
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  std::vector<Weight> weights;
  std::vector<Task> tasks;         // in order of their first calls
  std::vector<std::string> inputs; // names of the model's inputs

  /// Returns the first step with the most live bytes; nothing if there are no steps.
  std::optional<size_t> peak() const;
};

/// Returns "conv_0 (Conv_17+Relu_18)", for messages.
std::string taskText(llvm::StringRef task, llvm::StringRef nodes);

/// Returns the memory use of a module in buffer form, before passes/Memory. Returns nothing after a reported error.
std::optional<MemoryUse> findMemoryUse(mlir::ModuleOp module);

/// Returns the number of bytes of the weights of an object with all of these modules, which are in buffer form. Weights
/// with the same layout are counted once.
int64_t sharedWeightBytes(llvm::ArrayRef<mlir::ModuleOp> modules);

} // namespace cameo

#endif
