// Reads and writes files of records, one per line. A line is written completely or not at all, because the tuner may be
// killed at any time.
#ifndef CAMEO_AUTOTUNE_RECORDS_RECORDFILE_H
#define CAMEO_AUTOTUNE_RECORDS_RECORDFILE_H

#include "autotune/Records/TuningRecord.h"

#include <memory>

namespace cameo::autotune {

struct RecordFile {
  std::vector<TuningRecord> records; ///< measurements, in the order of the file
  std::vector<TuningRecord> seeds;   ///< lines that are no measurements, kept apart so that they are not used as such
  std::vector<TuningRecord> borders; ///< measurements of models with a task that was split, or with two tasks that were
                                     ///< merged; they have no schedules
  /// Whether the file ends in an incomplete line, because a writer was killed. The line is left out.
  bool endsTorn = false;
};

/// Reads a file; empty lines and lines that begin with '#' are skipped. An error names the file, the line and what is
/// wrong.
llvm::Expected<RecordFile> readRecords(llvm::StringRef path);

/// Appends records. Several processes may append to one file.
class RecordWriter {
public:
  enum class Sync { Never, EachRound }; ///< whether flush() waits for the disk

  /// Creates the file if it does not exist. An incomplete last line of a killed writer is removed.
  static llvm::Expected<std::unique_ptr<RecordWriter>> open(llvm::StringRef path, Sync sync = Sync::EachRound);
  ~RecordWriter();
  RecordWriter(const RecordWriter &) = delete;
  RecordWriter &operator=(const RecordWriter &) = delete;

  /// Writes the line with a single system call.
  llvm::Error append(const TuningRecord &record);
  /// After this, records also survive a power failure (with Sync::EachRound).
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
