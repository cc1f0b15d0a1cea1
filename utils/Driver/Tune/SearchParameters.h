// Parses the parameters of searches: the value of `cameo tune --search`.
#ifndef CAMEO_UTILS_DRIVER_TUNE_SEARCHPARAMETERS_H
#define CAMEO_UTILS_DRIVER_TUNE_SEARCHPARAMETERS_H

#include "utils/Driver/Tune/TuneModel.h"

namespace cameo {

/// Returns the help text of all parameters: "population, states that evolution holds; ...".
std::string explainSearchParameters();

/// Sets the parameters in `text`: "KEY=VALUE,...", or the path of a file with one of them per line, where '#' begins a
/// comment. The error names the key, and for a file the line.
llvm::Error setSearchParameters(llvm::StringRef text, TuneOptions &options);

} // namespace cameo

#endif
