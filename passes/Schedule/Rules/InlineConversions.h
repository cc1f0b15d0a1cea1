// Chooses the conversions to f32 that their readers take over: Winograd's transforms, and products of a few elements
// or outputs.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_INLINECONVERSIONS_H
#define CAMEO_PASSES_SCHEDULE_RULES_INLINECONVERSIONS_H

#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"

namespace cameo::schedule {

/// Returns a step for each nest of `program` that only converts a tensor for convolutions which steps in `chosen`
/// transform, a few elements for products in the same row, or what sums convert in less time than the copy takes. Nests
/// of the steps in `chosen` are left as they are.
std::vector<InlineStep> inlineConversions(const TaskProgram &program, llvm::ArrayRef<Replacement> chosen,
                                          const Machine &machine);

} // namespace cameo::schedule

#endif
