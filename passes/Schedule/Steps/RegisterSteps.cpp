#include "passes/Schedule/Steps/RegisterSteps.h"

#include "passes/Schedule/Steps/StepEffect.h"

using namespace mlir;

#include "passes/Schedule/Steps/StepEffect.cpp.inc"

namespace cameo::schedule {

template <typename... Attrs> static void attachEffects(MLIRContext &context) {
  (
      [&] {
        if constexpr (!std::is_same_v<Attrs, StepsAttr>)
          attachEffect<Attrs>(context);
      }(),
      ...);
}

void registerSteps(DialectRegistry &registry) {
  registry.insert<ScheduleDialect>();
  registry.addExtension(+[](MLIRContext *context, ScheduleDialect *) {
    // All attributes of ScheduleSteps.td.
    attachEffects<
#define GET_ATTRDEF_LIST
#include "dialects/Schedule/ScheduleSteps.cpp.inc"
        >(*context);
  });
}

void loadSteps(MLIRContext &context) {
  DialectRegistry registry;
  registerSteps(registry);
  context.appendDialectRegistry(registry);
  context.loadDialect<ScheduleDialect>();
}

} // namespace cameo::schedule
