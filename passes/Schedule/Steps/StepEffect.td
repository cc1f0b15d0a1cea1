// The interface of the effect of a schedule step. An attribute that implements it and StepAttrInterface can be applied.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_STEPEFFECT_TD
#define CAMEO_PASSES_SCHEDULE_STEPS_STEPEFFECT_TD

include "mlir/IR/Interfaces.td"

def StepEffectInterface : AttrInterface<"StepEffectInterface"> {
  let cppNamespace = "::cameo::schedule";
  let description = [{
    The effect of a step on the nests of a task and on their schedules. Steps of the `schedule` dialect get it as an
    external model (`RegisterSteps.h`); a dialect of a plugin may declare it with its attributes. The resulting schedule
    is verified as a whole (`VerifySchedule.h`), and features are computed from the resulting loops, so that a step
    needs no further methods.
  }];
  let methods = [
    InterfaceMethod<[{
      Applies the step to `state`, which holds all nests that the step refers to. If the step does not replace nests,
      they have schedules. An error states why the step cannot be applied; it need not name the nest.
    }], "::llvm::Error", "apply", (ins "::cameo::schedule::ScheduledProgram &":$state, "const ::cameo::Machine &":$machine)>,
    InterfaceMethod<[{
      Returns an error message if the step is invalid, otherwise an empty string. `state` is valid otherwise, and all
      steps have been applied to it. Not called for steps that replace nests.
    }], "std::string", "verify", (ins "const ::cameo::schedule::ScheduledProgram &":$state, "const ::cameo::Machine &":$machine), "", "return {};">,
    InterfaceMethod<[{
      Returns a short description of the step for the line that describes a schedule; empty if the description of the
      loops shows the effect. All steps have been applied to `state`.
    }], "std::string", "explain", (ins "const ::cameo::schedule::ScheduledProgram &":$state), "", "return {};">
  ];
}

#endif
