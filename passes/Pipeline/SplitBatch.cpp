// --split-batch: compiles for one sample if samples are independent, because code with static sizes is faster, and for
// a part of a known number of samples whose activations would leave the caches.
#include "passes/Pipeline/NameSamples.h"
#include "passes/Pipeline/Passes.h"
#include "passes/Pipeline/Pipeline.h"
#include "passes/Pipeline/SampleTraffic.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Target/TargetDialect.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Graph/FixSizes.h"
#include "passes/Lower/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_SPLITBATCHPASS
#include "passes/Pipeline/Passes.h.inc"

namespace {

bool hasNamedSize(func::FuncOp main) {
  return llvm::any_of(main.getArgumentTypes(), [](Type type) {
    std::optional<onnx::DimList> dims = onnx::getDims(type);
    return dims && llvm::any_of(*dims, [](const Dim &dim) { return dim.isNamed(); });
  });
}

/// Builds the pipeline of the proof. It uses the naive path, which folds and fuses nothing and is therefore the
/// shortest.
OpPassManager makeProof(int64_t together) {
  PipelineOptions options;
  options.naive = true;
  OpPassManager proof(ModuleOp::getOperationName());
  for (Phase phase : {Phase::Graph, Phase::Layout, Phase::Partition, Phase::Lower})
    addPhase(proof, phase, options);
  FindBatchPassOptions samples;
  samples.together = together;
  proof.addPass(createFindBatchPass(samples));
  return proof;
}

/// Copies the marks that find-batch set.
void copyMarks(ModuleOp from, ModuleOp to) {
  StringRef perSample = task::TaskDialect::getPerSampleName();
  auto marked = from.lookupSymbol<func::FuncOp>("main"), main = to.lookupSymbol<func::FuncOp>("main");
  for (unsigned number = 0; number < main.getNumArguments(); ++number)
    if (Attribute mark = marked.getArgAttr(number, perSample))
      main.setArgAttr(number, perSample, mark);
  for (unsigned number = 0; number < main.getNumResults(); ++number)
    if (Attribute mark = marked.getResultAttr(number, perSample))
      main.setResultAttr(number, perSample, mark);
}

struct SplitBatch : impl::SplitBatchPassBase<SplitBatch> {
  void getDependentDialects(DialectRegistry &registry) const override { makeProof(1).getDependentDialects(registry); }

  /// Returns the model for `together` samples of any number, if they are independent.
  OwningOpRef<ModuleOp> divide(ModuleOp anyNumber, int64_t together) {
    OwningOpRef<ModuleOp> part = anyNumber.clone();
    // A pass may run pipelines only on operations nested in its own.
    ModuleOp lowered = anyNumber.clone();
    getOperation().push_back(lowered);
    OpPassManager proof = makeProof(together);
    auto symbol = succeeded(runPipeline(proof, lowered))
                      ? lowered->getAttrOfType<StringAttr>(task::TaskDialect::getBatchName())
                      : StringAttr();
    // The symbol may also be a number that an operator fixes, such as the parts of a Split; then there is no model of
    // one sample.
    if (symbol && succeeded(fixSizes(*part, {{symbol, together}}))) {
      (*part)->setAttr(task::TaskDialect::getBatchName(), symbol);
      copyMarks(lowered, *part);
    } else {
      part = nullptr;
    }
    lowered.erase();
    return part;
  }

  /// Returns the model for a part of a known number of samples, if that takes less time.
  OwningOpRef<ModuleOp> divideKnown(func::FuncOp main) {
    int64_t count = countSamples(main), together = chooseSamples(main, count, machineOf(getOperation()));
    if (together == count)
      return nullptr;
    OwningOpRef<ModuleOp> named = getOperation().clone();
    if (failed(nameSamples(*named, count, StringAttr::get(&getContext(), "samples"))))
      return nullptr;
    OwningOpRef<ModuleOp> part = divide(*named, together);
    if (part)
      (*part)->setAttr(task::TaskDialect::getBatchName(), Builder(&getContext()).getI64IntegerAttr(count / together));
    return part;
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main || main.isExternal())
      return;
    ScopedDiagnosticHandler quiet(&getContext(), [](Diagnostic &) { return success(); });
    OwningOpRef<ModuleOp> part = hasNamedSize(main) ? divide(module, 1) : divideKnown(main);
    if (!part)
      return;
    module->setAttrs((*part)->getAttrs());
    module.getBodyRegion().takeBody(part->getBodyRegion());
  }
};

} // namespace
} // namespace cameo
