// --lower-to-linalg: replaces each task's body by one in which every onnx operation is lowered in order; then converts
// the types of the remaining module to signless ones.
#include "passes/Lower/Builders/StringBuilder.h"
#include "passes/Lower/LoweringTable.h"
#include "passes/Lower/Passes.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskStringOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_LOWERTOLINALGPASS
#include "passes/Lower/Passes.h.inc"

namespace lower {
namespace {

constexpr StringLiteral kTypeAttrName = "onnx.type";

bool holdsOnnx(task::DefOp def) {
  return llvm::any_of(def.getBody().front(), [](Operation &op) {
    return isa<onnx::OnnxDialect>(op.getDialect()) || isa<onnx::OnnxOp, task::PlaceOp>(op);
  });
}

/// Whether a value of type `to` may replace one of type `from`. Symbolic sizes may have other names, because sizes that
/// a model declares twice are equal in every run.
bool lowersTo(Type from, Type to) {
  auto tensor = dyn_cast<RankedTensorType>(toSignless(from)), lowered = dyn_cast<RankedTensorType>(to);
  return tensor && lowered && tensor.getElementType() == lowered.getElementType() &&
         tensor.getShape() == lowered.getShape();
}

/// Lowers one operation and maps its results to their replacements.
LogicalResult lowerOperation(Operation &op, IRMapping &lowered, GenericBuilder &b) {
  if (isa<onnx::NoneOp>(op))
    return success();
  SmallVector<Value> operands;
  for (Value operand : op.getOperands())
    operands.push_back(onnx::isAbsent(operand) ? Value() : lowered.lookupOrNull(operand));
  b.setLoc(op.getLoc());
  Lowered results = LoweringTable::of(&op).lower(&op, operands, b);
  if (failed(results))
    return failure();
  assert(results->size() == op.getNumResults() && "a lowering replaces every result");
  for (auto [result, value] : llvm::zip_equal(op.getResults(), *results)) {
    if (onnx::isAbsent(result))
      continue;
    assert(value && "a lowering replaces every result that is there");
    lowered.map(result, b.castTo(value, shapeOf(result)));
    assert(lowersTo(result.getType(), lowered.lookup(result).getType()) && "a lowering keeps the types");
  }
  return success();
}

/// Maps the results of an operation that failed to placeholders, so that the following operations report their errors,
/// too.
void mapToNothing(Operation &op, IRMapping &lowered, GenericBuilder &b) {
  for (Value result : op.getResults())
    if (auto tensor = dyn_cast<RankedTensorType>(toSignless(result.getType())))
      lowered.map(result, UnrealizedConversionCastOp::create(b, tensor, ValueRange()).getResult(0));
}

void eraseDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Returns the attributes for an argument or result that replace the encoding of its type: the names of its dimensions.
DictionaryAttr attributesOf(Type type) {
  MLIRContext *context = type.getContext();
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto dims = tensor ? dyn_cast_or_null<onnx::DimsAttr>(tensor.getEncoding()) : onnx::DimsAttr();
  if (!dims)
    return DictionaryAttr::get(context);
  return DictionaryAttr::get(context, NamedAttribute(StringAttr::get(context, task::TaskDialect::getDimsName()), dims));
}

Type withoutNames(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.dropEncoding() : type;
}

/// Removes the names of dimensions from all types, because upstream operations do not know them. All dynamic sizes are
/// operands by now.
void dropNames(Block &body) {
  auto dropOf = [](auto values) {
    for (Value value : values)
      value.setType(withoutNames(value.getType()));
  };
  dropOf(body.getArguments());
  body.walk([&](Operation *op) {
    dropOf(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        dropOf(block.getArguments());
  });
}

/// Merges the task.size operations of equal expressions and moves them to the beginning of the body.
void gatherSizes(Block &body) {
  llvm::MapVector<Attribute, task::SizeOp> sizes;
  body.walk([&](task::SizeOp op) {
    auto [it, isNew] = sizes.try_emplace(op.getExpressionAttr(), op);
    if (isNew)
      return;
    op.replaceAllUsesWith(it->second.getResult());
    op.erase();
  });
  for (auto &[expression, op] : llvm::reverse(sizes))
    op->moveBefore(&body, body.begin());
}

void setAttributes(task::DefOp def, ArrayRef<DictionaryAttr> arguments, ArrayRef<DictionaryAttr> results) {
  auto isGiven = [](DictionaryAttr attributes) { return !attributes.empty(); };
  if (llvm::any_of(arguments, isGiven))
    def.setAllArgAttrs(arguments);
  if (llvm::any_of(results, isGiven))
    def.setAllResultAttrs(results);
}

LogicalResult lowerTask(task::DefOp def) {
  Block &old = def.getBody().front();
  // Inserted into the definition first, because lowerings look at the operations around them.
  auto *body = new Block();
  def.getBody().push_front(body);
  IRMapping lowered;
  for (BlockArgument argument : old.getArguments())
    lowered.map(argument, body->addArgument(toSignless(argument.getType()), argument.getLoc()));
  GenericBuilder b(def.getLoc(), def.getContext());
  b.setInsertionPointToStart(body);
  bool isLowered = true;
  for (Operation &op : old.without_terminator())
    if (failed(lowerOperation(op, lowered, b))) {
      mapToNothing(op, lowered, b);
      isLowered = false;
    }
  if (!isLowered) {
    body->erase();
    return failure();
  }
  SmallVector<DictionaryAttr> argAttrs, resultAttrs;
  for (Value argument : old.getArguments())
    argAttrs.push_back(attributesOf(argument.getType()));
  for (Value result : old.getTerminator()->getOperands())
    resultAttrs.push_back(attributesOf(result.getType()));
  SmallVector<Value> returned;
  for (Value value : old.getTerminator()->getOperands())
    returned.push_back(lowered.lookup(value));
  b.setLoc(old.getTerminator()->getLoc());
  task::ReturnOp::create(b, returned);
  old.dropAllReferences();
  old.erase();
  dropNames(*body);
  def.setFunctionType(b.getFunctionType(body->getArgumentTypes(), ValueRange(returned).getTypes()));
  setAttributes(def, argAttrs, resultAttrs);
  gatherSizes(*body);
  eraseDeadOps(*body);
  return success();
}

/// Returns the element type if it differs from the lowered one and has to be kept as `kTypeAttrName`; otherwise null.
TypeAttr lostElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor != lower::toSignless(type) ? TypeAttr::get(tensor.getElementType()) : TypeAttr();
}

/// Replaces constants of strings by the addresses that tasks read.
void takeAddresses(func::FuncOp function) {
  SmallVector<onnx::ConstantOp> constants;
  function.walk([&](onnx::ConstantOp constant) {
    if (isString(constant.getOutput().getType()))
      constants.push_back(constant);
  });
  for (onnx::ConstantOp constant : constants) {
    OpBuilder builder(constant);
    auto type = cast<RankedTensorType>(toSignless(constant.getOutput().getType()));
    Value addresses = task::StringsOp::create(builder, constant.getLoc(), type, constant.getValue());
    constant.getOutput().setType(type);
    constant.getOutput().replaceAllUsesWith(addresses);
    constant.erase();
  }
}

void makeSignless(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (TypeAttr type = lostElement(function.getArgumentTypes()[i]))
      function.setArgAttr(i, kTypeAttrName, type);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (TypeAttr type = lostElement(function.getResultTypes()[i]))
      function.setResultAttr(i, kTypeAttrName, type);
  takeAddresses(function);
  function.walk([](Operation *op) {
    if (auto constant = dyn_cast<onnx::ConstantOp>(op))
      constant.setValueAttr(lower::toSignless(constant.getValue()));
    for (Value result : op->getResults())
      result.setType(lower::toSignless(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(lower::toSignless(argument.getType()));
  });
  auto convertAll = [](TypeRange types) {
    SmallVector<Type> converted;
    for (Type type : types)
      converted.push_back(lower::toSignless(type));
    return converted;
  };
  function.setType(FunctionType::get(function.getContext(), convertAll(function.getArgumentTypes()),
                                     convertAll(function.getResultTypes())));
}

} // namespace
} // namespace lower

namespace {

struct LowerToLinalg : impl::LowerToLinalgPassBase<LowerToLinalg> {
  void runOnOperation() override {
    bool isLowered = true;
    for (auto def : getOperation().getOps<task::DefOp>())
      if (!def.isBufferForm() && lower::holdsOnnx(def))
        isLowered &= succeeded(lower::lowerTask(def));
    if (!isLowered)
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      lower::makeSignless(function);
  }
};

} // namespace
} // namespace cameo
