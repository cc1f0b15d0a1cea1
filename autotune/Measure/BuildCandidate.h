// Builds a task with a schedule as a shared library that the worker loads. It runs the phases of the compiler on a
// module with a single task.
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
  bool verifiesPasses = false;            ///< run the verifier between passes
  std::shared_ptr<const CheckData> check; ///< values of constants; null if their values do not matter
};

struct CandidateImage {
  std::vector<char> library; ///< exports CAMEO_CANDIDATE_SYMBOL
  uint64_t weightBytes = 0;  ///< size of the external weights with their header
  std::string weights;       ///< contents of the external weights file; empty if values do not matter
};

struct BuildResult {
  MeasureError error;
  CandidateImage image; ///< empty after an error
};

/// Links an object file to a shared library, both as bytes; must be thread-safe.
using LinkFunction = std::function<llvm::Expected<std::vector<char>>(llvm::StringRef object)>;

struct BuildOptions {
  TargetInfo target;
  LinkFunction link;
  const mlir::DialectRegistry *registry = nullptr; ///< all dialects of the compiler
  GpuCode gpuCode = GpuCode::Auto;                 ///< for candidates for a GPU, as in CodegenOptions
  std::string ptxas, ptxasCache;                   ///< as in CodegenOptions
};

/// Builds one candidate after another. Not thread-safe. Keeps its MLIR context and the parsed tasks between builds.
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
