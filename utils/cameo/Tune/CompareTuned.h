// What tuning is worth to the whole model.
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
  double untunedSeconds = 0, tunedSeconds = 0; ///< of whole models, medians
  autotune::CostInterval ratio = {};           ///< of both, in turns
  unsigned compared = 0;                       ///< tasks whose schedule is another one than the default
  unsigned refused = 0;                        ///< of these: no faster than the default inside the model
  unsigned leftOut = 0;                        ///< of the others: with them the model is not clearly faster
  bool isDropped = false;                      ///< all others are left out; times and ratio are those with all of them
  llvm::StringSet<> used;                      ///< tasks with other schedules in what was timed, by key
};

/// The model of `options` as a library without a name, of which copies can be made: tuning takes long and may be
/// killed, which leaves nothing behind then.
llvm::Expected<UnnamedFile> compileToCompare(CompileOptions options);

/// One line on standard output for readers, and the same for programs. `estimatedSeconds` is what the tuned model was
/// expected to take; 0 or less: nobody knows.
void print(const TunedComparison &found, double estimatedSeconds);
llvm::json::Value toJson(const TunedComparison &found, double estimatedSeconds);

/// The comparison of a model with a file of records and without its schedules. Created before tuning: what the model
/// without them takes tells how much time the rest will need.
class ModelComparison {
public:
  /// Compiles the model as `options` say and runs it: with the borders of records, but without their schedules. `sizes`
  /// are those of the runs.
  static llvm::Expected<std::unique_ptr<ModelComparison>> create(const CompileOptions &options, llvm::StringRef records,
                                                                 DimensionSizes sizes);
  ~ModelComparison();

  /// What run() is expected to take, from above, after as many seconds of tuning.
  double expectedSeconds(double tuningSeconds) const;

  /// Seconds of a run of the model without records.
  double untunedSeconds() const;

  /// Compiles the model with the records, runs both in turns on random inputs, and times their tasks: what these took
  /// is appended to the records and overrules what the tasks took alone. Then compares whole models, with what is left:
  /// unless that is clearly faster, the less certain half of it is refused, too, and so on. The longer the tuning took,
  /// the more copies are compared. Pins this thread to CPUs. Called once.
  llvm::Expected<TunedComparison> run(double tuningSeconds);

private:
  class Models;
  explicit ModelComparison(std::unique_ptr<Models> models);

  std::unique_ptr<Models> models;
};

} // namespace cameo

#endif
