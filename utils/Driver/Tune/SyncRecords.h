// Records that a team shares by its farm: the best ones go there, and schedules of others come back, to be measured
// here.
#ifndef CAMEO_UTILS_DRIVER_TUNE_SYNCRECORDS_H
#define CAMEO_UTILS_DRIVER_TUNE_SYNCRECORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace cameo {

struct SyncOutcome {
  size_t given = 0; ///< records that are better than what was there
  size_t taken = 0; ///< schedules that the file did not have, now seeds of it
};

/// Of the file at `path`, which need not be there. `farm`: cameo-farm and how it gets to the server.
llvm::Expected<SyncOutcome> syncRecords(const std::string &path, llvm::ArrayRef<std::string> farm);

} // namespace cameo

#endif
