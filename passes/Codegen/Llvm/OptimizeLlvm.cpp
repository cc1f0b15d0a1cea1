// A short pipeline of LLVM passes. The loop vectoriser sees plain loops only: it would undo the register blocking.
#include "passes/Codegen/Llvm/OptimizeLlvm.h"

#include "passes/Codegen/Llvm/HideStarts.h"
#include "passes/Codegen/Llvm/KeepOnStack.h"
#include "passes/Codegen/Llvm/StoreSingleLanes.h"

#include "dialects/Task/KernelAttributes.h"

#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"

using namespace llvm;

namespace cameo {
namespace {

/// Skips optnone functions, such as long run functions: for each branch, instcombine would visit all branches on the
/// same condition.
struct CombineInstructions : PassInfoMixin<CombineInstructions> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (function.hasOptNone())
      return PreservedAnalyses::all();
    // One iteration may not reach the fixpoint.
    return InstCombinePass(InstCombineOptions().setVerifyFixpoint(false)).run(function, analyses);
  }
};

/// Vectorises kernels of plain loops, such as the copies of a scatter.
struct VectorizePlainLoops : PassInfoMixin<VectorizePlainLoops> {
  explicit VectorizePlainLoops(PassBuilder &passes) {
    cantFail(passes.parsePassPipeline(vectorize, "loop-simplify,lcssa,loop-vectorize"));
    vectorize.addPass(CombineInstructions());
    cantFail(passes.parsePassPipeline(vectorize, "early-cse<memssa>,simplifycfg"));
  }
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return function.hasFnAttribute(task::kPlainLoops) ? vectorize.run(function, analyses) : PreservedAnalyses::all();
  }
  FunctionPassManager vectorize;
};

} // namespace

void optimizeLlvm(Module &module, TargetMachine &machine, int64_t vectorBytes) {
  std::string width = std::to_string(vectorBytes * 8);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    // Without these attributes LLVM splits 512-bit vectors in two on Intel's servers.
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
  // separate-const-offset-from-gep must run before instcombine, which would rewrite each address by itself. early-cse
  // runs after both, because addresses without their constant offsets are often equal.
  FunctionPassManager cleanUp;
  cantFail(passes.parsePassPipeline(
      cleanUp, "sroa,early-cse,simplifycfg,loop-mssa(loop-rotate,licm),separate-const-offset-from-gep"));
  cleanUp.addPass(CombineInstructions());
  cantFail(passes.parsePassPipeline(cleanUp, "early-cse<memssa>,simplifycfg"));
  pipeline.addPass(createModuleToFunctionPassAdaptor(std::move(cleanUp)));
  pipeline.addPass(createModuleToFunctionPassAdaptor(VectorizePlainLoops(passes)));
  pipeline.addPass(GlobalDCEPass());
  // Runs after all passes that may make a mask constant.
  pipeline.addPass(createModuleToFunctionPassAdaptor(StoreSingleLanesPass()));
  // Runs after the other passes that change addresses, which cannot see that two opaque starts differ by a constant.
  pipeline.addPass(createModuleToFunctionPassAdaptor(HideStartsPass()));
  // Runs after all passes that would promote the stack slots to registers again.
  pipeline.addPass(createModuleToFunctionPassAdaptor(KeepOnStackPass()));
  pipeline.run(module, modules);
}

void generateQuickly(TargetMachine &machine) { machine.setOptLevel(CodeGenOptLevel::None); }

} // namespace cameo
