// Converts steps that replace nests between attributes and the structures that rules and rewrites use.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_REPLACEMENTS_H
#define CAMEO_PASSES_SCHEDULE_STEPS_REPLACEMENTS_H

#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"
#include "passes/Schedule/Steps/StepEffect.h"

namespace cameo::schedule {

WinogradStep planOf(WinogradAttr step);
FuseStep planOf(FuseAttr step);
FlattenStep planOf(FlattenAttr step);
InlineStep planOf(InlineAttr step);

StepAttrInterface toStep(mlir::MLIRContext *context, const WinogradStep &step);
StepAttrInterface toStep(mlir::MLIRContext *context, const FuseStep &step);
StepAttrInterface toStep(mlir::MLIRContext *context, const FlattenStep &step);
StepAttrInterface toStep(mlir::MLIRContext *context, const InlineStep &step);

} // namespace cameo::schedule

#endif
