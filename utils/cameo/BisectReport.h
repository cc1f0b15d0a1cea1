// Prints the result of 'cameo verify --bisect' as text or JSON.
#ifndef CAMEO_UTILS_CAMEO_BISECTREPORT_H
#define CAMEO_UTILS_CAMEO_BISECTREPORT_H

#include "utils/Driver/Inspect/BisectModel.h"

#include "llvm/Support/JSON.h"

namespace cameo {

/// Prints the result as text. `seed` is the seed of the first round; `areWithin` says whether all outputs of the model
/// are within their bounds.
void printBisect(llvm::raw_ostream &os, const BisectResult &result, const CompileOptions &options, int64_t seed,
                 bool areWithin);
llvm::json::Value bisectJson(const BisectResult &result, const CompileOptions &options, int64_t seed);
/// Returns null for infinity, which JSON does not have.
llvm::json::Value finiteOrNull(double value);

} // namespace cameo

#endif
