// Finds the first place inside of a model where the optimised code computes something else than the naive path.
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
  /// An output of the model that is known to differ from the naive path, and the round where it does.
  std::string wrongOutput;
  size_t wrongRound = 0;
};

struct BisectFinding {
  /// Task: its code differs from plain loops of the same task. Node: no task does, so that a pass on the graph is
  /// wrong; the optimised path gives the node another result than the naive one, though it gives the same for all that
  /// the node reads.
  enum class Kind { Task, Node } kind;
  size_t number = 0;                     ///< of the result, in the order of execution
  std::string nodes, operation;          ///< of the model; for a node its operator
  std::vector<InnerResult::Maker> tasks; ///< the task, or those that hold the node: none where they became constants
  std::string schedule;                  ///< of the task, in short; empty: plain loops
  cameo_element_type type = CAMEO_FLOAT32;
  std::string shape, expectedShape; ///< errors are there where these are the same
  Difference difference;
  size_t round = 0;
};

struct BisectResult {
  std::optional<BisectFinding> finding;
  size_t taskResults = 0; ///< that were compared
};

/// Compares all results of tasks with those of plain loops; then, where none differs but an output of the model does,
/// results of nodes with those of the naive path. Fails after a reported error.
llvm::FailureOr<BisectResult> bisectModel(const BisectRequest &request);

/// The command that shows what a task computes, for a shell.
std::string showTaskCommand(const CompileOptions &options, EmitKind emit, llvm::StringRef key);

} // namespace cameo

#endif
