// The planned @main as plain data: what the generated `run` does, and what the header and the description say.
#ifndef CAMEO_PASSES_CODEGEN_MODELPLAN_H
#define CAMEO_PASSES_CODEGEN_MODELPLAN_H

#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace cameo {

/// Where a buffer lies.
struct BufferPlace {
  enum class Base { Input, Output, Arena, Weights };
  Base base;
  unsigned index = 0; ///< of the input or output
  int64_t offset = 0; ///< in bytes
};

struct PlannedTensor {
  std::string name;
  std::vector<int64_t> shape;
  int elementType; ///< cameo_element_type
  std::string cType;
  int64_t bytes;
};

/// Runs a kernel, or copies bytes when `kernel` is empty (from buffers[0] to buffers[1]).
struct PlannedStep {
  std::string kernel;
  std::vector<BufferPlace> buffers;
  int64_t extent = 1, bytes = 0;
  std::optional<unsigned> task; ///< whose execution it is part of; copies are part of none
  bool beginsTask = false;      ///< the first step of an execution
};

struct PlannedTask {
  std::string name, key;
  double flops, bytes;
};

struct ModelPlan {
  std::vector<PlannedTensor> inputs, outputs;
  std::vector<PlannedStep> steps;
  std::vector<PlannedTask> tasks;
  int64_t arenaBytes = 0, weightBytes = 0;

  /// Reads the plan from a module after passes/Memory. Fails after a diagnostic on a tensor that C programs cannot pass.
  static mlir::FailureOr<ModelPlan> read(mlir::ModuleOp module);
};

} // namespace cameo

#endif
