// What 'cameo verify --bisect' found, for people and for programs.
#ifndef CAMEO_UTILS_CAMEO_BISECTREPORT_H
#define CAMEO_UTILS_CAMEO_BISECTREPORT_H

#include "utils/Driver/Inspect/BisectModel.h"

#include "llvm/Support/JSON.h"

namespace cameo {

/// `seed` is that of the first round; `areWithin` says whether all outputs of the model are within their bounds.
void printBisect(llvm::raw_ostream &os, const BisectResult &result, const CompileOptions &options, int64_t seed,
                 bool areWithin);
llvm::json::Value bisectJson(const BisectResult &result, const CompileOptions &options, int64_t seed);
/// JSON has no infinity: an error without measure is null.
llvm::json::Value finiteOrNull(double value);

} // namespace cameo

#endif
