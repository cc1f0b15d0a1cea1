#include "dialects/Onnx/StatedShapes.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

bool cameo::onnx::mayReadOtherShape(OnnxOp op) {
  if (op->getNumRegions() > 0)
    return false;
  auto hasUnknown = [](const std::optional<DimList> &dims) {
    return !dims || llvm::any_of(*dims, [](const Dim &dim) { return dim.isUnknown(); });
  };
  if (auto expand = dyn_cast<ExpandOp>(*op))
    return hasUnknown(getKnownDims(expand.getShape()));
  OwningOpRef<Operation *> bare = op->clone();
  for (Value result : bare->getResults())
    if (!isAbsent(result))
      result.setType(UnrankedTensorType::get(getElementTypeOrSelf(result.getType())));
  SmallVector<Type> types;
  SizeConstraints constraints;
  if (failed(cast<OnnxOp>(*bare).inferResultTypes(types, constraints)))
    return false;
  return llvm::any_of(llvm::zip(types, op->getResults()), [&](auto each) {
    auto [type, result] = each;
    return !isAbsent(result) && hasUnknown(getDims(type));
  });
}

void cameo::onnx::fillStated(DimList &dims, Value result) {
  std::optional<DimList> stated = getDims(result);
  if (!stated || stated->size() != dims.size())
    return;
  for (auto [dim, other] : llvm::zip_equal(dims, *stated))
    if (dim.isUnknown())
      dim = other;
}

namespace {

/// Finds all ways to drop dimensions of `from` so that `to` remains. A name may have the value of a number; different
/// names are different sizes.
class DroppedAxes {
public:
  DroppedAxes(ArrayRef<Dim> from, ArrayRef<Dim> to, bool onlyOnes) : from(from), to(to), onlyOnes(onlyOnes) {}

  /// Returns the dropped dimensions; nothing if there is no way or more than one.
  std::optional<SmallVector<int64_t>> find() {
    match(0, 0, {});
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
  }

private:
  void match(size_t at, size_t next, SmallVector<int64_t> dropped) {
    if (found.size() > 1)
      return;
    if (at == from.size()) {
      if (next == to.size())
        found.push_back(dropped);
      return;
    }
    if (next < to.size() && (from[at] == to[next] || from[at].isStatic() != to[next].isStatic()))
      match(at + 1, next + 1, dropped);
    if (onlyOnes && from[at].differsFrom(1))
      return;
    dropped.push_back(at);
    match(at + 1, next, dropped);
  }

  ArrayRef<Dim> from, to;
  bool onlyOnes;
  SmallVector<SmallVector<int64_t>> found;
};

/// Requires that the dimensions of `from` that are not dropped equal those of `to`.
void requireKept(SizeConstraints &sizes, ArrayRef<Dim> from, ArrayRef<Dim> to, ArrayRef<int64_t> dropped) {
  for (auto [axis, dim] : llvm::enumerate(from))
    if (!llvm::is_contained(dropped, int64_t(axis))) {
      std::ignore = sizes.requireEqual(dim, to.front()); // they match
      to = to.drop_front();
    }
}

} // namespace

std::optional<SmallVector<int64_t>> cameo::onnx::inferReducedAxes(ArrayRef<Dim> from, ArrayRef<Dim> to, bool keepDims) {
  if (!keepDims)
    return DroppedAxes(from, to, /*onlyOnes=*/false).find();
  if (from.size() != to.size())
    return std::nullopt;
  // An axis of size 1 may count as reduced or not, because the elements are the same either way; only composite
  // reductions over no axes would differ, and these are applied to every element anyway.
  SmallVector<int64_t> axes;
  for (unsigned axis = 0; axis < from.size(); ++axis) {
    if (from[axis] == to[axis])
      continue;
    if (to[axis] == 1)
      axes.push_back(axis);
    else if (!to[axis].isStatic())
      return std::nullopt; // it may be 1 at run time
  }
  return axes;
}

void cameo::onnx::requireReduced(SizeConstraints &sizes, ArrayRef<Dim> from, ArrayRef<Dim> to, bool keepDims) {
  std::optional<SmallVector<int64_t>> axes = inferReducedAxes(from, to, keepDims);
  if (!axes)
    return;
  if (!keepDims)
    return requireKept(sizes, from, to, *axes);
  for (auto [axis, dim] : llvm::enumerate(from))
    if (!llvm::is_contained(*axes, int64_t(axis)))
      std::ignore = sizes.requireEqual(dim, to[axis]); // a mismatch in all runs has no lowering
}

void cameo::onnx::requireSqueezed(SizeConstraints &sizes, ArrayRef<Dim> from, ArrayRef<Dim> to) {
  std::ignore = sizes.requireEqual(productOf(from), productOf(to));
  std::optional<SmallVector<int64_t>> dropped = DroppedAxes(from, to, /*onlyOnes=*/true).find();
  if (!dropped)
    return;
  requireKept(sizes, from, to, *dropped);
  for (int64_t axis : *dropped)
    std::ignore = sizes.requireEqual(from[axis], 1); // checked
}
