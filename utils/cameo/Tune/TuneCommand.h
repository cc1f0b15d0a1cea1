// The command 'cameo tune': DeclareTune.cpp declares its options, Tune.cpp runs it.
#ifndef CAMEO_UTILS_CAMEO_TUNE_TUNECOMMAND_H
#define CAMEO_UTILS_CAMEO_TUNE_TUNECOMMAND_H

#include "utils/Driver/Tune/TuneModel.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/cameo/FarmAccess.h"
#include "utils/cameo/Tune/CompareTuned.h"

#include <optional>

namespace cameo {

class TuneCommand : public Command {
public:
  void declare(CommandLine &line) override;
  int run() override;

private:
  void declareBudget(CommandLine &line);
  void declareSearch(CommandLine &line);
  void declareMeasurement(CommandLine &line);
  void declareFarm(CommandLine &line);
  llvm::Error takeSource();
  llvm::Error takeFarm(llvm::StringRef server);
  int pack();
  int printStage();
  llvm::Error prepareComparison();
  int compare(double tuningSeconds);

  TuneOptions options;
  int64_t threads = 1, trials = 0, trialsPerRound = 32, seed = 0, earlyStopping = 0, taskEarlyStopping = 0;
  int64_t borders = 0, buckets = 1;
  int64_t repeats = 5, number = 1, cpu = -1, buildThreads = 0, rounds = 0;
  std::optional<double> runTimeout, buildTimeout, minRepeatMs, coolDown;
  int64_t parallel = 4;
  std::string signingKey, packed;
  const CommandLine *words = nullptr;
  bool isUnsigned = false;
  FarmAccess access;
  std::string progress = "table", priority = "normal", stopAfter = "measure", strategy = "gradient",
              measure = "machine", check = "winners";
  bool withoutDefaults = false, hotCaches = false;
  std::unique_ptr<ModelComparison> comparison; // null if the models are not compared
  std::vector<autotune::TaskProgress> tasks;   // at the end of the session; empty if a task has no result
};

} // namespace cameo

#endif // CAMEO_UTILS_CAMEO_TUNE_TUNECOMMAND_H
