// A short pipeline of LLVM passes. The vectorisers stay out: they would undo the register blocks.
#include "passes/Codegen/Llvm/OptimizeLlvm.h"

#include "passes/Codegen/Llvm/HideStarts.h"
#include "passes/Codegen/Llvm/KeepOnStack.h"
#include "passes/Codegen/Llvm/StoreSingleLanes.h"

#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"

using namespace llvm;

namespace cameo {
namespace {

/// Not for a long run: where its branches ask for one value, instcombine looks at all of them for each.
struct CombineInstructions : PassInfoMixin<CombineInstructions> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (function.hasOptNone())
      return PreservedAnalyses::all();
    // One round of it may leave something to do.
    return InstCombinePass(InstCombineOptions().setVerifyFixpoint(false)).run(function, analyses);
  }
};

} // namespace

void optimizeLlvm(Module &module, TargetMachine &machine, int64_t vectorBytes) {
  std::string width = std::to_string(vectorBytes * 8);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    // Without these LLVM splits 512-bit vectors in two on Intel's servers.
    function.addFnAttr("prefer-vector-width", width);
    function.addFnAttr("min-legal-vector-width", width);
    function.addFnAttr(Attribute::NoUnwind);
    function.setUWTableKind(UWTableKind::None);
  }
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder passes(&machine);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager pipeline;
  // Constants leave the addresses before instcombine, which would split each address by itself; what then is equal goes
  // behind it.
  FunctionPassManager cleanUp;
  cantFail(passes.parsePassPipeline(
      cleanUp, "sroa,early-cse,simplifycfg,loop-mssa(loop-rotate,licm),separate-const-offset-from-gep"));
  cleanUp.addPass(CombineInstructions());
  cantFail(passes.parsePassPipeline(cleanUp, "early-cse<memssa>,simplifycfg"));
  pipeline.addPass(createModuleToFunctionPassAdaptor(std::move(cleanUp)));
  pipeline.addPass(GlobalDCEPass());
  // Behind everything that makes a constant of a mask.
  pipeline.addPass(createModuleToFunctionPassAdaptor(StoreSingleLanesPass()));
  // Last: nothing above sees that two starts differ by a constant any more.
  pipeline.addPass(createModuleToFunctionPassAdaptor(HideStartsPass()));
  // Behind what would put the values back into registers.
  pipeline.addPass(createModuleToFunctionPassAdaptor(KeepOnStackPass()));
  pipeline.run(module, modules);
}

void generateQuickly(TargetMachine &machine) { machine.setOptLevel(CodeGenOptLevel::None); }

} // namespace cameo
