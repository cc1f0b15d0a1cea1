// Finds the first operation of a model where the optimised code computes another result than the naive path.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_BISECTMODEL_H
#define CAMEO_UTILS_DRIVER_INSPECT_BISECTMODEL_H

#include "utils/Driver/Inspect/InnerResults.h"
#include "utils/Driver/Run/CompareTensors.h"
#include "utils/Driver/Run/ModelRunner.h"

namespace cameo {

struct BisectRequest {
  CompileOptions options;
  int threads = 1;
  std::vector<InputSource> rounds;
  Tolerance tolerance; ///< relative unset: as exact as the least exact floating-point type so far
  /// An output of the model that is known to differ from the naive path, and the iteration in which it does.
  std::string wrongOutput;
  size_t wrongRound = 0;
};

struct BisectFinding {
  /// Task: the code of a task differs from plain loops for the same task. Node: no task differs, so a pass on the graph
  /// is wrong; the optimised path computes another result for the node than the naive path from equal operands.
  enum class Kind { Task, Node } kind;
  size_t number = 0;                     ///< number of the result, in execution order
  std::string nodes, operation;          ///< nodes of the model, and for a node its operator
  std::vector<InnerResult::Maker> tasks; ///< the task, or the tasks that contain the node; empty if they were folded to
                                         ///< constants
  std::string schedule;                  ///< short description of the task's schedule; empty: plain loops
  cameo_element_type type = CAMEO_FLOAT32;
  std::string shape, expectedShape; ///< `difference` is set only if these are equal
  Difference difference;
  size_t round = 0;
};

struct BisectResult {
  std::optional<BisectFinding> finding;
  size_t taskResults = 0; ///< number of task results that were compared
};

/// Compares all results of tasks with those of plain loops. If none differs but an output of the model does, compares
/// the results of nodes with those of the naive path. Fails after a reported error.
llvm::FailureOr<BisectResult> bisectModel(const BisectRequest &request);

/// Returns the shell command that shows what a task computes.
std::string showTaskCommand(const CompileOptions &options, EmitKind emit, llvm::StringRef key);

} // namespace cameo

#endif
