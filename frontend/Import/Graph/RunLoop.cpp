#include "frontend/Import/Graph/RunLoop.h"

#include "frontend/Import/Graph/OperationMaker.h"
#include "frontend/Import/Graph/RunNumber.h"

#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Isolates a body from the values around it: clones constants and known values into the body, and adds arguments for
/// other values.
class BodyCapture {
public:
  explicit BodyCapture(Block &body) : body(body), builder(OpBuilder::atBlockBegin(&body)) {}

  /// Returns the values to pass for the new arguments.
  SmallVector<Value> run() {
    for (Operation &op : llvm::make_early_inc_range(body))
      for (OpOperand &operand : op.getOpOperands())
        if (isOutside(operand.get()))
          operand.set(bring(operand.get()));
    return captured.takeVector();
  }

private:
  bool isOutside(Value value) const { return value.getParentBlock() != &body; }

  /// Whether shape inference knows all elements of the value. Its operation is then cloned, so that inference knows
  /// them inside too. Sizes can be computed inside, because arguments have the same shapes as the values outside.
  static bool isKnown(Value value) {
    std::optional<cameo::onnx::KnownTensor> known = cameo::onnx::getKnownValue(value);
    return known && isa_and_nonnull<cameo::onnx::KnownValueOp>(value.getDefiningOp()) &&
           llvm::all_of(known->elements,
                        [](const cameo::onnx::Number &number) { return number.isKnown() || number.integer.isNamed(); });
  }

  Value bring(Value value) {
    if (Value inside = brought.lookupOrNull(value))
      return inside;
    Operation *op = value.getDefiningOp();
    if (op && (op->hasTrait<OpTrait::ConstantLike>() || isa<cameo::onnx::NoneOp>(op) || isKnown(value))) {
      for (Value operand : op->getOperands())
        bring(operand);
      return builder.clone(*op, brought)->getResult(cast<OpResult>(value).getResultNumber());
    }
    captured.insert(value);
    brought.map(value, body.addArgument(value.getType(), value.getLoc()));
    return brought.lookup(value);
  }

  Block &body;
  OpBuilder builder;
  IRMapping brought;
  llvm::SetVector<Value> captured;
};

/// Returns the next name for a body. Bodies are at the end of the module, in the order of their numbers.
std::string makeBodyName(ModuleOp module) {
  auto before = dyn_cast<func::FuncOp>(module.getBody()->back());
  StringRef name = before ? before.getName() : "";
  unsigned number = 0;
  bool isBody = name.consume_front("loop_") && !name.getAsInteger(10, number);
  return "loop_" + std::to_string(isBody ? number + 1 : 0);
}

class RunLoopMaker {
public:
  RunLoopMaker(OpBuilder &builder, Location loc, const RunLoop &loop)
      : builder(builder), loc(loc), loop(loop), carried(loop.carried) {}

  FailureOr<RunLoopResults> run(BodyMaker makeBody) {
    if (llvm::any_of(carried, [](Value value) { return !isa<RankedTensorType>(value.getType()); }))
      return emitError(loc) << "sequences and optional values are not supported in a loop of many iterations, or of a "
                               "number of iterations known only at run time and without a bound; --bound NAME=N bounds "
                               "it, --constant NAME=NUMBERS fixes an input";
    if (succeeded(makeFunction(makeBody)) && succeeded(checkTypes()))
      return makeLoop();
    // The unfinished function is invalid. It is erased, because the caller may import the loop in another form.
    function.getBody().dropAllReferences();
    function.erase();
    return failure();
  }

private:
  LogicalResult makeFunction(BodyMaker makeBody);
  LogicalResult checkTypes();
  FailureOr<RunLoopResults> makeLoop();

  OpBuilder &builder;
  Location loc;
  const RunLoop &loop;
  SmallVector<Value> carried, captured;
  bool isConditional = false;
  func::FuncOp function;
  SmallVector<Type> slices;
};

LogicalResult RunLoopMaker::makeFunction(BodyMaker makeBody) {
  auto module = builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  function = func::FuncOp::create(loc, makeBodyName(module), builder.getFunctionType({}, {}));
  function.setPrivate();
  function->setAttr(task::TaskDialect::getBodyName(), builder.getUnitAttr());
  module.push_back(function);
  Block *body = &function.getBody().emplaceBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(body);
  Value iteration = body->addArgument(RankedTensorType::get({}, builder.getI64Type()), loc);
  SmallVector<Value> arguments;
  for (Value value : carried)
    arguments.push_back(body->addArgument(value.getType(), loc));
  FailureOr<SmallVector<Value>> made = makeBody(iteration, arguments);
  if (failed(made))
    return failure();
  Value shouldContinue = made->front();
  SmallVector<Value> results(llvm::drop_begin(*made));
  isConditional = loop.condition || (shouldContinue && getKnownScalar(shouldContinue) != 1);
  OperationMaker inside(builder, loc);
  if (isConditional) {
    FailureOr<Value> condition =
        inside.make("Reshape", {shouldContinue ? shouldContinue : inside.boolean(true), inside.ints({})});
    if (failed(condition))
      return failure();
    results.insert(results.begin(), *condition);
    body->insertArgument(1u, RankedTensorType::get({}, builder.getI1Type()), loc);
  }
  func::ReturnOp::create(builder, loc, results);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body)))
    if (isa<UnrealizedConversionCastOp>(op) && op.use_empty())
      op.erase();
  captured = BodyCapture(*body).run();
  function.setFunctionType(builder.getFunctionType(body->getArgumentTypes(), body->getTerminator()->getOperandTypes()));
  return success();
}

