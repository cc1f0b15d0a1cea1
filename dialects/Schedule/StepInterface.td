// What anyone may ask of a schedule step without knowing which one it is.
#ifndef CAMEO_DIALECTS_SCHEDULE_STEPINTERFACE_TD
#define CAMEO_DIALECTS_SCHEDULE_STEPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def StepAttrInterface : AttrInterface<"StepAttrInterface"> {
  let cppNamespace = "::cameo::schedule";
  let description = [{
    A step of a schedule: what `#schedule.steps` may hold. Any dialect may have some. This much is known of a step wherever it is printed, parsed and
    compared; what it does is the interface `StepEffectInterface` of `passes/Schedule/Steps`.
  }];
  let methods = [
    InterfaceMethod<"The nest that the step is about, or the first of them", "unsigned", "getNest">,
    InterfaceMethod<"The last nest that the step is about", "unsigned", "getLastNest", (ins), "", "return $_attr.getNest();">,
    InterfaceMethod<[{
      Whether the step puts other nests in the place of those that it names. Such steps come before all others and name nests by the numbers that these have before
      any of them; no two name the same nest. The other steps name nests as they are after them.
    }], "bool", "replacesNests", (ins), "", "return false;">
  ];
}

#endif
