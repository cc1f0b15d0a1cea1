// The interface of the effect of a schedule step. An attribute that implements it and StepAttrInterface can be applied.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_STEPEFFECT_TD
#define CAMEO_PASSES_SCHEDULE_STEPS_STEPEFFECT_TD

include "mlir/IR/Interfaces.td"

def StepEffectInterface : AttrInterface<"StepEffectInterface"> {
  let cppNamespace = "::cameo::schedule";
  let description = [{
    The effect of a step on the nests of a task and on their schedules. Steps of the `schedule` dialect get it as an external model (`RegisterSteps.h`); a dialect of
    a plugin may declare it with its attributes. What a step leaves is verified as a whole (`VerifySchedule.h`), and features are those of the loops that it leaves: a step
    need not say more of itself than this.
  }];
  let methods = [
    InterfaceMethod<[{
      Changes `state`, which has all nests that the step names; where it does not replace nests, they have schedules. An error says what keeps the step from it, and
      not which nest.
    }], "::llvm::Error", "apply", (ins "::cameo::schedule::ScheduledProgram &":$state, "const ::cameo::Machine &":$machine)>,
    InterfaceMethod<[{
      What is wrong with the step where all have been applied, `state` being otherwise sound; empty: nothing. Of a step that replaces nests nobody asks.
    }], "std::string", "verify", (ins "const ::cameo::schedule::ScheduledProgram &":$state, "const ::cameo::Machine &":$machine), "", "return {};">,
    InterfaceMethod<[{
      What the step does in a few words, for the line that describes a schedule; empty where the loops, which stand there, say it. `state` is that behind all steps.
    }], "std::string", "explain", (ins "const ::cameo::schedule::ScheduledProgram &":$state), "", "return {};">
  ];
}

#endif
