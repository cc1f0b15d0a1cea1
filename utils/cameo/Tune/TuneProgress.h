// How far tuning is, for people and programs.
#ifndef CAMEO_UTILS_CAMEO_TUNE_TUNEPROGRESS_H
#define CAMEO_UTILS_CAMEO_TUNE_TUNEPROGRESS_H

#include "autotune/TaskScheduler/TuningSession.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Table: written over itself on a terminal, one line per round elsewhere and the table at the end. Json: an object per
/// round and line.
enum class ProgressForm { Table, Json, None };

class TuneProgress {
public:
  TuneProgress(ProgressForm form, llvm::raw_ostream &os);

  /// What follows is of runs with such sizes alone.
  void begin(const autotune::SizeRange &range);
  void show(const autotune::SessionState &state);

private:
  void printTable(const autotune::SessionState &state);
  void printLine(const autotune::SessionState &state);
  void printJson(const autotune::SessionState &state);
  void warnOfFailures(const autotune::SessionState &state);

  ProgressForm form;
  llvm::raw_ostream &os;
  bool isTerminal;
  std::optional<autotune::SizeRange> range; // none: of all runs
  unsigned linesToGoBack = 0;
  unsigned warnedFailures = 0;
};

} // namespace cameo

#endif
