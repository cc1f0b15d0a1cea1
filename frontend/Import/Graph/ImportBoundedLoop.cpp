// Imports a Loop of which a run decides the number of iterations up to a bound, as branches: each iteration but the
// first is in the branch of the one before it. So iterations may differ in all that their number decides, such as the
// length of a sequence.
#include "frontend/Import/Graph/BranchChoice.h"
#include "frontend/Import/Graph/ControlOperands.h"
#include "frontend/Import/Graph/GraphImporter.h"
#include "frontend/Import/Graph/GuardValue.h"
#include "frontend/Import/Graph/OperationMaker.h"
#include "frontend/Import/Graph/RunLoop.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ScopeExit.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

struct GraphImporter::Round {
  Value condition; ///< whether it runs; null if it does whenever the one before did
  SmallVector<Value> carried, slices;
};

/// Returns the upper bound of a size that prefixes bound, such as those of --bound; unknown if it has none.
static cameo::Dim findLimit(const cameo::Dim &size, Block &block) {
  cameo::DimBounds bounds;
  block.getParentOp()->getParentOfType<ModuleOp>().walk([&](cameo::onnx::PrefixOp prefix) {
    std::optional<cameo::onnx::DimList> counted = cameo::onnx::getDims(prefix->getResult(0)),
                                        all = cameo::onnx::getDims(prefix->getOperand(0));
    if (StringAttr name = counted ? counted->front().getName() : StringAttr(); name && all && all->front().isStatic())
      bounds[name] = all->front();
  });
  return cameo::upperBound(size, bounds);
}

/// Returns the first `count` rows of a tensor, whose number gets the name `size`.
static Value takePrefix(OpBuilder &builder, Location loc, Value rows, Value count, StringRef size) {
  cameo::onnx::DimList dims = *cameo::onnx::getDims(rows);
  dims.front() = cameo::Dim::named(builder.getStringAttr(size));
  Type type = cameo::onnx::makeTensorType(dims, cast<TensorType>(rows.getType()).getElementType());
  return cameo::onnx::PrefixOp::create(builder, loc, TypeRange(type), {rows, count}, ArrayRef<NamedAttribute>{});
}

GraphImporter::Results GraphImporter::importRounds(const RunLoop &loop, const ::onnx::GraphProto &body, Location loc,
                                                   const Scope &scope, StringRef path, unsigned index,
                                                   SmallVectorImpl<Round> &rounds) {
  // Conditions are known in the iterations that they lead to, and forgotten after the loop.
  size_t around = cases.size();
  llvm::scope_exit forget([&] { cases.truncate(around); });
  OperationMaker maker(builder, loc);
  SmallVector<Value> carried(loop.carried);
  Value condition = loop.condition;
  for (int64_t number = 0; number < loop.maxTripCount.getSize(); ++number) {
    FailureOr<Value> runs = maker.make("Less", {maker.scalar(number), loop.tripCount});
    if (succeeded(runs) && condition && getKnownScalar(condition) != 1) {
      FailureOr<Value> scalar = maker.make("Reshape", {condition, maker.ints({})});
      runs = failed(scalar) ? scalar : maker.make("And", {*runs, *scalar});
    }
    if (failed(runs))
      return failure();
    std::optional<int64_t> known = getKnownScalar(*runs);
    if (known == 0)
      break;
    rounds.push_back({known ? Value() : *runs, carried, {}});
    if (!known)
      cases.push_back({*runs, true});
    SmallVector<Value> inputs = {maker.scalar(number), maker.boolean(true)};
    inputs.append(carried);
    Results made = importBody(body, inputs, loc, scope, path, index);
    if (failed(made) || failed(expectCondition(made->front(), body.output(0).name(), loc)) ||
        failed(expectCarried(body, 1, carried, ArrayRef(*made).slice(1, carried.size()), loc)))
      return failure();
    condition = made->front();
    rounds.back().slices.assign(made->begin() + 1 + carried.size(), made->end());
    carried.assign(made->begin() + 1, made->begin() + 1 + carried.size());
  }
  return carried;
}

