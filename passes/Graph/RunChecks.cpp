#include "passes/Graph/RunChecks.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/DimList.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::graph;
using onnx::DimList;

RunChecks::RunChecks(func::FuncOp function) {
  auto add = [&](Value value, bool isFirst) {
    for (auto [axis, dim] : llvm::enumerate(onnx::getDims(value).value_or(DimList()))) {
      collectNames(dim, names);
      if (StringAttr name = dim.getName(); name && isFirst)
        places[name].push_back({value, static_cast<int64_t>(axis)});
    }
  };
  function.walk([&](Block *block) {
    for (BlockArgument argument : block->getArguments())
      add(argument, /*isFirst=*/true);
    for (Operation &op : *block)
      for (Value result : op.getResults())
        add(result, isa<onnx::DataSizedOp, onnx::PrefixOp>(op));
  });
}

StringAttr RunChecks::makeName(MLIRContext *context) {
  for (;; ++number)
    if (auto name = StringAttr::get(context, "read." + Twine(number)); names.insert(name))
      return name;
}

Value RunChecks::guard(OnnxBuilder &b, Value value, Value isWrong) {
  DimList dims = *onnx::getDims(value);
  Value whole = dims.empty() ? b.reshape(value, {1}) : value;
  // As many rows as there are, or -1.
  Value rows = b.sizeOf(whole, 0), less = b.make<onnx::MulOp>({isWrong, b.make<onnx::AddOp>({rows, b.ints(1)})});
  Value count = b.reshape(b.make<onnx::SubOp>({rows, less}), {});
  DimList found = *onnx::getDims(whole);
  found.front() = Dim::named(makeName(b.getContext()));
  Type type = onnx::makeTensorType(found, cast<TensorType>(value.getType()).getElementType());
  Value prefix = onnx::PrefixOp::create(b, TypeRange(type), {whole, count}, ArrayRef<NamedAttribute>{});
  return onnx::ReshapeOp::create(b, value.getType(), ValueRange{prefix, b.make<onnx::ShapeOp>(value)},
                                 ArrayRef<NamedAttribute>{});
}

const RunChecks::Place *RunChecks::find(OnnxBuilder &b, StringAttr name) const {
  auto found = places.find(name);
  if (found == places.end())
    return nullptr;
  Block *block = b.getInsertionBlock();
  Block::iterator here = b.getInsertionPoint();
  const Place *place = llvm::find_if(found->second, [&](Place place) {
    Operation *maker = place.value.getDefiningOp();
    return place.value.getParentBlock() == block && (!maker || here == block->end() || maker->isBeforeInBlock(&*here));
  });
  return place == found->second.end() ? nullptr : place;
}

bool RunChecks::canCompute(OnnxBuilder &b, const Dim &dim) const {
  llvm::SetVector<StringAttr> used;
  collectNames(dim, used);
  return llvm::all_of(used, [&](StringAttr name) { return find(b, name); });
}

Value RunChecks::computeAtom(OnnxBuilder &b, Attribute atom) {
  if (auto name = dyn_cast<StringAttr>(atom)) {
    const Place *place = find(b, name);
    return b.sizeOf(place->value, place->axis);
  }
  if (auto minimum = dyn_cast<DimMinAttr>(atom))
    return b.make<onnx::MinOp>({compute(b, minimum.getDim()), b.ints(0)});
  auto quotient = cast<DimQuotientAttr>(atom);
  Value dividend = compute(b, quotient.getDividend());
  if (!quotient.getDivisor().isStatic()) // of two sizes; runs in which the divisor is 0 are refused
    return b.make<onnx::DivOp>({dividend, compute(b, maxDims(quotient.getDivisor(), 1))});
  // Rounded towards minus infinity, as Mod rounds.
  Value divisor = compute(b, quotient.getDivisor());
  return b.make<onnx::DivOp>({b.make<onnx::SubOp>({dividend, b.make<onnx::ModOp>({dividend, divisor})}), divisor});
}

Value RunChecks::compute(OnnxBuilder &b, const Dim &dim) {
  if (dim.isStatic())
    return b.ints(dim.getSize());
  if (dim.isUnknown() || !canCompute(b, dim))
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
