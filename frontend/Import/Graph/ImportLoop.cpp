// Imports Loop. A loop with a known trip count is unrolled up to a limit; any other becomes a loop of the compiled
// model.
#include "frontend/Import/Graph/AppendedSequences.h"
#include "frontend/Import/Graph/ControlOperands.h"
#include "frontend/Import/Graph/GraphImporter.h"
#include "frontend/Import/Graph/ImportType.h"
#include "frontend/Import/Graph/OperationMaker.h"
#include "frontend/Import/Graph/RunLoop.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

GraphImporter::Results GraphImporter::importLoop(const ::onnx::NodeProto &node, ArrayRef<Value> operands, Location loc,
                                                 const Scope &scope, StringRef path, unsigned index) {
  FailureOr<const ::onnx::GraphProto *> body = getSubgraph(node, "body", loc);
  if (failed(body))
    return failure();
  if (operands.size() < 2 || (*body)->output_size() < static_cast<int>(operands.size()) - 1)
    return emitError(loc) << "expected a trip count, a condition, and a body whose outputs are a condition and all "
                             "loop-carried values";
  if ((!cameo::onnx::isAbsent(operands[0]) && failed(expectTripCount(operands[0], node.input(0), loc))) ||
      (!cameo::onnx::isAbsent(operands[1]) && failed(expectCondition(operands[1], node.input(1), loc))))
    return failure();
  return chooseForm(
      loc, [&] { return unrollLoop(**body, operands, loc, scope, path, index); },
      [&](bool mayGrow) { return importRunLoop(node, **body, operands, loc, scope, path, index, mayGrow); },
      [&] { return unrollBounded(node, **body, operands, loc, scope, path, index); });
}

GraphImporter::Results GraphImporter::chooseForm(Location loc, llvm::function_ref<Attempt()> unroll,
                                                 llvm::function_ref<Results(bool mayGrow)> makeLoop,
                                                 llvm::function_ref<Attempt()> unrollBounded) {
  auto within = [&](unsigned nodes, llvm::function_ref<Attempt()> attempt) -> Attempt {
    NodeBudget budget(*this, nodes);
    Attempt unrolled = attempt();
    return budget.isSpent() ? std::optional<SmallVector<Value>>() : std::move(unrolled);
  };
  // Emits no errors, because some bodies can only be unrolled, such as those with sequences or with the iteration
  // number in a shape.
  auto tryLoop = [&](bool mayGrow) -> Attempt {
    std::optional<NodeError> error;
    Results loop = importQuietly([&] { return makeLoop(mayGrow); }, error);
    return succeeded(loop) ? std::optional(std::move(*loop)) : std::nullopt;
  };
  SmallVector<std::function<Attempt()>> forms = {[&] { return within(kWorthUnrolling, unroll); },
                                                 [&] { return tryLoop(/*mayGrow=*/false); },
                                                 [&] { return within(kMaxUnrolledNodes, unroll); }};
  if (unrollBounded)
    forms.append({[&] { return tryLoop(/*mayGrow=*/true); }, [&] { return within(kMaxUnrolledNodes, unrollBounded); }});
  Trial trial(builder);
  for (const std::function<Attempt()> &form : forms) {
    Attempt made = form();
    if (failed(made))
      return failure();
    if (*made)
      return std::move(**made);
    trial.undo();
  }
  return failed(countNodes(0, loc)) ? Results(failure()) : makeLoop(/*mayGrow=*/true); // emits the error
}

static Value makeUnknown(OpBuilder &builder, Location loc, Type type) {
  return UnrealizedConversionCastOp::create(builder, loc, TypeRange(type), ValueRange()).getResult(0);
}

