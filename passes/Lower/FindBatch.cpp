// --find-batch: looks for a symbol that is the number of independent samples, and marks the inputs and outputs that
// have one part per sample.
#include "passes/Lower/BatchProof.h"
#include "passes/Lower/Passes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_FINDBATCHPASS
#include "passes/Lower/Passes.h.inc"

namespace {

struct FindBatch : impl::FindBatchPassBase<FindBatch> {
  using FindBatchPassBase::FindBatchPassBase;

  /// Marks the inputs and outputs that have one part per sample.
  static void markBatch(func::FuncOp main, const lower::BatchProof &proof) {
    Attribute mark = UnitAttr::get(main.getContext());
    for (auto [number, type] : llvm::enumerate(main.getArgumentTypes()))
      if (proof.roleOf(type) == lower::SampleRole::PerSample)
        main.setArgAttr(number, task::TaskDialect::getPerSampleName(), mark);
    for (auto [number, type] : llvm::enumerate(main.getResultTypes()))
      if (proof.roleOf(type) == lower::SampleRole::PerSample)
        main.setResultAttr(number, task::TaskDialect::getPerSampleName(), mark);
  }

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main)
      return;
    // Only first dimensions can count samples.
    llvm::SetVector<StringAttr> symbols;
    for (BlockArgument argument : main.getArguments())
      if (std::optional<onnx::DimList> dims = onnx::getDims(argument);
          dims && !dims->empty() && dims->front().getName())
        symbols.insert(dims->front().getName());
    for (StringAttr symbol : symbols)
      if (lower::BatchProof proof(Dim::named(symbol), together);
          proof.holds(getOperation(), main) && proof.isWorthwhile()) {
        getOperation()->setAttr(task::TaskDialect::getBatchName(), symbol);
        markBatch(main, proof);
        return;
      }
  }
};

} // namespace
} // namespace cameo