static bool isKnown(Type type) {
  std::optional<cameo::onnx::DimList> dims = cameo::onnx::getDims(type);
  return isa<NoneType>(type) || (dims && llvm::none_of(*dims, [](const cameo::Dim &dim) { return dim.isUnknown(); }));
}

/// Checks that values have the same types in all iterations, because memory is planned for one iteration.
LogicalResult RunLoopMaker::checkTypes() {
  if (!loop.tripCount && !isConditional)
    return emitError(loc) << "expected a loop that ends, got one without a trip count whose condition is always true";
  SmallVector<Type> results(llvm::drop_begin(function.getResultTypes(), isConditional));
  for (auto [before, after] : llvm::zip(carried, results))
    if (!isa<RankedTensorType>(after) || before.getType() != after)
      return emitError(loc) << "values whose shape changes between iterations are not supported in a loop of many "
                               "iterations, or of a number of iterations known only at run time, got "
                            << before.getType() << " and then " << after << "; --constant NAME=NUMBERS fixes an input";
  slices.assign(results.begin() + carried.size(), results.end());
  llvm::SetVector<StringAttr> outside;
  for (Type type : function.getArgumentTypes())
    for (const cameo::Dim &dim : cameo::onnx::getDims(type).value_or(cameo::onnx::DimList()))
      cameo::collectNames(dim, outside);
  for (Type slice : slices) {
    std::optional<cameo::onnx::DimList> dims = cameo::onnx::getDims(slice);
    llvm::SetVector<StringAttr> names;
    for (const cameo::Dim &dim : dims.value_or(cameo::onnx::DimList()))
      cameo::collectNames(dim, names);
    bool isFixed = isKnown(slice) && llvm::all_of(names, [&](StringAttr name) { return outside.contains(name); });
    if (!isFixed)
      return emitError(loc) << "outputs whose slices have a size that an iteration computes are not supported in a "
                               "loop of many iterations, or of a number of iterations known only at run time, got "
                            << slice << "; --constant NAME=NUMBERS fixes an input";
  }
  for (Operation &op : function.getBody().front())
    if (!llvm::all_of(op.getResultTypes(), isKnown))
      return emitError(op.getLoc()) << "values whose size depends on the iteration are not supported in a loop of many "
                                       "iterations, or of a number of iterations known only at run time, got "
                                    << *llvm::find_if_not(op.getResultTypes(), isKnown)
                                    << "; --bound takes no value of a body, --constant NAME=NUMBERS fixes an input";
  if (!slices.empty() && loop.maxTripCount.isUnknown())
    return emitError(loc)
           << "outputs of a loop that grow without a bound are not supported: the bound is a constant trip count, or a "
              "number as the first dimension of an output; --bound NAME=N bounds a computed integer";
  return success();
}

FailureOr<RunLoopResults> RunLoopMaker::makeLoop() {
  OperationMaker maker(builder, loc);
  if (isConditional) {
    FailureOr<Value> condition = loop.condition ? maker.make("Reshape", {loop.condition, maker.ints({})})
                                                : FailureOr<Value>(maker.boolean(true));
    if (failed(condition))
      return failure();
    carried.insert(carried.begin(), *condition);
  }
  Value tripCount;
  if (loop.tripCount) {
    FailureOr<Value> scalar = maker.make("Reshape", {loop.tripCount, maker.ints({})});
    if (failed(scalar))
      return failure();
    tripCount = *scalar;
  }
  SmallVector<Type> types = {RankedTensorType::get({}, builder.getI64Type())};
  llvm::append_range(types, ValueRange(carried).getTypes());
  for (Type slice : slices) {
    cameo::onnx::DimList dims = *cameo::onnx::getDims(slice);
    dims.insert(dims.begin(), loop.maxTripCount);
    types.push_back(cameo::onnx::makeTensorType(dims, cast<RankedTensorType>(slice).getElementType()));
  }
  // Without slices it is no limit, but says which relations between sizes a run without iterations need not satisfy.
  Attribute maxTripCount;
  if (!slices.empty() || (loop.isExact && loop.maxTripCount.isNamed()))
    maxTripCount = cameo::makeSize(loop.maxTripCount, builder.getContext());
  auto made = task::LoopOp::create(builder, loc, types, function.getSymName(), tripCount, carried, captured,
                                   isConditional, maxTripCount);
  RunLoopResults results;
  if (isConditional || !loop.isExact)
    results.count = made.getCount();
  results.last.assign(made.getLast().begin() + isConditional, made.getLast().end());
  results.stacked.assign(made.getStacked().begin(), made.getStacked().end());
  return results;
}

} // namespace

TripBound cameo::boundTripCount(Value tripCount) {
  std::optional<cameo::onnx::KnownTensor> known = cameo::onnx::getKnownValue(tripCount);
  bool isKnown = known && !known->isReal() && known->elements.size() == 1;
  cameo::Dim exact = isKnown ? known->elements.front().integer : cameo::Dim::unknown();
  cameo::Dim most = exact.isUnknown() ? RunNumber::of({tripCount, 0}).getGreatest() : exact;
  // Exporters write the largest 32-bit integer for a loop without a bound.
  if (most.isStatic())
    most = most.getSize() < INT32_MAX ? cameo::Dim(std::max<int64_t>(most.getSize(), 0)) : cameo::Dim::unknown();
  return {most, !exact.isUnknown()};
}

FailureOr<RunLoopResults> cameo::makeRunLoop(OpBuilder &builder, Location loc, const RunLoop &loop,
                                             BodyMaker makeBody) {
  return RunLoopMaker(builder, loc, loop).run(makeBody);
}