/// Returns the types of what a loop stacks, for one without iterations. Imports the body tentatively. Where that fails,
/// because what an iteration would take does not exist, the types are those that the body states.
FailureOr<SmallVector<Type>> GraphImporter::findStackedTypes(const ::onnx::GraphProto &body, ArrayRef<Value> carried,
                                                             Location loc, const Scope &scope, StringRef path,
                                                             unsigned index) {
  Trial trial(builder);
  OperationMaker maker(builder, loc);
  SmallVector<Value> inputs = {maker.scalar(0), maker.boolean(true)};
  inputs.append(carried.begin(), carried.end());
  auto importOnce = [&] { return importBody(body, inputs, loc, scope, path, index); };
  std::optional<NodeError> error;
  SmallVector<Type> types;
  if (Results made = importQuietly(importOnce, error); succeeded(made)) {
    llvm::append_range(types, ValueRange(*made).drop_front(1 + carried.size()).getTypes());
  } else {
    for (const ::onnx::ValueInfoProto &output : llvm::drop_begin(body.output(), 1 + carried.size())) {
      FailureOr<TensorType> type = importStatedType(output, [&](StringRef dim) { return resolveExternDim(dim); }, loc);
      std::optional<cameo::onnx::DimList> sizes = succeeded(type) && *type ? cameo::onnx::getDims(*type) : std::nullopt;
      if (!sizes || llvm::any_of(*sizes, [](const cameo::Dim &dim) { return dim.isUnknown(); })) {
        (void)importOnce(); // emits the error
        return failure();
      }
      types.push_back(*type);
    }
  }
  trial.undo();
  return types;
}

GraphImporter::Attempt GraphImporter::unrollLoop(const ::onnx::GraphProto &body, ArrayRef<Value> operands, Location loc,
                                                 const Scope &scope, StringRef path, unsigned index) {
  size_t carriedCount = operands.size() - 2, scanCount = body.output_size() - 1 - carriedCount;
  std::optional<int64_t> tripCount = cameo::onnx::isAbsent(operands[0]) ? INT64_MAX : getKnownScalar(operands[0]);
  if (!tripCount)
    return std::optional<SmallVector<Value>>();
  OperationMaker maker(builder, loc);
  Value condition = cameo::onnx::isAbsent(operands[1]) ? maker.boolean(true) : operands[1];
  SmallVector<Value> carried(operands.drop_front(2));
  SmallVector<SmallVector<Value>> scans(scanCount);
  for (int64_t iteration = 0;; ++iteration) {
    std::optional<int64_t> shouldContinue = getKnownScalar(condition);
    if (iteration < *tripCount && !shouldContinue)
      return std::optional<SmallVector<Value>>();
    if (iteration >= *tripCount || !*shouldContinue)
      break;
    // A known condition is passed as a constant, so that inference of the next one does not look through all earlier
    // iterations.
    SmallVector<Value> inputs = {maker.scalar(iteration), shouldContinue ? maker.boolean(*shouldContinue) : condition};
    inputs.append(carried);
    Results made = importBody(body, inputs, loc, scope, path, index);
    if (failed(made) || failed(expectCondition(made->front(), body.output(0).name(), loc)))
      return failure();
    if (failed(expectCarried(body, 1, carried, ArrayRef(*made).slice(1, carriedCount), loc)))
      return failure();
    condition = made->front();
    carried.assign(made->begin() + 1, made->end() - scanCount);
    for (auto [scan, value] : llvm::zip_equal(scans, ArrayRef(*made).take_back(scanCount)))
      scan.push_back(value);
  }
  FailureOr<SmallVector<Type>> types =
      scans.empty() || !scans.front().empty()
          ? SmallVector<Type>(llvm::map_range(scans, [](ArrayRef<Value> scan) { return scan.back().getType(); }))
          : findStackedTypes(body, carried, loc, scope, path, index);
  if (failed(types))
    return failure();
  SmallVector<Value> results = carried;
  for (auto [scan, type] : llvm::zip_equal(scans, *types)) {
    FailureOr<Value> stacked = maker.stack(scan, type, 0);
    if (failed(stacked))
      return failure();
    results.push_back(*stacked);
  }
  return std::optional(results);
}

