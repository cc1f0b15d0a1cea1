// Synchronises records with a farm, through which a team shares them: uploads the best ones, and downloads schedules of
// others, which are to be measured here.
#ifndef CAMEO_UTILS_DRIVER_TUNE_SYNCRECORDS_H
#define CAMEO_UTILS_DRIVER_TUNE_SYNCRECORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace cameo {

struct SyncOutcome {
  size_t given = 0; ///< number of uploaded records, which are better than those of the farm
  size_t taken = 0; ///< number of downloaded schedules that were not in the file; they become seeds
};

/// Synchronises the file at `path`, which need not exist. `farm` is the command line of cameo-farm, including the
/// connection to the server.
llvm::Expected<SyncOutcome> syncRecords(const std::string &path, llvm::ArrayRef<std::string> farm);

} // namespace cameo

#endif
