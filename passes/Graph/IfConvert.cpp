// --if-convert: computes both branches and selects elements where that lets a run on a GPU wait less.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Passes.h"

#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/SizeConstraints.h"
#include "dialects/Task/Predicates.h"
#include "dialects/Task/TaskDialect.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_IFCONVERTPASS
#include "passes/Graph/Passes.h.inc"

namespace {

using Conditions = llvm::DenseSet<Value>;

struct SelectElements : OpRewritePattern<onnx::ChooseOp> {
  SelectElements(MLIRContext *context, const Conditions &kept) : OpRewritePattern(context), kept(kept) {}

  LogicalResult matchAndRewrite(onnx::ChooseOp op, PatternRewriter &rewriter) const override {
    // Branches of different sizes cannot be operands of one Where.
    if (!op.getCounts().empty() || kept.contains(op.getCondition()))
      return failure();
    rewriter.replaceOpWithNewOp<onnx::WhereOp>(op, TypeRange(op.getChosen().getType()), op.getOperands(),
                                               ArrayRef<NamedAttribute>{});
    return success();
  }

  const Conditions &kept;
};

/// Returns the relations between sizes that the shape rule of an operation relies on, as expressions that must be zero.
llvm::DenseSet<Attribute> relationsOf(onnx::OnnxOp op) {
  SmallVector<Type> types;
  onnx::SizeConstraints constraints;
  llvm::DenseSet<Attribute> relations;
  if (succeeded(op.inferResultTypes(types, constraints)))
    for (const Dim &zero : constraints.getZeros())
      if (zero.isNamed())
        relations.insert(zero.getExpr());
  return relations;
}

/// Whether the operation ends some runs, or is executed by the host anyway: checks and counts, functions of the
/// program, loops.
bool isForTakenBranch(Operation &op) { return isa<onnx::PrefixOp, onnx::ExternOp, task::LoopOp>(op); }

/// Returns the conditions of branches that are computed only in the runs that take them. They have operations for taken
/// branches, or rely on relations between sizes on which nothing outside of branches does: a run that takes the other
/// branch need not satisfy them.
Conditions keptConditions(Block &body) {
  task::Predicates predicates(body);
  llvm::DenseSet<Attribute> always;
  for (auto op : body.getOps<onnx::OnnxOp>())
    if (predicates.of(op).empty())
      always.insert_range(relationsOf(op));
  Conditions conditions;
  auto reliesOnMore = [&](Operation &op) {
    auto each = dyn_cast<onnx::OnnxOp>(op);
    return each && !llvm::all_of(relationsOf(each), [&](Attribute relation) { return always.contains(relation); });
  };
  for (Operation &op : body)
    if (ArrayRef<task::Predicate> branch = predicates.of(&op);
        !branch.empty() && (isForTakenBranch(op) || reliesOnMore(op)))
      for (const task::Predicate &predicate : branch)
        conditions.insert(predicate.condition);
  return conditions;
}

struct IfConvertPass : impl::IfConvertPassBase<IfConvertPass> {
  void runOnOperation() override {
    Conditions kept = keptConditions(getOperation().getBody().front());
    RewritePatternSet patterns(&getContext());
    patterns.add<SelectElements>(&getContext(), kept);
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo
