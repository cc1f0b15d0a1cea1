// Buffers are aligned to 16 bytes, so an access is aligned if all terms of its address are.
#include "passes/Schedule/Emission/Gpu/LaneEvaluator.h"

#include "passes/Schedule/Emission/Gpu/Pointers.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

static int64_t bytesOfElement(Type type) { return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8); }

int64_t mostLanes(Type type) {
  constexpr int64_t accessBytes = 16;
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() >= 8 && llvm::isPowerOf2_32(type.getIntOrFloatBitWidth())
             ? std::max<int64_t>(accessBytes / bytesOfElement(type), 1)
             : 1;
}

int64_t LaneEvaluator::widthOf(const LinearForm &form, const Point &first, unsigned buffer) const {
  auto type = cast<MemRefType>(buffers[buffer].getType());
  int64_t width = std::min(lanes.count, mostLanes(type.getElementType()));
  if (width == 1 || form.coefficients[lanes.dim] != 1)
    return 1;
  Size constant = constantPart(form, first);
  if (!constant.isKnown())
    return 1;
  uint64_t divides = static_cast<uint64_t>(width) | static_cast<uint64_t>(int64_t(constant));
  for (auto [coefficient, position] : llvm::zip_equal(form.coefficients, positions))
    for (auto [value, scale] : position.terms) {
      if (!coefficient.isKnown())
        return 1;
      divides |= static_cast<uint64_t>(int64_t(coefficient) * scale);
    }
  return static_cast<int64_t>(divides & -divides);
}

Value LaneEvaluator::load(const Node &node, const Point &point) {
  if (lanes.count == 1)
    return NodeEvaluator::load(node, point);
  Point first = point;
  first[lanes.dim] = point[lanes.dim] / lanes.count * lanes.count;
  int64_t width = node.shared || node.type.isInteger(1) ? 1 : widthOf(node.address, first, node.buffer);
  if (width == 1)
    return NodeEvaluator::load(node, point);
  int64_t lane = point[lanes.dim] % width;
  first[lanes.dim] = point[lanes.dim] - lane;
  Value &vector = vectors[{&node - nest.nodes.data(), constantPart(node.address, first)}];
  if (!vector)
    vector = vector::LoadOp::create(builder, loc, VectorType::get({width}, node.type), buffers[node.buffer],
                                    address(node.address, first), /*nontemporal=*/false,
                                    llvm::MaybeAlign(width * bytesOfElement(node.type)));
  return vector::ExtractOp::create(builder, loc, vector, lane);
}

void LaneEvaluator::loadLanes(const Point &first) {
  for (NodeId load : nest.loads(/*insideReduction=*/false)) {
    if (nest.nodes[load].kind != Node::Kind::Load)
      continue;
    Point point = first;
    for (int64_t lane = 0; lane < lanes.count; ++lane) {
      if (lanes.count > 1)
        point[lanes.dim] = first[lanes.dim] + lane;
      evaluate(load, point, {});
    }
  }
}

void LaneEvaluator::prefetch(const Node &node, const Point &point) {
  Value place = pointerTo(builder, loc, buffers[node.buffer], address(node.address, point), bytesOfElement(node.type),
                          NVVM::NVVMMemorySpace::Global);
  NVVM::PrefetchOp::create(builder, loc,
                           NVVM::PrefetchCacheLevelAttr::get(builder.getContext(), NVVM::PrefetchCacheLevel::L2),
                           NVVM::CacheEvictionPriorityAttr(), place, /*predicate=*/Value(), /*tensormap=*/UnitAttr());
}

void LaneEvaluator::storeLanes(const Output &output, const Point &first, ArrayRef<SmallVector<Value>> accumulators) {
  // A nest may have no dimensions.
  if (lanes.count == 1)
    return store(output, first, accumulators.front());
  Type type = nest.nodes[output.value].type;
  int64_t width = output.index || type.isInteger(1) ? 1 : widthOf(output.address, first, output.buffer);
  Point point = first;
  SmallVector<Value> values;
  for (int64_t lane = 0; lane < lanes.count; ++lane) {
    point[lanes.dim] = first[lanes.dim] + lane;
    if (width == 1)
      store(output, point, accumulators[lane]);
    else
      values.push_back(evaluate(output.value, point, accumulators[lane]));
  }
  for (int64_t lane = 0; width > 1 && lane < lanes.count; lane += width) {
    point[lanes.dim] = first[lanes.dim] + lane;
    Value vector = vector::FromElementsOp::create(builder, loc, VectorType::get({width}, type),
                                                  ArrayRef(values).slice(lane, width));
    vector::StoreOp::create(builder, loc, vector, buffers[output.buffer], address(output.address, point),
                            /*nontemporal=*/false, llvm::MaybeAlign(width * bytesOfElement(type)));
  }
}

} // namespace cameo::schedule
