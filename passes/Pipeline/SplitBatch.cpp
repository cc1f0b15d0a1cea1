// --split-batch: compiles for one sample if samples are independent, because code with static sizes is faster.
#include "passes/Pipeline/Passes.h"
#include "passes/Pipeline/Pipeline.h"

#include "dialects/Onnx/DimList.h"
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
OpPassManager makeProof() {
  PipelineOptions options;
  options.naive = true;
  OpPassManager proof(ModuleOp::getOperationName());
  for (Phase phase : {Phase::Graph, Phase::Layout, Phase::Partition, Phase::Lower})
    addPhase(proof, phase, options);
  proof.addPass(createFindBatchPass());
  return proof;
}

/// Copies the attributes that find-batch set.
void copyMarks(ModuleOp from, ModuleOp to) {
  StringRef perSample = task::TaskDialect::getPerSampleName();
  auto marked = from.lookupSymbol<func::FuncOp>("main"), main = to.lookupSymbol<func::FuncOp>("main");
  to->setAttr(task::TaskDialect::getBatchName(), from->getAttr(task::TaskDialect::getBatchName()));
  for (unsigned number = 0; number < main.getNumArguments(); ++number)
    if (Attribute mark = marked.getArgAttr(number, perSample))
      main.setArgAttr(number, perSample, mark);
  for (unsigned number = 0; number < main.getNumResults(); ++number)
    if (Attribute mark = marked.getResultAttr(number, perSample))
      main.setResultAttr(number, perSample, mark);
}

struct SplitBatch : impl::SplitBatchPassBase<SplitBatch> {
  void getDependentDialects(DialectRegistry &registry) const override { makeProof().getDependentDialects(registry); }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main || !hasNamedSize(main))
      return;
    ScopedDiagnosticHandler quiet(&getContext(), [](Diagnostic &) { return success(); });
    OwningOpRef<ModuleOp> single = module.clone();
    // A pass may run pipelines only on operations nested in its own.
    ModuleOp lowered = module.clone();
    module.push_back(lowered);
    OpPassManager proof = makeProof();
    auto symbol = succeeded(runPipeline(proof, lowered))
                      ? lowered->getAttrOfType<StringAttr>(task::TaskDialect::getBatchName())
                      : StringAttr();
    // The symbol may also be a number that an operator fixes, such as the parts of a Split; then there is no model of
    // one sample.
    if (symbol && succeeded(fixSizes(*single, {{symbol, 1}}))) {
      copyMarks(lowered, *single);
      module->setAttrs((*single)->getAttrs());
      module.getBodyRegion().takeBody(single->getBodyRegion());
      return;
    }
    lowered.erase();
  }
};

} // namespace
} // namespace cameo
