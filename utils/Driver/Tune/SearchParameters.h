// How a search goes about it, by names and numbers: what `cameo tune --search` takes.
#ifndef CAMEO_UTILS_DRIVER_TUNE_SEARCHPARAMETERS_H
#define CAMEO_UTILS_DRIVER_TUNE_SEARCHPARAMETERS_H

#include "utils/Driver/Tune/TuneModel.h"

namespace cameo {

/// "population, states that evolution holds; ...": all names, for help.
std::string explainSearchParameters();

/// Sets what `text` says: "KEY=VALUE,...", or a file with one of them per line, where '#' begins a comment. An error
/// names the key, and the line of a file.
llvm::Error setSearchParameters(llvm::StringRef text, TuneOptions &options);

} // namespace cameo

#endif
