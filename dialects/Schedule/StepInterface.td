// The interface of all schedule steps.
#ifndef CAMEO_DIALECTS_SCHEDULE_STEPINTERFACE_TD
#define CAMEO_DIALECTS_SCHEDULE_STEPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def StepAttrInterface : AttrInterface<"StepAttrInterface"> {
  let cppNamespace = "::cameo::schedule";
  let description = [{
    A step of a schedule, an element of `#schedule.steps`. Any dialect may define steps. This interface is what printing, parsing and comparing a
    schedule needs; the effect of a step is the interface `StepEffectInterface` of `passes/Schedule/Steps`.
  }];
  let methods = [
    InterfaceMethod<"Returns the number of the nest that the step refers to, or of the first one", "unsigned", "getNest">,
    InterfaceMethod<"Returns the number of the last nest that the step refers to", "unsigned", "getLastNest", (ins), "", "return $_attr.getNest();">,
    InterfaceMethod<[{
      Whether the step replaces the nests that it refers to. Such steps come before all others and refer to nests by their numbers before all replacements;
      no two of them refer to the same nest. The other steps refer to nests by their numbers after all replacements.
    }], "bool", "replacesNests", (ins), "", "return false;">
  ];
}

#endif
