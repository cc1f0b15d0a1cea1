// --require-sizes: code trusts the relations between sizes that the shape rules state; whoever chooses the sizes must
// be held to them.
#include "passes/Graph/Passes.h"
#include "passes/Graph/RunChecks.h"
#include "passes/Graph/SeparateBranches.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/SizeConstraints.h"
#include "dialects/Task/Predicates.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

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

  /// With `inBranch`, expressions that must be zero for this operation alone go there. Fails, after an error, for a
  /// relation that no run satisfies.
  LogicalResult visit(onnx::OnnxOp op, SmallVectorImpl<Dim> *inBranch) {
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
      if (!isStated(zero))
        continue;
      if (inBranch)
        inBranch->push_back(zero);
      else
        requireZero(zero);
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

  void requireZero(const Dim &dim) { zeros.insert(dim.getExpr()); }

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
  bool isStated(const Dim &dim) const { return dim.isNamed() && isMadeOf(dim, names); }

  static bool isMadeOf(const Dim &dim, const llvm::SetVector<StringAttr> &names) {
    llvm::SetVector<StringAttr> used;
    collectNames(dim, used);
    return llvm::all_of(used, [&](StringAttr name) { return names.contains(name); });
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

  /// Has a run check in front of an operation of a branch what is zero for it, since runs that take the other one need
  /// not satisfy it. What cannot be computed there, all runs have to in which its sizes are found.
  void checkInBranch(onnx::OnnxOp op, ArrayRef<Dim> zeros, graph::RunChecks &checks, Requirements &requirements) {
    OpOperand *first = llvm::find_if(op->getOpOperands(), [](OpOperand &operand) {
      std::optional<DimList> dims = onnx::isAbsent(operand.get()) ? std::nullopt : onnx::getDims(operand.get());
      return dims && llvm::none_of(*dims, [](const Dim &dim) { return dim.isUnknown(); }) &&
             !onnx::getKnownDims(operand.get());
    });
    PatternRewriter rewriter(&getContext());
    rewriter.setInsertionPoint(op);
    graph::OnnxBuilder b(rewriter, op->getLoc());
    for (const Dim &zero : zeros) {
      Value number = first == op->getOpOperands().end() ? Value() : checks.compute(b, zero);
      if (!number) {
        requirements.requireZero(zero);
        continue;
      }
      Value isEqual = b.cast(b.make<onnx::EqualOp>({number, b.ints(0)}), b.getI64Type());
      first->set(checks.guard(b, first->get(), b.make<onnx::SubOp>({b.ints(1), isEqual})));
    }
  }

  /// What several branches share, and cannot be computed for all sizes, becomes an operation of each: or runs that take
  /// none of them would have to satisfy it.
  LogicalResult separateBranches(Requirements &requirements) {
    if (getOperation().getOps<onnx::ChooseOp>().empty())
      return success();
    SmallPtrSet<Operation *, 8> checked;
    for (auto op : getOperation().getOps<onnx::OnnxOp>()) {
      SmallVector<Dim> zeros;
      if (failed(requirements.visit(op, &zeros)))
        return failure();
      if (!zeros.empty())
        checked.insert(op);
    }
    graph::separateBranches(getOperation().getBody().front(), checked);
    return success();
  }

  void runOnOperation() override {
    Requirements requirements(getOperation());
    if (!differences && failed(separateBranches(requirements)))
      return signalPassFailure();
    task::Predicates predicates(getOperation().getBody().front());
    std::optional<graph::RunChecks> checks;
    for (auto op : llvm::make_early_inc_range(getOperation().getOps<onnx::OnnxOp>())) {
      bool isInBranch = !predicates.of(op).empty();
      SmallVector<Dim> inBranch;
      if (failed(requirements.visit(op, isInBranch ? &inBranch : nullptr)))
        return signalPassFailure();
      // What a branch consists of was checked when it was whole.
      if (inBranch.empty() || differences)
        continue;
      if (!checks)
        checks.emplace(getOperation(), predicates);
      checkInBranch(op, inBranch, *checks, requirements);
    }
    if (differences)
      for (Operation &op : getOperation().getBody().front())
        requirements.visitSizes(&op);
    add("onnx.zero_sizes", requirements.getZeros());
    add("onnx.sizes", requirements.getSizes());
  }
};

} // namespace
} // namespace cameo
