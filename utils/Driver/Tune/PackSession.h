// Packs a session of `cameo tune` into a folder, for a machine that has neither Cameo nor a network.
#ifndef CAMEO_UTILS_DRIVER_TUNE_PACKSESSION_H
#define CAMEO_UTILS_DRIVER_TUNE_PACKSESSION_H

#include "utils/Driver/Tune/TuneModel.h"

namespace cameo {

/// An option of the command line. The value of one that names a file is a path.
struct PackedOption {
  std::string name, value; ///< `value` is empty for a flag
  bool isFile = false;
};

/// Writes `folder`, which must not exist. It holds this program, the worker and the libraries that both need except the
/// C library, the tasks of the model without its weights, the records of `options` if there are any, the files of
/// `given`, and a program `tune` that continues the session there with the options `given`. Fails after a reported
/// error and then leaves no folder.
llvm::LogicalResult packSession(llvm::StringRef folder, const TuneOptions &options, llvm::ArrayRef<PackedOption> given);

} // namespace cameo

#endif
