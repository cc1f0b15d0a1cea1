#include "utils/Driver/Inspect/InnerResults.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Task/NodeNames.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace cameo;
using namespace mlir;

/// Whether a task writes the result as a part of a larger tensor. It has no value of its own then; the result of
/// task.join is shown.
static bool isPart(Operation *op, unsigned result) {
  auto call = dyn_cast<task::CallOp>(op);
  if (!call)
    return false;
  auto def = SymbolTable::lookupNearestSymbolFrom<task::DefOp>(call, call.getCalleeAttr());
  return def.getBody().front().getTerminator()->getOperand(result).getDefiningOp<task::PlaceOp>() != nullptr;
}

static bool isChosen(Operation &op, InnerOutputs kind) {
  if (kind == InnerOutputs::Tasks)
    return isa<task::CallOp, task::LoopOp, task::JoinOp, task::ChooseOp, task::UpdateOp>(op);
  return !matchPattern(&op, m_Constant()) && !op.hasTrait<OpTrait::IsTerminator>();
}

static SmallVector<OpResult> innerValues(func::FuncOp main, InnerOutputs kind) {
  bool isPerSample = main->getParentOp()->hasAttr(task::TaskDialect::getBatchName());
  SmallVector<OpResult> values;
  for (Operation &op : main.getBody().front())
    if (isChosen(op, kind))
      for (OpResult result : op.getResults()) {
        auto type = dyn_cast<RankedTensorType>(result.getType());
        // If the model runs once per sample, results of the samples are concatenated along the first dimension, so a
        // scalar cannot be shown.
        if (type && !isPart(&op, result.getResultNumber()) && !(isPerSample && type.getRank() == 0))
          values.push_back(result);
      }
  return values;
}

static InnerResult::Maker makerOf(Operation *op) {
  InnerResult::Maker maker;
  maker.nodes = task::nodeNames(op->getLoc());
  if (auto call = dyn_cast<task::CallOp>(op)) {
    maker.task = call.getCallee().str();
    auto def = SymbolTable::lookupNearestSymbolFrom<task::DefOp>(call, call.getCalleeAttr());
    if (auto key = def->getAttrOfType<StringAttr>("key"))
      maker.key = key.str();
  }
  return maker;
}

/// Returns the indices of the element with the row-major index `element`.
static SmallVector<int64_t> positionOf(int64_t element, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> position(shape.size());
  for (size_t axis = shape.size(); axis-- > 0; element /= std::max<int64_t>(1, shape[axis]))
    position[axis] = element % std::max<int64_t>(1, shape[axis]);
  return position;
}

static std::vector<InnerResult::Maker> makersOf(Operation *op) {
  auto join = dyn_cast<task::JoinOp>(op);
  if (!join)
    return {makerOf(op)};
  std::vector<InnerResult::Maker> makers;
  for (auto [part, offset] : llvm::zip_equal(join.getParts(), join.getOffsets())) {
    auto call = part.getDefiningOp<task::CallOp>();
    if (!call)
      continue;
    makers.push_back(makerOf(call));
    auto def = SymbolTable::lookupNearestSymbolFrom<task::DefOp>(call, call.getCalleeAttr());
    Value returned = def.getBody().front().getTerminator()->getOperand(cast<OpResult>(part).getResultNumber());
    if (auto place = returned.getDefiningOp<task::PlaceOp>()) {
      makers.back().begin = positionOf(offset, cast<RankedTensorType>(join.getWhole().getType()).getShape());
      makers.back().sizes.assign(cast<RankedTensorType>(place.getPart().getType()).getShape());
    }
  }
  return makers;
}

const InnerResult::Maker &InnerResult::makerOf(ArrayRef<int64_t> shape, int64_t element) const {
  SmallVector<int64_t> position = positionOf(element, shape);
  auto holds = [&](const Maker &maker) {
    return maker.begin.size() == position.size() &&
           llvm::all_of(llvm::zip_equal(maker.begin, maker.sizes, position), [](auto axis) {
             auto [begin, size, at] = axis;
             return at >= begin && (ShapedType::isDynamic(size) || at < begin + size);
           });
  };
  auto *found = llvm::find_if(llvm::ArrayRef(makers), holds);
  return found == llvm::ArrayRef(makers).end() ? makers.front() : *found;
}

InnerResults cameo::findInnerResults(ModuleOp module, InnerOutputs kind) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  InnerResults inner;
  llvm::DenseMap<Value, unsigned> numbers;
  for (OpResult value : innerValues(main, kind)) {
    Operation *op = value.getOwner();
    InnerResult result{makersOf(op), op->getName().getStringRef().str(), {}};
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (auto number = numbers.find(operand); number != numbers.end())
          result.operands.push_back(number->second);
    });
    numbers[value] = inner.results.size();
    inner.results.push_back(std::move(result));
  }
  for (auto [number, output] : llvm::enumerate(main.getBody().front().getTerminator()->getOperands()))
    if (auto name = main.getResultAttrOfType<StringAttr>(number, "onnx.name"))
      if (auto result = numbers.find(output); result != numbers.end())
        inner.outputs[name] = result->second;
  return inner;
}

void cameo::makeOutputs(ModuleOp module, InnerOutputs kind, std::optional<unsigned> only) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  Builder builder(module.getContext());
  Operation *end = main.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(innerValues(main, kind))) {
    if (only && *only != number)
      continue;
    NamedAttrList attributes;
    // No program uses this name: outputs are told apart by their order.
    attributes.set("onnx.name", builder.getStringAttr("result " + llvm::Twine(number)));
    if (module->hasAttr(task::TaskDialect::getBatchName()))
      attributes.set(task::TaskDialect::getPerSampleName(), builder.getUnitAttr());
    (void)main.insertResult(main.getNumResults(), value.getType(), attributes.getDictionary(module.getContext()));
    end->insertOperands(end->getNumOperands(), value);
  }
}
