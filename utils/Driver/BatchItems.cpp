#include "utils/Driver/BatchItems.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Lower/Passes.h"
#include "passes/Pipeline/Pipeline.h"
#include "utils/Driver/CheckSizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace cameo {

static bool hasNamedSize(func::FuncOp main) {
  return llvm::any_of(main.getArgumentTypes(), [](Type type) {
    std::optional<onnx::DimList> dims = onnx::getDims(type);
    return dims && llvm::any_of(*dims, [](const onnx::Dim &dim) { return dim.isNamed(); });
  });
}

std::optional<ItemMarks> findItems(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!hasNamedSize(main))
    return std::nullopt;
  OwningOpRef<ModuleOp> copy = module.clone();
  // The reference path is the shortest to where the proof is made: nothing is folded or fused on it.
  PipelineOptions options;
  options.naive = true;
  PassManager graph(module.getContext()), rest(module.getContext());
  addPhase(graph, Phase::Graph, options);
  for (Phase phase : {Phase::Layout, Phase::Partition, Phase::Lower})
    addPhase(rest, phase, options);
  rest.addPass(createFindItemsPass());
  // What cannot be lowered, and sizes that nothing tells, are reported where the model is compiled.
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
  if (failed(graph.run(*copy)) || failed(checkSizes(*copy)) || failed(rest.run(*copy)))
    return std::nullopt;
  auto symbol = (*copy)->getAttrOfType<StringAttr>(task::TaskDialect::getItemsName());
  if (!symbol)
    return std::nullopt;
  ItemMarks marks{symbol.str(), {}};
  auto marked = copy->lookupSymbol<func::FuncOp>("main");
  for (unsigned number = 0; number < marked.getNumArguments(); ++number)
    if (marked.getArgAttr(number, task::TaskDialect::getPerItemName()))
      marks.inputs.push_back(number);
  return marks;
}

void markItems(ModuleOp module, const ItemMarks &marks) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  Attribute mark = UnitAttr::get(module.getContext());
  module->setAttr(task::TaskDialect::getItemsName(), StringAttr::get(module.getContext(), marks.symbol));
  for (unsigned number : marks.inputs)
    main.setArgAttr(number, task::TaskDialect::getPerItemName(), mark);
  for (unsigned number = 0; number < main.getNumResults(); ++number)
    main.setResultAttr(number, task::TaskDialect::getPerItemName(), mark);
}

} // namespace cameo
