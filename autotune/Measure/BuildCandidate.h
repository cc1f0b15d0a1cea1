// From a task and a schedule to a shared library that the worker loads: the compiler's own phases on a module with a
// single task.
#ifndef CAMEO_AUTOTUNE_MEASURE_BUILDCANDIDATE_H
#define CAMEO_AUTOTUNE_MEASURE_BUILDCANDIDATE_H

#include "autotune/Measure/TaskSource.h"
#include "autotune/Records/MeasureError.h"
#include "passes/Codegen/CodegenOptions.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

#include <functional>

namespace cameo::autotune {

struct BuildRequest {
  std::string schedule;                   ///< text of a #schedule.steps; empty: the naive path
  bool verifiesPasses = false;            ///< looks at the IR between passes, too
  std::shared_ptr<const CheckData> check; ///< the values of constants; null: they do not matter
};

struct CandidateImage {
  std::vector<char> library; ///< exports CAMEO_CANDIDATE_SYMBOL
  uint64_t weightBytes = 0;  ///< of external weights with their header
  std::string weights;       ///< the file of external weights; empty where values do not matter
};

struct BuildResult {
  MeasureError error;
  CandidateImage image; ///< empty after an error
};

/// Links the bytes of an object file to those of a shared library; may be called from several threads.
using LinkFunction = std::function<llvm::Expected<std::vector<char>>(llvm::StringRef object)>;

struct BuildOptions {
  TargetInfo target;
  LinkFunction link;
  const mlir::DialectRegistry *registry = nullptr; ///< all dialects of the compiler
  GpuCode gpuCode = GpuCode::Auto;                 ///< of candidates for a GPU, as CodegenOptions has it
  std::string ptxas, ptxasCache;                   ///< the same
};

/// Builds one candidate after another; for one thread at a time. Keeps its context and the tasks that it has parsed.
class CandidateBuilder {
public:
  explicit CandidateBuilder(const BuildOptions &options);
  ~CandidateBuilder();

  BuildResult build(const TaskSource &task, const BuildRequest &request);

private:
  mlir::OwningOpRef<mlir::ModuleOp> instantiate(const TaskSource &task, const BuildRequest &request);
  mlir::ModuleOp parse(const TaskSource &task, bool withLoops);

  const BuildOptions &options;
  mlir::MLIRContext context;
  llvm::StringMap<mlir::OwningOpRef<mlir::ModuleOp>> linalg, loops; ///< by key
};

} // namespace cameo::autotune

#endif
