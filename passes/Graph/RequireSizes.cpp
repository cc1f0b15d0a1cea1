// --require-sizes collects the relations between sizes on which the shape rules rely, because the generated code
// assumes them and the caller may choose other sizes.
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

  /// Collects the relations of an operation. With `inBranch`, appends the expressions that must be zero to it instead,
  /// because only runs that execute the operation must satisfy them. Fails after an error for a relation that no run
  /// satisfies.
  LogicalResult visit(onnx::OnnxOp op, SmallVectorImpl<Dim> *inBranch) {
    SmallVector<Type> types;
    onnx::SizeConstraints constraints;
    if (failed(op.inferResultTypes(types, constraints)))
      return failure(); // the rule has emitted an error
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

  /// Requires that result dimensions with a subtracted term are not negative, because nothing inside a task checks
  /// them.
  void visitSizes(Operation *op) {
    for (Type type : op->getResultTypes())
      for (const Dim &dim : onnx::getDims(type).value_or(DimList()))
        if (isStated(dim) && llvm::any_of(getTerms(dim), [](const DimTerm &term) { return term.coefficient < 0; }))
          sizes.insert(dim.getExpr());
  }

  /// Returns the expressions that must be zero.
  ArrayRef<Attribute> getZeros() const { return zeros.getArrayRef(); }
  /// Returns the expressions that must not be negative.
  ArrayRef<Attribute> getSizes() const { return sizes.getArrayRef(); }

private:
  void addNames(Value value) {
    for (const Dim &dim : onnx::getDims(value).value_or(DimList()))
      collectNames(dim, names);
  }

  /// Whether the dimension is an expression of names that all have values at run time.
  bool isStated(const Dim &dim) const { return dim.isNamed() && isMadeOf(dim, names); }

  static bool isMadeOf(const Dim &dim, const llvm::SetVector<StringAttr> &names) {
    llvm::SetVector<StringAttr> used;
    collectNames(dim, used);
    return llvm::all_of(used, [&](StringAttr name) { return names.contains(name); });
  }

  /// Requires that the dimensions of the stated type of a result equal those that its shape rule infers.
  static void requireStated(Type inferred, Type stated, onnx::SizeConstraints &constraints) {
    std::optional<DimList> found = onnx::getDims(inferred), dims = onnx::getDims(stated);
    if (found && dims)
      for (auto [a, b] : llvm::zip_equal(*found, *dims))
        std::ignore = constraints.requireEqual(a, b); // the verifier has already reported contradictions
  }

  llvm::SetVector<StringAttr> names; ///< names in dimensions of inputs, and of data-dependent sizes
  llvm::SetVector<Attribute> zeros, sizes;
};

struct RequireSizes : impl::RequireSizesPassBase<RequireSizes> {
  using RequireSizesPassBase::RequireSizesPassBase;

  /// Adds expressions to those of an earlier run of the pass, whose operations may have been replaced since.
  void add(StringRef name, ArrayRef<Attribute> expressions) {
    llvm::SetVector<Attribute> all;
    if (auto before = getOperation()->getAttrOfType<ArrayAttr>(name))
      all.insert(before.begin(), before.end());
    all.insert(expressions.begin(), expressions.end());
    if (!all.empty())
      getOperation()->setAttr(name, ArrayAttr::get(&getContext(), all.getArrayRef()));
  }

  /// Creates checks before an operation in a branch that each of `zeros` is zero, because runs that take the other
  /// branch need not satisfy this. An expression that cannot be computed there becomes a requirement for all runs.
  void checkInBranch(onnx::OnnxOp op, ArrayRef<Dim> zeros, graph::RunChecks &checks, Requirements &requirements) {
    OpOperand *first = llvm::find_if(op->getOpOperands(), [](OpOperand &operand) {
      std::optional<DimList> dims = onnx::isAbsent(operand.get()) ? std::nullopt : onnx::getDims(operand.get());
      return dims && onnx::areKnown(*dims) && !onnx::getKnownDims(operand.get());
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

  /// Gives each branch its own copy of operations with relations that several branches share. Otherwise runs that take
  /// none of these branches would have to satisfy the relations.
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
      // With `differences`, an earlier run of the pass has created the checks in branches.
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
