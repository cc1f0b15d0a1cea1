// --check-sizes: memory can only be planned for sizes that follow from those of the inputs. Other sizes are reported
// here, while the nodes of the model are still there.
#include "passes/Graph/CheckSizes.h"
#include "passes/Graph/Passes.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/SizeConstraints.h"
#include "dialects/Task/NodeNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_CHECKSIZESPASS
#include "passes/Graph/Passes.h.inc"

namespace {

class SizeCheck {
public:
  explicit SizeCheck(func::FuncOp main) : main(main) {
    for (BlockArgument input : main.getArguments())
      addNames(input);
    // Prefixes in bodies of loops are defined before their uses, too.
    main->getParentOp()->walk([&](onnx::PrefixOp prefix) { addNames(prefix.getFirst()); });
  }

  LogicalResult run() {
    LogicalResult result = success();
    for (BlockArgument input : main.getArguments())
      if (!isKnown(input))
        result = main.emitError("input '")
                 << nameOf(input) << "' has an unknown shape: expected dimensions that are numbers or names";
    for (auto function : main->getParentOfType<ModuleOp>().getOps<func::FuncOp>())
      if (failed(check(function)))
        result = failure();
    return result;
  }

private:
  LogicalResult check(func::FuncOp function) {
    LogicalResult result = success();
    for (Operation &op : function.getBody().front())
      // Reports the first node, not those that use its result.
      if (llvm::all_of(op.getOperands(), [&](Value value) { return isKnown(value); }))
        if (auto output = llvm::find_if_not(op.getResults(), [&](Value value) { return isKnown(value); });
            output != op.getResults().end())
          result = isTooLong(&op) ? refuseLength(*output) : refuse(*output);
    return result;
  }

  LogicalResult refuse(OpResult output) {
    return output.getOwner()->emitError("output #")
           << output.getResultNumber() << " has a size that is not known before the model runs, got "
           << output.getType() << ": not supported" << expectationOf(output.getOwner()) << boundOf(output.getOwner());
  }

  /// Returns the option that bounds the first unknown integer by which a node decides the size of its result, or how
  /// such an option looks.
  std::string boundOf(Operation *op) {
    std::string any = "; --bound NAME=N bounds a computed integer";
    if (!isa<onnx::ConstantOfShapeOp, onnx::ExpandOp, onnx::OneHotOp, onnx::PadOp, onnx::RangeOp, onnx::ReshapeOp,
             onnx::SliceOp, onnx::SplitOp, onnx::TileOp, onnx::TopKOp>(op))
      return any;
    for (Value operand : llvm::reverse(op->getOperands())) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (!type || !type.hasStaticShape() || type.getRank() > 1 || !type.getElementType().isInteger(64))
        continue;
      std::optional<onnx::KnownTensor> known = onnx::getKnownValue(operand);
      auto isUnknown = [](const onnx::Number &number) { return number.integer.isUnknown(); };
      if (known && llvm::none_of(known->elements, isUnknown))
        continue;
      std::string index;
      if (known && llvm::any_of(known->elements, [&](const onnx::Number &number) { return !isUnknown(number); }))
        index = ":" + std::to_string(llvm::find_if(known->elements, isUnknown) - known->elements.begin());
      auto input = dyn_cast<BlockArgument>(operand);
      if (input && input.getOwner() != &main.front())
        return any;
      return "; --bound " + (input ? nameOf(input).str() : "NAME") + index + "=N bounds the integer that decides it" +
             (input ? "" : ", where NAME is the result of node '" + task::nodeNames(operand.getLoc()) + "'");
    }
    return any;
  }

  static LogicalResult refuseLength(OpResult output) {
    std::optional<onnx::DimList> dims = onnx::getDims(output);
    size_t axis = 0;
    while (axis + 1 < dims->size() && !(*dims)[axis].isUnknown())
      ++axis;
    return output.getOwner()->emitError("dimension #")
           << axis << " of output #" << output.getResultNumber() << " is too long an expression of sizes, got "
           << output.getType() << ": expected at most " << DimLengthWatch::getMaxAtoms() << " names in "
           << DimLengthWatch::getMaxTerms() << " terms of as many factors; --dim NAME=SIZE fixes a name";
  }

  /// Whether shape inference, for operands of known sizes, makes a size unknown because its expression is too long.
  static bool isTooLong(Operation *op) {
    auto inferred = dyn_cast<onnx::OnnxOp>(op);
    if (!inferred)
      return false;
    DimLengthWatch watch;
    SmallVector<Type> types;
    onnx::SizeConstraints constraints;
    return succeeded(inferred.inferResultTypes(types, constraints)) && watch.hasSeenTooLong();
  }

  /// Returns what would limit the size of the result, for operators that import as counted ones if it is limited.
  static StringRef expectationOf(Operation *op) {
    if (isa<onnx::SliceOp>(op))
      return ", expected known axes and steps, and a known start or end for each axis";
    if (isa<onnx::RangeOp>(op))
      return ", expected a known delta and a limit that Min or Clip bounds by a size, or an output shape in the model "
             "with a number as the size";
    if (isa<onnx::ResizeOp>(op))
      return ", expected sizes or scales that are known or that the model computes from sizes of its inputs";
    if (isa<onnx::StringSplitOp>(op))
      return ", expected 'maxsplit', or an output shape in the model with a number as the last size";
    return "";
  }

  void addNames(Value value) {
    for (const Dim &dim : onnx::getDims(value).value_or(onnx::DimList()))
      collectNames(dim, names);
  }

  StringRef nameOf(BlockArgument input) {
    auto name = main.getArgAttrOfType<StringAttr>(input.getArgNumber(), "onnx.name");
    return name ? name.strref() : "";
  }

  /// Whether all sizes are known. An unranked tensor has no known sizes; other values have no sizes.
  bool isKnown(Value value) {
    if (!isa<TensorType>(value.getType()))
      return true;
    std::optional<onnx::DimList> dims = onnx::getDims(value);
    return dims && llvm::all_of(*dims, [&](const Dim &dim) { return dim.isStatic() || isChosen(dim); });
  }

  /// Whether a dimension consists of names of inputs and of sizes that nodes compute.
  bool isChosen(const Dim &dim) {
    llvm::SetVector<StringAttr> used;
    collectNames(dim, used);
    return dim.isNamed() && llvm::all_of(used, [&](StringAttr name) { return names.contains(name); });
  }

  func::FuncOp main;
  llvm::SetVector<StringAttr> names; ///< of the inputs, and of sizes that nodes compute
};

struct CheckSizes : impl::CheckSizesPassBase<CheckSizes> {
  void runOnOperation() override {
    if (failed(checkSizes(getOperation())))
      signalPassFailure();
  }
};

} // namespace

LogicalResult checkSizes(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  return main ? SizeCheck(main).run() : success();
}

} // namespace cameo