/// Returns the smallest upper bound of the trip count: `maxTripCount`, or one that follows from a stated size of a
/// growing value after the loop.
static cameo::Dim boundGrowing(const cameo::Dim &maxTripCount, ArrayRef<GrowingValue> growing,
                               ArrayRef<TensorType> stated) {
  int64_t bound = maxTripCount.isStatic() ? maxTripCount.getSize() : INT64_MAX;
  for (const GrowingValue &value : growing) {
    TensorType type = stated[value.number];
    std::optional<cameo::onnx::DimList> dims = type ? cameo::onnx::getDims(type) : std::nullopt;
    bool isStated = dims && value.axis < static_cast<int64_t>(dims->size()) && (*dims)[value.axis].isStatic();
    if (isStated && value.first.isStatic())
      bound = std::min(bound, std::max<int64_t>((*dims)[value.axis].getSize() - value.first.getSize(), 0) / value.step);
  }
  return bound < INT64_MAX ? cameo::Dim(bound) : maxTripCount;
}

SmallVector<GrowingValue> GraphImporter::findGrowing(BodyImport importIteration, Location loc,
                                                     ArrayRef<Value> carried) {
  // One iteration is imported tentatively, from values of which only the types are known. The result holds for every
  // iteration.
  Trial trial(builder);
  SmallVector<Value> inputs = {makeUnknown(builder, loc, RankedTensorType::get({}, builder.getI64Type())),
                               OperationMaker(builder, loc).boolean(true)};
  for (Value value : carried)
    inputs.push_back(makeUnknown(builder, loc, value.getType()));
  SmallVector<GrowingValue> growing;
  std::optional<NodeError> error;
  if (Results made = importQuietly([&] { return importIteration(inputs); }, error); succeeded(made))
    growing = GrowingValues::find(ArrayRef(inputs).drop_front(2), ArrayRef(*made).slice(1, carried.size()));
  trial.undo();
  return growing;
}

