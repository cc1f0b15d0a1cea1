#include "passes/Graph/RunChecks.h"

#include "dialects/Onnx/DimLimits.h"
#include "dialects/Onnx/DimList.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::graph;
using onnx::Dim;
using onnx::DimAtom;
using onnx::DimList;

RunChecks::RunChecks(func::FuncOp function) {
  function.walk([&](Block *block) {
    auto add = [&](Value value) {
      for (const Dim &dim : onnx::getDims(value).value_or(DimList()))
        onnx::collectNames(dim, names);
    };
    llvm::for_each(block->getArguments(), add);
    for (Operation &op : *block)
      llvm::for_each(op.getResults(), add);
  });
  for (BlockArgument input : function.getArguments())
    for (auto [axis, dim] : llvm::enumerate(onnx::getDims(input).value_or(DimList())))
      if (dim.isNamed())
        places.try_emplace(dim.getName(), Place{input, static_cast<int64_t>(axis)});
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

Value RunChecks::computeAtom(OnnxBuilder &b, const DimAtom &atom) {
  if (!atom.name.empty()) {
    StringAttr name = b.getStringAttr(atom.name);
    if (std::optional<onnx::SizeQuotient> quotient = onnx::getQuotient(name))
      return b.make<onnx::DivOp>({compute(b, quotient->dividend), compute(b, onnx::maxDims(quotient->divisor, 1))});
    const Place &place = places.find(name)->second;
    return b.sizeOf(place.value, place.axis);
  }
  Value dividend = compute(b, atom.dividend);
  if (atom.divisor == 0)
    return b.make<onnx::MinOp>({dividend, b.ints(0)});
  // Rounded towards minus infinity, as Mod rounds.
  Value divisor = b.ints(atom.divisor);
  return b.make<onnx::DivOp>({b.make<onnx::SubOp>({dividend, b.make<onnx::ModOp>({dividend, divisor})}), divisor});
}

Value RunChecks::compute(OnnxBuilder &b, const Dim &dim) {
  if (dim.isStatic())
    return b.ints(dim.getSize());
  std::optional<std::vector<onnx::DimTerm>> terms = onnx::getTerms(dim);
  llvm::SetVector<StringAttr> used;
  onnx::collectNames(dim, used);
  if (!terms || llvm::any_of(used, [&](StringAttr name) { return !places.contains(name); }))
    return {};
  Value sum = b.ints(0);
  for (const onnx::DimTerm &term : *terms) {
    Value product = b.ints(term.coefficient);
    for (const DimAtom &atom : term.atoms)
      product = b.make<onnx::MulOp>({product, computeAtom(b, atom)});
    sum = b.make<onnx::AddOp>({sum, product});
  }
  return sum;
}