FailureOr<Value> GraphImporter::chooseRounds(NodeDraft &draft, ArrayRef<Round> rounds, SmallVectorImpl<Value> &carried,
                                             SmallVectorImpl<SmallVector<Value>> &stacked,
                                             llvm::function_ref<std::string(unsigned, int64_t)> name) {
  OperationMaker maker(builder, draft.loc);
  Value count = maker.scalar(rounds.size());
  for (int64_t number = std::ssize(rounds) - 1; number >= 0; --number) {
    const Round &round = rounds[number];
    for (auto [list, slice] : llvm::zip_equal(stacked, round.slices))
      list.insert(list.begin(), slice);
    if (!round.condition)
      continue;
    if (failed(countNodes(carried.size() + stacked.size() * (rounds.size() - number), draft.loc)))
      return failure();
    BranchChoice choice(draft, round.condition, name);
    for (auto [output, before, after] : llvm::enumerate(round.carried, carried)) {
      FailureOr<Value> chosen = choice.choose(output, after, before);
      if (failed(chosen))
        return failure();
      after = *chosen;
    }
    for (auto [output, list] : llvm::enumerate(stacked))
      for (Value &slice : list) {
        FailureOr<Value> kept = choice.keepOne(carried.size() + output, slice, /*isTrue=*/true);
        if (failed(kept))
          return failure();
        slice = *kept;
      }
    count = choice.chooseScalar(count, maker.scalar(number));
    if (!count)
      return failure();
  }
  return count;
}

GraphImporter::Attempt GraphImporter::unrollBounded(const ::onnx::NodeProto &node, const ::onnx::GraphProto &body,
                                                    ArrayRef<Value> operands, Location loc, const Scope &scope,
                                                    StringRef path, unsigned index) {
  if (cameo::onnx::isAbsent(operands[0]))
    return std::optional<SmallVector<Value>>();
  TripBound bound = boundTripCount(operands[0]);
  RunLoop loop{Value(), cameo::onnx::isAbsent(operands[1]) ? Value() : operands[1],
               SmallVector<Value>(operands.drop_front(2)), findLimit(bound.most, *builder.getBlock()), bound.isExact};
  if (!loop.maxTripCount.isStatic() || loop.maxTripCount.getSize() < 1)
    return std::optional<SmallVector<Value>>();
  auto name = [&](unsigned output, int64_t axis) {
    bool isNamed = static_cast<int>(output) < node.output_size() && !node.output(output).empty();
    return nameSize(isNamed ? StringRef(node.output(output)) : path.rtrim('/'), axis, scope);
  };
  NodeDraft draft{builder, loc, node.op_type(), /*version=*/0, {}, {}, {}, {}};
  NodeWriter w(draft);
  loop.tripCount = w.make("Reshape", {operands[0], w.ints({})});
  Value isBounded = w.make("LessOrEqual", {loop.tripCount, w.scalar(loop.maxTripCount.getSize())});
  if (w.hasFailed())
    return failure();
  if (!loop.isExact) {
    FailureOr<Value> guarded = guardValue(draft, loop.tripCount, isBounded, /*required=*/true,
                                          name(node.output_size(), std::numeric_limits<int64_t>::max()));
    if (failed(guarded))
      return failure();
    loop.tripCount = *guarded;
  }
  SmallVector<Round> rounds;
  Results results = importRounds(loop, body, loc, scope, path, index, rounds);
  if (failed(results))
    return failure();
  if (rounds.empty())
    return std::optional<SmallVector<Value>>();
  SmallVector<SmallVector<Value>> stacked(rounds.front().slices.size());
  FailureOr<Value> count = chooseRounds(draft, rounds, *results, stacked, name);
  if (failed(count))
    return failure();
  std::string size;
  for (auto [output, list] : llvm::enumerate(stacked)) {
    FailureOr<Value> all = OperationMaker(builder, loc).stack(list, list.front().getType(), 0);
    if (failed(all))
      return failure();
    size = size.empty() ? name(loop.carried.size() + output, 0) : size;
    results->push_back(getKnownScalar(*count) ? *all : takePrefix(builder, loc, *all, *count, size));
  }
  return std::optional(*results);
}
