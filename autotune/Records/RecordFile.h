// Files of records, one per line. A line is there as a whole or not at all: the tuner may be killed at any moment.
#ifndef CAMEO_AUTOTUNE_RECORDS_RECORDFILE_H
#define CAMEO_AUTOTUNE_RECORDS_RECORDFILE_H

#include "autotune/Records/TuningRecord.h"

#include <memory>

namespace cameo::autotune {

struct RecordFile {
  std::vector<TuningRecord> records; ///< measurements, in the order of the file
  std::vector<TuningRecord> seeds;   ///< what of the lines is no measurement, so that nobody takes it for one
  std::vector<TuningRecord> borders; ///< what models took of which a task was two, or two were one: no schedules
  /// The file ends in the middle of a line: a writer was killed. The line is left out.
  bool endsTorn = false;
};

/// Reads a file; empty lines and lines that begin with '#' are skipped. An error names the file, the line and what is
/// wrong.
llvm::Expected<RecordFile> readRecords(llvm::StringRef path);

/// Appends records. Several processes may append to one file.
class RecordWriter {
public:
  enum class Sync { Never, EachRound }; ///< whether flush() waits for the disk

  /// Creates the file where there is none. A line that a killed writer left unfinished is cut off.
  static llvm::Expected<std::unique_ptr<RecordWriter>> open(llvm::StringRef path, Sync sync = Sync::EachRound);
  ~RecordWriter();
  RecordWriter(const RecordWriter &) = delete;
  RecordWriter &operator=(const RecordWriter &) = delete;

  /// One write for the whole line.
  llvm::Error append(const TuningRecord &record);
  /// After this, records survive a loss of power too.
  llvm::Error flush();

private:
  RecordWriter(std::string path, int descriptor, Sync sync)
      : path(std::move(path)), descriptor(descriptor), sync(sync) {}
  llvm::Error fail(llvm::StringRef what) const;
  llvm::Error appendLocked(llvm::StringRef line);

  std::string path;
  int descriptor;
  Sync sync;
};

} // namespace cameo::autotune

#endif
