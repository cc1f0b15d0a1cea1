// Only scf.for is used: a branch is a loop with zero or one iterations, so that bufferization has to handle one form
// only.
#include "passes/Lower/Builders/LoopBuilder.h"

#include "dialects/Dim/DimLimits.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <functional>

using namespace mlir;

namespace cameo::lower {

Values buildLoop(ScalarBuilder &s, Value end, ValueRange carried,
                 llvm::function_ref<Values(ScalarBuilder &, Value, ValueRange)> body) {
  Value zero = s.indexConstant(0), one = s.indexConstant(1);
  auto loop = scf::ForOp::create(s.builder, s.loc, zero, end, one, carried,
                                 [&](OpBuilder &builder, Location loc, Value at, ValueRange inside) {
                                   ScalarBuilder inner(builder, loc);
                                   scf::YieldOp::create(builder, loc, body(inner, at, inside));
                                 });
  Values results;
  llvm::append_range(results, loop.getResults());
  return results;
}

/// Returns the extent of the outermost loop over `shape`: 0 if a loop inside of it is empty, because it could run very
/// many empty iterations. A single size cannot be both 0 and large.
static Dim outermostExtent(ShapeRef shape) {
  Dim elements = sizeOf(shape);
  llvm::SetVector<StringAttr> names;
  collectNames(elements, names);
  Dim guarded = names.size() < 2 ? shape.front() : shape.front() * minDims(elements, 1);
  return guarded.isUnknown() ? shape.front() : guarded;
}

Values buildLoops(ScalarBuilder &s, ShapeRef shape, ValueRange carried,
                  llvm::function_ref<Values(ScalarBuilder &, ValueRange, ValueRange)> body) {
  SmallVector<Value> at;
  std::function<Values(ScalarBuilder &, ValueRange)> enter = [&](ScalarBuilder &outer, ValueRange state) {
    if (at.size() == shape.size())
      return body(outer, at, state);
    return buildLoop(outer, outer.size(at.empty() ? outermostExtent(shape) : shape[at.size()]), state,
                     [&](ScalarBuilder &inner, Value index, ValueRange inside) {
                       at.push_back(index);
                       Values next = enter(inner, inside);
                       at.pop_back();
                       return next;
                     });
  };
  return enter(s, carried);
}

Values buildWhen(ScalarBuilder &s, Value condition, ValueRange carried,
                 llvm::function_ref<Values(ScalarBuilder &, ValueRange)> body) {
  Value tripCount = s.select(condition, s.indexConstant(1), s.indexConstant(0));
  return buildLoop(s, tripCount, carried,
                   [&](ScalarBuilder &inner, Value, ValueRange inside) { return body(inner, inside); });
}

Value insertElement(ScalarBuilder &s, Value element, Value into, ValueRange at) {
  return s.apply<tensor::InsertOp>(element, into, at);
}

Value insertIndex(ScalarBuilder &s, Value index, Value into, ValueRange at) {
  return insertElement(s, s.fromIndex(index, s.builder.getI64Type()), into, at);
}

} // namespace cameo::lower
