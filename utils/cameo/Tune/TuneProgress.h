// Prints the progress of tuning, as text or JSON.
#ifndef CAMEO_UTILS_CAMEO_TUNE_TUNEPROGRESS_H
#define CAMEO_UTILS_CAMEO_TUNE_TUNEPROGRESS_H

#include "autotune/TaskScheduler/TuningSession.h"

#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Table: on a terminal, a table that is overwritten; otherwise one line per round, and the table at the end. Json: one
/// line with an object per round.
enum class ProgressForm { Table, Json, None };

class TuneProgress {
public:
  TuneProgress(ProgressForm form, llvm::raw_ostream &os);

  /// Restricts the following output to runs with sizes in `range`.
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
  std::optional<autotune::SizeRange> range; // nothing: all sizes
  unsigned linesToGoBack = 0;
  unsigned warnedFailures = 0;
};

} // namespace cameo

#endif