GraphImporter::Results GraphImporter::importRunLoop(const ::onnx::NodeProto &node, const ::onnx::GraphProto &body,
                                                    ArrayRef<Value> operands, Location loc, const Scope &scope,
                                                    StringRef path, unsigned index, bool mayGrow) {
  AppendedSequences appended(body, operands.drop_front(2));
  RunLoop loop;
  SmallVector<int> outputs; // for each carried value, the number of its output of the node
  for (auto [number, value] : llvm::enumerate(operands.drop_front(2)))
    if (!appended.contains(number)) {
      loop.carried.push_back(value);
      outputs.push_back(number);
    }
  size_t carriedCount = loop.carried.size();
  const int firstScan = operands.size() - 2;
  bool isBounded = !cameo::onnx::isAbsent(operands[0]) && getKnownScalar(operands[0]) != INT64_MAX;
  if (isBounded) {
    loop.tripCount = operands[0];
    TripBound bound = boundTripCount(operands[0]); // the compiled loop checks the bound
    loop.isExact = bound.isExact;
    loop.maxTripCount = bound.most;
  }
  if (!cameo::onnx::isAbsent(operands[1]) && getKnownScalar(operands[1]) != 1)
    loop.condition = operands[1];
  // Without another bound, the stated size of a stacked output is the bound.
  for (int number = firstScan; number < node.output_size() && loop.maxTripCount.isUnknown() && scope.stated; ++number) {
    TensorType type = scope.stated->lookup(node.output(number));
    if (!type)
      continue;
    if (std::optional<cameo::onnx::DimList> dims = cameo::onnx::getDims(type);
        dims && !dims->empty() && dims->front().isStatic())
      loop.maxTripCount = dims->front();
  }
  auto importIteration = [&](ArrayRef<Value> inputs) -> Results {
    Results made = importBody(body, appended.addEmpty(builder, loc, inputs, /*leading=*/2), loc, scope, path, index);
    if (failed(made) || failed(expectCondition(made->front(), body.output(0).name(), loc)))
      return failure();
    if (failed(expectCarried(body, 1, operands.drop_front(2), ArrayRef(*made).slice(1, operands.size() - 2), loc)))
      return failure();
    return appended.takeElements(*made, /*leading=*/1);
  };
  NodeDraft draft{builder, loc, node.op_type(), /*version=*/0, {}, {}, {}, {}};
  std::optional<GrowingValues> growing;
  std::string size;
  if (SmallVector<GrowingValue> found =
          mayGrow ? findGrowing(importIteration, loc, loop.carried) : SmallVector<GrowingValue>();
      !found.empty()) {
    SmallVector<TensorType> stated(carriedCount);
    for (auto [type, output] : llvm::zip_equal(stated, outputs))
      if (output < node.output_size() && scope.stated)
        type = scope.stated->lookup(node.output(output));
    cameo::Dim maxTripCount = boundGrowing(loop.maxTripCount, found, stated);
    loop.isExact &= maxTripCount == loop.maxTripCount;
    loop.maxTripCount = maxTripCount;
    // The buffers need a constant size or that of the exact trip count: no value holds a symbolic upper bound.
    if (loop.maxTripCount.isUnknown() || (loop.maxTripCount.isNamed() && !loop.isExact))
      return emitError(loc) << "values that grow with each iteration without a bound are not supported, got "
                            << loop.carried[found[0].number].getType()
                            << ": the bound is a constant trip count, or a number as the size that the model states "
                               "for the output; --bound NAME=N bounds a computed integer";
    OperationMaker maker(builder, loc);
    FailureOr<Value> room = loop.maxTripCount.isStatic() ? maker.scalar(loop.maxTripCount.getSize())
                                                         : maker.make("Reshape", {operands[0], maker.ints({})});
    if (failed(room))
      return failure();
    if (int output = outputs[found[0].number];
        found[0].first == 0 && found[0].step == 1 && output < node.output_size() && !node.output(output).empty())
      size = nameSize(node.output(output), found[0].axis, scope);
    growing.emplace(draft, std::move(found), *room);
    if (failed(growing->makeRoom(loop.carried)))
      return failure();
  }
  FailureOr<RunLoopResults> made =
      makeRunLoop(builder, loc, loop, [&](Value iteration, ArrayRef<Value> carried) -> Results {
        SmallVector<Value> inputs = {iteration, OperationMaker(builder, loc).boolean(true)};
        inputs.append(carried.begin(), carried.end());
        if (growing && failed(growing->takeFronts(MutableArrayRef(inputs).drop_front(2), iteration,
                                                  nameSize((path + "round").str(), 0, scope))))
          return failure();
        Results results = importIteration(inputs);
        if (growing && succeeded(results) && failed(growing->fillUp(MutableArrayRef(*results).slice(1, carriedCount))))
          return failure();
        return results;
      });
  if (failed(made))
    return failure();
  SmallVector<Value> results = made->last;
  auto nameCount = [&](StringRef output) {
    if (size.empty())
      size = nameSize(output, 0, scope);
    return StringRef(size);
  };
  if (growing && made->count && failed(growing->takeFronts(results, made->count, nameCount(path.rtrim('/')))))
    return failure();
  for (auto [number, stacked] : llvm::enumerate(made->stacked)) {
    if (!made->count) {
      results.push_back(stacked);
      continue;
    }
    int output = firstScan + number;
    cameo::onnx::DimList dims = *cameo::onnx::getDims(stacked);
    dims.front() = cameo::Dim::named(
        builder.getStringAttr(nameCount(output < node.output_size() ? node.output(output) : path.rtrim('/'))));
    Type type = cameo::onnx::makeTensorType(dims, cast<TensorType>(stacked.getType()).getElementType());
    results.push_back(cameo::onnx::PrefixOp::create(builder, loc, TypeRange(type), {stacked, made->count},
                                                    ArrayRef<NamedAttribute>{}));
  }
  return appended.makeSequences(builder, loc, results);
}
