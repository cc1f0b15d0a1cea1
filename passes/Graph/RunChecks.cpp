#include "passes/Graph/RunChecks.h"

#include "passes/Graph/Constants/ScalarConstant.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/DimList.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::graph;
using onnx::DimList;

RunChecks::RunChecks(func::FuncOp function, const task::Predicates &predicates) {
  function.walk([&](Block *block) {
    auto add = [&](Value value) {
      for (const Dim &dim : onnx::getDims(value).value_or(DimList()))
        collectNames(dim, names);
    };
    llvm::for_each(block->getArguments(), add);
    for (Operation &op : *block)
      llvm::for_each(op.getResults(), add);
  });
  auto addPlaces = [&](Value value) {
    for (auto [axis, dim] : llvm::enumerate(onnx::getDims(value).value_or(DimList())))
      if (StringAttr name = dim.getName())
        places.try_emplace(name, Place{value, static_cast<int64_t>(axis)});
  };
  llvm::for_each(function.getArguments(), addPlaces);
  // A data-dependent size can be read from any result that has it, unless the result is computed in a branch, which a
  // run may not take.
  for (Operation &op : function.getBody().front())
    if (predicates.of(&op).empty())
      llvm::for_each(op.getResults(), addPlaces);
}

StringAttr RunChecks::makeName(MLIRContext *context) {
  for (;; ++number)
    if (auto name = StringAttr::get(context, "read." + Twine(number)); names.insert(name))
      return name;
}

Value RunChecks::guard(OnnxBuilder &b, Value value, Value isWrong) {
  DimList dims = *onnx::getDims(value);
  Value whole = dims.empty() ? b.reshape(value, {1}) : value;
  // The count is the number of rows, or -1 if the check fails. A Prefix of -1 rows ends the run.
  Value rows = b.sizeOf(whole, 0), less = b.make<onnx::MulOp>({isWrong, b.make<onnx::AddOp>({rows, b.ints(1)})});
  Value count = b.reshape(b.make<onnx::SubOp>({rows, less}), {});
  DimList found = *onnx::getDims(whole);
  found.front() = Dim::named(makeName(b.getContext()));
  Type type = onnx::makeTensorType(found, cast<TensorType>(value.getType()).getElementType());
  Value prefix = onnx::PrefixOp::create(b, TypeRange(type), {whole, count}, ArrayRef<NamedAttribute>{});
  return onnx::ReshapeOp::create(b, value.getType(), ValueRange{prefix, b.make<onnx::ShapeOp>(value)},
                                 ArrayRef<NamedAttribute>{});
}

Value RunChecks::computeAtom(OnnxBuilder &b, Attribute atom) {
  if (auto name = dyn_cast<StringAttr>(atom)) {
    const Place &place = places.find(name)->second;
    return b.sizeOf(place.value, place.axis);
  }
  if (auto minimum = dyn_cast<DimMinAttr>(atom))
    return b.make<onnx::MinOp>({compute(b, minimum.getDim()), b.ints(0)});
  if (auto floor = dyn_cast<DimFloorAttr>(atom))
    return b.cast(b.make<onnx::FloorOp>(computeReal(b, floor.getReal())), b.getI64Type());
  auto quotient = cast<DimQuotientAttr>(atom);
  Value dividend = compute(b, quotient.getDividend());
  if (!quotient.getDivisor().isStatic()) // both operands are sizes; runs in which the divisor is 0 are refused
    return b.make<onnx::DivOp>({dividend, compute(b, maxDims(quotient.getDivisor(), 1))});
  // Div rounds towards zero, but the result of Mod has the sign of the divisor, so subtracting it first rounds towards
  // minus infinity.
  Value divisor = compute(b, quotient.getDivisor());
  return b.make<onnx::DivOp>({b.make<onnx::SubOp>({dividend, b.make<onnx::ModOp>({dividend, divisor})}), divisor});
}

Value RunChecks::computeReal(OnnxBuilder &b, Attribute real) {
  if (auto number = dyn_cast<FloatAttr>(real))
    return createScalar(b, b.getLoc(), number.getType(), number.getValueAsDouble());
  auto computed = cast<DimRealAttr>(real);
  ArrayRef<Attribute> operands = computed.getOperands();
  if (computed.getKind() == DimRealKind::Size)
    return b.cast(compute(b, Dim(cast<DimExprAttr>(operands.front()))), computed.getType());
  SmallVector<Value> values = llvm::map_to_vector(operands, [&](Attribute each) { return computeReal(b, each); });
  switch (computed.getKind()) {
  case DimRealKind::Add:
    return b.make<onnx::AddOp>(values);
  case DimRealKind::Sub:
    return b.make<onnx::SubOp>(values);
  case DimRealKind::Mul:
    return b.make<onnx::MulOp>(values);
  case DimRealKind::Div:
    return b.make<onnx::DivOp>(values);
  case DimRealKind::Min:
    return b.make<onnx::MinOp>(values);
  case DimRealKind::Max:
    return b.make<onnx::MaxOp>(values);
  case DimRealKind::Round:
    return b.make<onnx::RoundOp>(values);
  case DimRealKind::Size:
    break;
  }
  llvm_unreachable("a size has been cast");
}

Value RunChecks::compute(OnnxBuilder &b, const Dim &dim) {
  if (dim.isStatic())
    return b.ints(dim.getSize());
  llvm::SetVector<StringAttr> used;
  collectNames(dim, used);
  auto isMissing = [&](StringAttr name) {
    auto place = places.find(name);
    Operation *op = place == places.end() ? nullptr : place->second.value.getDefiningOp();
    return place == places.end() || (op && !op->isBeforeInBlock(&*b.getInsertionPoint()));
  };
  if (dim.isUnknown() || llvm::any_of(used, isMissing))
    return {};
  Value sum = b.ints(0);
  for (const DimTerm &term : getTerms(dim)) {
    Value product = b.ints(term.coefficient);
    for (Attribute atom : term.getAtoms())
      product = b.make<onnx::MulOp>({product, computeAtom(b, atom)});
    sum = b.make<onnx::AddOp>({sum, product});
  }
  return sum;
}
