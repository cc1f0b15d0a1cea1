// --fix-required-sizes: compiles for the numbers that all runs give to some symbolic dimensions, because the generated
// code for known sizes is faster.
#include "passes/Graph/FixSizes.h"
#include "passes/Graph/Passes.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_FIXREQUIREDSIZESPASS
#include "passes/Graph/Passes.h.inc"

namespace {

using Sizes = llvm::StringMap<int64_t>;

/// Adds the name whose value follows from `zero` being 0, if that is a multiple of one name and a number.
void addRequired(const Dim &zero, Sizes &sizes) {
  int64_t number = 0, coefficient = 0;
  StringAttr name;
  for (const DimTerm &term : getTerms(zero)) {
    ArrayRef<Attribute> atoms = term.getAtoms();
    if (atoms.empty()) {
      number = term.coefficient;
      continue;
    }
    name = !name && atoms.size() == 1 ? dyn_cast<StringAttr>(atoms.front()) : StringAttr();
    if (!name)
      return;
    coefficient = term.coefficient;
  }
  // A smallest number has no negative one; no size is that large.
  if (name && number > -std::numeric_limits<int64_t>::max() && number % coefficient == 0 && -number / coefficient > 0)
    sizes.try_emplace(name.getValue(), -number / coefficient);
}

/// Removes the names of sizes that a run counts, as well as those of inputs that such a size must equal: the operations
/// that count state a name.
void removeCounted(ModuleOp module, Sizes &sizes) {
  llvm::SetVector<StringAttr> counted;
  auto add = [&](Value value) {
    for (const Dim &dim : onnx::getDims(value).value_or(onnx::DimList()))
      collectNames(dim, counted);
  };
  module.walk([&](Operation *op) {
    if (auto prefix = dyn_cast<onnx::PrefixOp>(op))
      add(prefix.getFirst());
    else if (isa<onnx::DataSizedOp>(op))
      llvm::for_each(op->getResults(), add);
  });
  for (StringAttr name : counted)
    sizes.erase(name.getValue());
}

struct FixRequiredSizes : impl::FixRequiredSizesPassBase<FixRequiredSizes> {
  using FixRequiredSizesPassBase::FixRequiredSizesPassBase;

  /// Gives the arguments of @main their types back, by which callers name sizes, and what uses them the fixed ones.
  static void restoreArguments(func::FuncOp main, TypeRange types) {
    OpBuilder builder = OpBuilder::atBlockBegin(&main.getBody().front());
    for (auto [argument, type] : llvm::zip_equal(main.getArguments(), types)) {
      if (argument.getType() == type)
        continue;
      onnx::DimList dims = *onnx::getDims(argument);
      argument.setType(type);
      SmallVector<OpOperand *> uses = llvm::map_to_vector(argument.getUses(), [](OpOperand &use) { return &use; });
      Value fixed = onnx::makeDimReshape(builder, main.getLoc(), argument, dims);
      for (OpOperand *use : uses)
        use->set(fixed);
    }
    main.setFunctionType(FunctionType::get(main.getContext(), types, main.getResultTypes()));
  }

  static bool canRestore(func::FuncOp main, TypeRange types) {
    return llvm::all_of(llvm::zip_equal(types, main.getArguments()), [](auto each) {
      auto [type, argument] = each;
      return argument.getType() == type || onnx::canStateShape(*onnx::getDims(type), *onnx::getDims(argument));
    });
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    auto zeros = main ? main->getAttrOfType<ArrayAttr>("onnx.zero_sizes") : ArrayAttr();
    Sizes sizes;
    if (zeros)
      for (Attribute zero : zeros)
        addRequired(Dim(cast<DimExprAttr>(zero)), sizes);
    removeCounted(module, sizes);
    if (sizes.empty())
      return;
    // A branch that no run takes may contradict the sizes: then the module stays as it is.
    ScopedDiagnosticHandler quiet(&getContext(), [](Diagnostic &) { return success(); });
    OwningOpRef<ModuleOp> fixed = module.clone();
    auto fixedMain = fixed->lookupSymbol<func::FuncOp>("main");
    if (failed(fixSizes(*fixed, sizes)) || !canRestore(fixedMain, main.getArgumentTypes()))
      return;
    restoreArguments(fixedMain, main.getArgumentTypes());
    module.getBodyRegion().takeBody(fixed->getBodyRegion());
  }
};

} // namespace
} // namespace cameo
