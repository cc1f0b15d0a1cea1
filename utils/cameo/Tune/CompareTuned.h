// Compares the whole model with and without the tuned schedules.
#ifndef CAMEO_UTILS_CAMEO_TUNE_COMPARETUNED_H
#define CAMEO_UTILS_CAMEO_TUNE_COMPARETUNED_H

#include "autotune/Records/CostInterval.h"
#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/Run/ModelLibrary.h"
#include "utils/Driver/Run/UnnamedFile.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <memory>

namespace cameo {

struct TunedComparison {
  double untunedSeconds = 0, tunedSeconds = 0; ///< of the whole models, medians
  autotune::CostInterval ratio = {};           ///< of tuned to untuned, measured in turns
  unsigned compared = 0;                       ///< number of tasks whose schedule differs from the default
  unsigned refused = 0;   ///< number of these that are not faster than the default inside the model
  unsigned leftOut = 0;   ///< number of the others that are left out, because the model is not clearly faster with them
  bool isDropped = false; ///< whether all others are left out; times and ratio are those with all of them
  llvm::StringSet<> used; ///< keys of the tasks with tuned schedules in the measured model
};

/// Compiles the model of `options` to a library file without a name, which can be copied. Tuning takes long and may be
/// killed, and then leaves no file behind.
llvm::Expected<UnnamedFile> compileToCompare(CompileOptions options);

/// Prints the result as one line for readers or as JSON. `estimatedSeconds` is the expected time of the tuned model; 0
/// or less: unknown.
void print(const TunedComparison &found, double estimatedSeconds);
llvm::json::Value toJson(const TunedComparison &found, double estimatedSeconds);

/// Compares a model with and without the schedules of a file of records. Created before tuning, because the time of the
/// untuned model determines how long the comparison will take.
class ModelComparison {
public:
  /// Compiles and runs the model as `options` say, with the task boundaries of records but without their schedules.
  /// `sizes` are those of the runs.
  static llvm::Expected<std::unique_ptr<ModelComparison>> create(const CompileOptions &options, llvm::StringRef records,
                                                                 DimensionSizes sizes);
  ~ModelComparison();

  /// Returns an upper bound of the expected time of run() after `tuningSeconds` of tuning.
  double expectedSeconds(double tuningSeconds) const;

  /// Returns the time of a run of the model without records, in seconds.
  double untunedSeconds() const;

  /// Compiles the model with the records, and measures both models and their tasks in turns on random inputs. The costs
  /// of the tasks are appended to the records and overrule the costs of tasks that ran alone. Then compares the whole
  /// models with the remaining schedules. If the tuned one is not clearly faster, the less certain half of these is
  /// left out, and so on. After longer tuning, more copies are compared. Pins this thread to CPUs. May be called only
  /// once.
  llvm::Expected<TunedComparison> run(double tuningSeconds);

private:
  class Models;
  explicit ModelComparison(std::unique_ptr<Models> models);

  std::unique_ptr<Models> models;
};

} // namespace cameo

#endif
