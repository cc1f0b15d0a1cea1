// --require-sizes: code trusts the relations between sizes that the shape rules state; whoever chooses the sizes must
// be held to them.
#include "passes/Graph/Passes.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/SizeConstraints.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_REQUIRESIZESPASS
#include "passes/Graph/Passes.h.inc"

namespace {

using cameo::Dim;
using onnx::DimList;

class Requirements {
public:
  explicit Requirements(func::FuncOp main) {
    for (BlockArgument input : main.getArguments())
      addNames(input);
    for (auto sized : main.getOps<onnx::DataSizedOp>())
      for (Value result : sized->getResults())
        addNames(result);
    for (auto prefix : main.getOps<onnx::PrefixOp>())
      addNames(prefix.getFirst());
  }

  /// Fails, after an error, for a relation that no run satisfies.
  LogicalResult visit(onnx::OnnxOp op) {
    SmallVector<Type> types;
    onnx::SizeConstraints constraints;
    if (failed(op.inferResultTypes(types, constraints)))
      return failure(); // after the error of the rule
    for (auto [type, result] : llvm::zip_equal(types, op->getResults()))
      requireStated(type, result.getType(), constraints);
    for (const Dim &zero : constraints.getZeros()) {
      if (zero.isStatic() && zero.getSize() != 0)
        return op.emitOpError() << "expected sizes that may be equal, got a difference of " << zero.getSize()
                                << " in every run";
      if (isStated(zero))
        zeros.insert(zero.getExpr());
    }
    for (const Dim &size : constraints.getNonNegatives()) {
      if (size.isStatic() && size.getSize() < 0)
        return op.emitOpError() << "expected sizes of which one is not greater, got a difference of " << size.getSize()
                                << " in every run";
      if (isStated(size) && !isNeverNegative(size))
        sizes.insert(size.getExpr());
    }
    return success();
  }

  /// Sizes that are differences may be negative, and inside of a task nobody would see it.
  void visitSizes(Operation *op) {
    for (Type type : op->getResultTypes())
      for (const Dim &dim : onnx::getDims(type).value_or(DimList()))
        if (isStated(dim) && llvm::any_of(getTerms(dim), [](const DimTerm &term) { return term.coefficient < 0; }))
          sizes.insert(dim.getExpr());
  }

  /// Expressions that must be zero.
  ArrayRef<Attribute> getZeros() const { return zeros.getArrayRef(); }
  /// Expressions that must not be negative.
  ArrayRef<Attribute> getSizes() const { return sizes.getArrayRef(); }

private:
  void addNames(Value value) {
    for (const Dim &dim : onnx::getDims(value).value_or(DimList()))
      collectNames(dim, names);
  }

  /// Whether the dimension has a name and the run knows all that it is made of.
  bool isStated(const Dim &dim) const {
    llvm::SetVector<StringAttr> used;
    collectNames(dim, used);
    return dim.isNamed() && llvm::all_of(used, [&](StringAttr name) { return names.contains(name); });
  }

  /// What the type of a result states is what the rule finds.
  static void requireStated(Type inferred, Type stated, onnx::SizeConstraints &constraints) {
    std::optional<DimList> found = onnx::getDims(inferred), dims = onnx::getDims(stated);
    if (found && dims)
      for (auto [a, b] : llvm::zip_equal(*found, *dims))
        std::ignore = constraints.requireEqual(a, b); // verified
  }

  llvm::SetVector<StringAttr> names; ///< of the inputs, and of sizes that nodes find
  llvm::SetVector<Attribute> zeros, sizes;
};

struct RequireSizes : impl::RequireSizesPassBase<RequireSizes> {
  using RequireSizesPassBase::RequireSizesPassBase;

  /// To what the pass found before, of operations that are gone.
  void add(StringRef name, ArrayRef<Attribute> expressions) {
    llvm::SetVector<Attribute> all;
    if (auto before = getOperation()->getAttrOfType<ArrayAttr>(name))
      all.insert(before.begin(), before.end());
    all.insert(expressions.begin(), expressions.end());
    if (!all.empty())
      getOperation()->setAttr(name, ArrayAttr::get(&getContext(), all.getArrayRef()));
  }

  void runOnOperation() override {
    Requirements requirements(getOperation());
    for (auto op : getOperation().getOps<onnx::OnnxOp>())
      if (failed(requirements.visit(op)))
        return signalPassFailure();
    if (differences)
      for (Operation &op : getOperation().getBody().front())
        requirements.visitSizes(&op);
    add("onnx.zero_sizes", requirements.getZeros());
    add("onnx.sizes", requirements.getSizes());
  }
};

} // namespace
} // namespace cameo
