// --bound-keys: lets a decoder step read only the keys and values that its cache holds, not its whole capacity.
#include "passes/Graph/OnnxBuilder.h"
#include "passes/Graph/Passes.h"

#include "dialects/Onnx/DimList.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using cameo::Dim;
using cameo::graph::OnnxBuilder;
using cameo::onnx::DimList;

namespace cameo {

#define GEN_PASS_DEF_BOUNDKEYSPASS
#include "passes/Graph/Passes.h.inc"

namespace {

/// With fewer rows a loop with a dynamic trip count gains nothing.
constexpr int64_t kFewestRows = 64;

/// Returns the sequence axis of keys and values.
int64_t rowAxisOf(onnx::AttentionOp op) { return onnx::getDims(op.getK())->size() == 4 ? 2 : 1; }

/// Whether the cache was extended in this run. Then nearly all of its rows are valid.
bool isGrown(Value cache) {
  auto scatter = cache.getDefiningOp<onnx::TensorScatterOp>();
  return scatter && isa_and_nonnull<onnx::ConcatOp>(scatter.getPastCache().getDefiningOp());
}

/// Whether there are so many queries that nearly all rows are read. With static sizes both products and the Softmax
/// stay in one task.
bool isPrompt(onnx::AttentionOp op, const Dim &rows) {
  DimList queries = *onnx::getDims(op.getQ());
  const Dim &count = queries[rowAxisOf(op)];
  return rows.isStatic() && count.isStatic() && count.getSize() > rows.getSize() / 2;
}

/// Whether the lengths limit the rows that the node reads, and the scores of other keys are not a result.
bool mayBound(onnx::AttentionOp op) {
  std::optional<DimList> keys = onnx::getDims(op.getK()), values = onnx::getDims(op.getV()),
                         mask = onnx::getDims(op.getAttnMask());
  if (onnx::isAbsent(op.getNonpadKvSeqlen()) || onnx::getKnownInts(op.getNonpadKvSeqlen()) ||
      !onnx::isAbsent(op.getQkMatmulOutput()) || !keys || !values || !onnx::getDims(op.getQ()))
    return false;
  const Dim &rows = (*keys)[rowAxisOf(op)];
  if (rows.isUnknown() || rows != (*values)[rowAxisOf(op)] || (rows.isStatic() && rows.getSize() < kFewestRows) ||
      isGrown(op.getK()) || isPrompt(op, rows))
    return false;
  return onnx::isAbsent(op.getAttnMask()) || (mask && (mask->empty() || mask->back() == rows || mask->back() == 1));
}

struct BoundKeysPass : impl::BoundKeysPassBase<BoundKeysPass> {
  void runOnOperation() override {
    collectNames();
    counts.clear();
    for (auto op : llvm::make_early_inc_range(getOperation().getOps<onnx::AttentionOp>()))
      if (mayBound(op))
        bound(op);
  }

private:
  void collectNames() {
    names.clear();
    auto add = [&](Value value) {
      for (const Dim &dim : onnx::getDims(value).value_or(DimList()))
        cameo::collectNames(dim, names);
    };
    llvm::for_each(getOperation().getArguments(), add);
    getOperation().walk([&](Operation *op) { llvm::for_each(op->getResults(), add); });
  }

  /// Returns a name that no size has, also not in bodies of loops.
  StringAttr makeName() {
    StringRef function = getOperation().getSymName();
    for (unsigned number = 0;; ++number)
      if (auto name = StringAttr::get(&getContext(), Twine(function) + ".keys." + Twine(number)); names.insert(name))
        return name;
  }

  /// Returns the number of rows of the longest entry as a vector of one element, one for all nodes with the same
  /// lengths.
  Value countRows(OnnxBuilder &b, onnx::AttentionOp op) {
    int64_t axis = rowAxisOf(op);
    Dim rows = (*onnx::getDims(op.getK()))[axis];
    auto known = llvm::find_if(
        counts, [&](const Count &count) { return count.lengths == op.getNonpadKvSeqlen() && count.rows == rows; });
    if (known != counts.end())
      return known->size;
    auto scalar = [&](Value vector) { return b.make<onnx::SqueezeOp>({vector, b.ints(0)}); };
    Value room = scalar(b.sizeOf(op.getK(), axis)), one = scalar(b.ints(1));
    Value longest = b.make<onnx::ReduceMaxOp>({op.getNonpadKvSeqlen(), b.ints(0)}, b.attr("keepdims", int64_t(0)));
    // At least one row: the lengths mask it if there is none.
    Value count = b.make<onnx::MinOp>({b.make<onnx::MaxOp>({longest, one}), room});
    Value numbers = b.make<onnx::RangeOp>({scalar(b.ints(0)), room, one});
    Type type = onnx::makeTensorType({Dim::named(makeName())}, b.getI64Type());
    Value prefix = onnx::PrefixOp::create(b, TypeRange(type), {numbers, count}, ArrayRef<NamedAttribute>{});
    return counts.emplace_back(Count{op.getNonpadKvSeqlen(), rows, b.sizeOf(prefix, 0)}).size;
  }

  void bound(onnx::AttentionOp op) {
    PatternRewriter rewriter(&getContext());
    rewriter.setInsertionPoint(op);
    OnnxBuilder b(rewriter, op.getLoc());
    int64_t axis = rowAxisOf(op);
    Dim rows = (*onnx::getDims(op.getK()))[axis];
    Value size = countRows(b, op);
    op.getKMutable().assign(b.slice(op.getK(), axis, b.ints(0), size));
    op.getVMutable().assign(b.slice(op.getV(), axis, b.ints(0), size));
    std::optional<DimList> mask = onnx::isAbsent(op.getAttnMask()) ? std::nullopt : onnx::getDims(op.getAttnMask());
    if (mask && !mask->empty() && mask->back() == rows)
      op.getAttnMaskMutable().assign(b.slice(op.getAttnMask(), mask->size() - 1, b.ints(0), size));
  }

  struct Count {
    Value lengths;
    Dim rows;
    Value size;
  };
  llvm::SetVector<StringAttr> names;
  SmallVector<Count> counts;
};

} // namespace
} // namespace cameo
