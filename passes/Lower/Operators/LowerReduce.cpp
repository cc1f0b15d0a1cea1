// Reductions along axes: one reduction, followed by an elementwise linalg.generic where the operator needs one.
#include "passes/Lower/Builders/Axes.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// The operand, axes and result shape of a reduction.
struct Reduction {
  Value data;
  Ints axes;
  bool keepDims;
  Sign sign;
  Shape shape;
  Type element;

  Dim count() const {
    Dim count = 1;
    for (int64_t axis : axes)
      count = count * shapeOf(data)[axis];
    return count;
  }
};

/// Gathers the elements of each result in a last dimension, for dynamic axes that the shapes leave ambiguous.
Value gatherReduced(GenericBuilder &b, Value data, Value axes, ShapeRef kept) {
  Shape shape = shapeOf(data), gathered(kept);
  int64_t rank = shape.size(), count = rank - kept.size();
  gathered.push_back(floorDivDims(sizeOf(shape), sizeOf(kept)));
  return b.map(gathered, elementOf(data), {}, [&](ScalarBuilder &s, ValueRange) {
    Value rest = s.position(kept.size()), left = s.indexConstant(kept.size());
    SmallVector<Value> at(rank);
    for (int64_t dim = rank; dim-- > 0;) {
      Value isReduced = s.integer(b.getI1Type(), 0), place = s.indexConstant(0);
      for (int64_t number = 0; number < count; ++number) {
        Value axis = s.wrapIndex(s.toIndex(s.extract(axes, {s.indexConstant(number)})), rank);
        isReduced = s.logicalOr(isReduced, s.compare(Order::Equal, axis, s.indexConstant(dim)));
      }
      // Selects the last of the kept dimensions that have not been used.
      for (size_t other = 0; other < kept.size(); ++other)
        place = s.select(s.compare(Order::Equal, left, s.indexConstant(other + 1)), s.position(other), place);
      Value size = s.size(shape[dim]);
      at[dim] = s.clampIndex(s.select(isReduced, s.rem(rest, size), place), shape[dim]);
      rest = s.select(isReduced, s.div(rest, size), rest);
      left = s.select(isReduced, left, s.sub(left, s.indexConstant(1)));
    }
    return s.extract(data, at);
  });
}

template <typename OpTy> FailureOr<Reduction> readReduction(OpTy op, Operands operands, GenericBuilder &b) {
  int64_t rank = rankOf(operands[0]);
  bool keepDims = op.getKeepdims() != 0;
  std::optional<Ints> axes = op->getNumOperands() > 1 ? knownInts(op->getOperand(1)) : std::optional(Ints());
  if (!axes)
    axes = inferReducedAxes(shapeOf(operands[0]), resultShape(op), keepDims);
  else if (axes->empty() && op.getNoopWithEmptyAxes() == 0)
    axes = allAxes(rank);
  Shape kept = resultShape(op);
  if (!axes && !keepDims && sizeOf(kept) != 0 &&
      !floorDivDims(sizeOf(shapeOf(operands[0])), sizeOf(kept)).isUnknown() &&
      shapeOf(operands[1]) == Shape{rank - static_cast<int64_t>(kept.size())})
    return Reduction{gatherReduced(b, operands[0], operands[1], kept),
                     {static_cast<int64_t>(kept.size())},
                     keepDims,
                     signOf(op.getData()),
                     kept,
                     resultElement(op)};
  if (!axes) {
    (void)unsupported(op, "axes known only at run time");
    return failure();
  }
  for (int64_t &axis : *axes)
    axis = normalizeAxis(axis, rank);
  llvm::sort(*axes);
  return Reduction{operands[0], *axes, keepDims, signOf(op.getData()), resultShape(op), resultElement(op)};
}

/// Sums with more terms are computed as a sum of row sums: threads share the rows, as in the task that computed them.
constexpr int64_t largeSum = 128;

Value sum(GenericBuilder &b, const Reduction &r, function_ref<Value(ScalarBuilder &, Value)> term) {
  TypedAttr zero = b.getZeroAttr(computeType(r.element));
  auto addTerm = [&](ScalarBuilder &s, ValueRange x) { return s.add(x[1], term(s, x[0])); };
  Shape shape = shapeOf(r.data);
  Ints inRows(r.axes);
  llvm::erase_if(inRows, [&](int64_t axis) { return shape[axis] == 1; });
  Dim count = r.count();
  if (inRows.size() < 2 || !count.isStatic() || count.getSize() < largeSum)
    return b.reduce(r.data, r.axes, r.keepDims, zero, addTerm);
  inRows.erase(inRows.begin());
  Value rows = b.reduce(r.data, inRows, /*keepDims=*/true, zero, addTerm);
  return b.reduce(rows, r.axes, r.keepDims, zero, [](ScalarBuilder &s, ValueRange x) { return s.add(x[1], x[0]); });
}

/// Applies an elementwise function to the reduced values.
Value finish(GenericBuilder &b, const Reduction &r, Value reduced, function_ref<Value(ScalarBuilder &, Value)> end) {
  return b.elementwise(r.shape, r.element, {reduced}, [&](ScalarBuilder &s, ValueRange x) { return end(s, x[0]); });
}

/// Applies a function of floats to integers, too.
Value inFloat(ScalarBuilder &s, Value x, Sign sign, function_ref<Value(Value)> function) {
  Type type = x.getType();
  Type wide = isa<FloatType>(type) ? type : Type(s.builder.getF64Type());
  return s.convert(function(s.convert(x, wide, sign)), type, Sign::Signed, sign);
}

template <typename OpTy> Lowered lowerSum(OpTy op, Operands operands, GenericBuilder &b) {
  FailureOr<Reduction> r = readReduction(op, operands, b);
  if (failed(r))
    return failure();
  Value sums = sum(b, *r, [&](ScalarBuilder &s, Value x) {
    if (isa<onnx::ReduceL1Op>(op))
      return s.abs(x, r->sign);
    bool squares = isa<onnx::ReduceSumSquareOp, onnx::ReduceL2Op>(op);
    return squares ? s.mul(x, x) : x;
  });
  if (isa<onnx::ReduceSumOp, onnx::ReduceL1Op, onnx::ReduceSumSquareOp>(op))
    return one(b.convert(sums, r->element));
  return one(finish(b, *r, sums, [&](ScalarBuilder &s, Value x) {
    if (isa<onnx::ReduceMeanOp>(op))
      return s.div(x, s.size(r->count(), x.getType()), r->sign);
    return inFloat(s, x, r->sign, [&](Value x) { return isa<onnx::ReduceL2Op>(op) ? s.sqrt(x) : s.log(x); });
  }));
}

Lowered lowerLogSumExp(onnx::ReduceLogSumExpOp op, Operands operands, GenericBuilder &b) {
  FailureOr<Reduction> r = readReduction(op, operands, b);
  if (failed(r))
    return failure();
  // Integers are converted to f64, and back at the end.
  Type type = isa<FloatType>(r->element) ? computeType(r->element) : Type(b.getF64Type());
  Value data = b.convert(r->data, type, r->sign);
  Value greatest = b.reduce(data, r->axes, /*keepDims=*/true, lowestAttr(type),
                            [](ScalarBuilder &s, ValueRange x) { return s.max(x[1], x[0]); });
  // If the maximum is infinite, subtracting it would give NaN.
  Value shift = b.elementwise(shapeOf(greatest), type, {greatest}, [&](ScalarBuilder &s, ValueRange x) {
    Value isFinite = s.compare(Order::Less, s.abs(x[0]), s.constant(highestAttr(type)));
    return s.select(isFinite, x[0], s.number(type, 0));
  });
  Value exponentials = b.elementwise(shapeOf(data), type, {data, shift},
                                     [](ScalarBuilder &s, ValueRange x) { return s.exp(s.sub(x[0], x[1])); });
  Value sums = b.reduce(exponentials, r->axes, /*keepDims=*/true, b.getZeroAttr(type),
                        [](ScalarBuilder &s, ValueRange x) { return s.add(x[1], x[0]); });
  Value result = b.elementwise(shapeOf(sums), r->element, {sums, shift}, [&](ScalarBuilder &s, ValueRange x) {
    return s.convert(s.add(s.log(x[0]), x[1]), computeType(r->element), Sign::Signed, r->sign);
  });
  return one(b.reshape(result, r->shape));
}

template <typename OpTy> Lowered lowerExtremum(OpTy op, Operands operands, GenericBuilder &b) {
  FailureOr<Reduction> r = readReduction(op, operands, b);
  if (failed(r))
    return failure();
  bool isMax = isa<onnx::ReduceMaxOp>(op);
  Type type = computeType(r->element);
  TypedAttr initial = isMax ? lowestAttr(type, r->sign) : highestAttr(type, r->sign);
  Value result = b.reduce(r->data, r->axes, r->keepDims, initial, [&](ScalarBuilder &s, ValueRange x) {
    return isMax ? s.max(x[1], x[0], r->sign) : s.min(x[1], x[0], r->sign);
  });
  return one(b.convert(result, r->element));
}

Lowered lowerProd(onnx::ReduceProdOp op, Operands operands, GenericBuilder &b) {
  FailureOr<Reduction> r = readReduction(op, operands, b);
  if (failed(r))
    return failure();
  Value result = b.reduce(r->data, r->axes, r->keepDims, numberAttr(computeType(r->element), 1),
                          [](ScalarBuilder &s, ValueRange x) { return s.mul(x[1], x[0]); });
  return one(b.convert(result, r->element));
}

} // namespace

void addReductions(LoweringTable &table) {
  table.add(lowerSum<onnx::ReduceL1Op>);
  table.add(lowerSum<onnx::ReduceL2Op>);
  table.add(lowerSum<onnx::ReduceLogSumOp>);
  table.add(lowerSum<onnx::ReduceMeanOp>);
  table.add(lowerSum<onnx::ReduceSumOp>);
  table.add(lowerSum<onnx::ReduceSumSquareOp>);
  table.add(lowerLogSumExp);
  table.add(lowerExtremum<onnx::ReduceMaxOp>);
  table.add(lowerExtremum<onnx::ReduceMinOp>);
  table.add(lowerProd);
}

} // namespace cameo::lower
