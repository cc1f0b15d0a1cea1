// --find-items: looks for a symbol that is the number of independent items, and marks the inputs and outputs that have
// them.
#include "passes/Lower/ItemProof.h"
#include "passes/Lower/Passes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_FINDITEMSPASS
#include "passes/Lower/Passes.h.inc"

namespace {

struct FindItems : impl::FindItemsPassBase<FindItems> {
  /// Marks the inputs and outputs that hold a part per item.
  static void markItems(func::FuncOp main, const lower::ItemProof &proof) {
    Attribute mark = UnitAttr::get(main.getContext());
    for (auto [number, type] : llvm::enumerate(main.getArgumentTypes()))
      if (proof.roleOf(type) == lower::ItemRole::PerItem)
        main.setArgAttr(number, task::TaskDialect::getPerItemName(), mark);
    for (auto [number, type] : llvm::enumerate(main.getResultTypes()))
      if (proof.roleOf(type) == lower::ItemRole::PerItem)
        main.setResultAttr(number, task::TaskDialect::getPerItemName(), mark);
  }

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main)
      return;
    // Each input that has items may have them in its first dimension alone.
    llvm::SetVector<StringAttr> symbols;
    for (BlockArgument argument : main.getArguments())
      if (std::optional<onnx::DimList> dims = onnx::getDims(argument);
          dims && !dims->empty() && dims->front().getName())
        symbols.insert(dims->front().getName());
    for (StringAttr symbol : symbols)
      if (lower::ItemProof proof(Dim::named(symbol)); proof.holds(getOperation(), main) && proof.isWorthwhile()) {
        getOperation()->setAttr(task::TaskDialect::getItemsName(), symbol);
        markItems(main, proof);
        return;
      }
  }
};

} // namespace
} // namespace cameo
