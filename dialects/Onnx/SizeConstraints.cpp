#include "dialects/Onnx/SizeConstraints.h"

#include "dialects/Dim/DimLimits.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

/// Keeps the relation. Its sum is computed on demand, because rules also run at each verification.
LogicalResult SizeConstraints::keep(Relation relation, const Dim &dim, const Dim &other, const Dim &third) {
  bool isOpen = dim.isNamed() || other.isNamed() || third.isNamed(), isOne = dim.isNamed() && dim == other;
  if (isOpen && !isOne && !dim.isUnknown() && !other.isUnknown())
    kept.push_back({relation, dim, other, third});
  return success();
}

LogicalResult SizeConstraints::requireEqual(const Dim &a, const Dim &b) {
  return a.differsFrom(b) ? failure() : keep(Relation::Equal, a, b);
}

LogicalResult SizeConstraints::requireOneOf(const Dim &dim, const Dim &a, const Dim &b) {
  if (dim == a || dim == b)
    return success();
  return dim.differsFrom(a) && dim.differsFrom(b) ? failure() : keep(Relation::OneOf, dim, a, b);
}

LogicalResult SizeConstraints::requireBroadcast(const Dim &dim, const Dim &joint) {
  return dim.isStatic() && dim.getSize() == 1 ? success() : requireEqual(dim, joint);
}

LogicalResult SizeConstraints::requireBroadcast(ArrayRef<Dim> dims, ArrayRef<Dim> joint) {
  if (dims.size() > joint.size())
    return failure();
  for (auto [dim, other] : llvm::zip_equal(dims, joint.take_back(dims.size())))
    if (failed(requireBroadcast(dim, other)))
      return failure();
  return success();
}

LogicalResult SizeConstraints::requireAtLeast(const Dim &dim, const Dim &least) {
  bool isBelow = dim.isStatic() && least.isStatic() && dim.getSize() < least.getSize();
  return isBelow ? failure() : keep(Relation::AtLeast, dim, least);
}

LogicalResult SizeConstraints::requireAtLeastFor(const Dim &count, const Dim &dim, const Dim &least) {
  if (count.isStatic())
    return count.getSize() == 0 ? success() : requireAtLeast(dim, least);
  bool isBelow = dim.isStatic() && least.isStatic() && dim.getSize() < least.getSize();
  if (count.isUnknown() || (dim.isStatic() && least.isStatic() && !isBelow))
    return success();
  return keep(Relation::AtLeastFor, dim, least, count);
}

LogicalResult SizeConstraints::requireMultiple(const Dim &dim, const Dim &divisor) {
  if (divisor.isStatic() && divisor.getSize() == 0)
    return requireEqual(dim, 0);
  if (dim.isStatic() && divisor.isStatic())
    return success(dim.getSize() % divisor.getSize() == 0);
  return divisor.isStatic() && divisor.getSize() == 1 ? success() : keep(Relation::Multiple, dim, divisor);
}

std::vector<Dim> SizeConstraints::getZeros() const {
  std::vector<Dim> zeros;
  for (const Constraint &constraint : kept) {
    const Dim &dim = constraint.dim, &other = constraint.other;
    if (constraint.relation == Relation::Equal)
      zeros.push_back(dim - other);
    else if (constraint.relation == Relation::OneOf)
      zeros.push_back((dim - other) * (dim - constraint.third));
    else if (constraint.relation == Relation::Multiple)
      zeros.push_back(dim - floorDivDims(dim, other) * other);
    else if (constraint.relation == Relation::AtLeastFor) // the missing elements, unless nothing is computed
      zeros.push_back(minDims(constraint.third, 1) * minDims(dim - other, 0));
  }
  return zeros;
}

std::vector<Dim> SizeConstraints::getNonNegatives() const {
  std::vector<Dim> sizes;
  for (const Constraint &constraint : kept)
    if (constraint.relation == Relation::AtLeast)
      sizes.push_back(constraint.dim - constraint.other);
  return sizes;
}
