// Buffers are aligned to 16 bytes, so an access is aligned if all terms of its address are.
#include "passes/Schedule/Emission/Gpu/LaneEvaluator.h"

#include "passes/Schedule/Emission/Gpu/Pointers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

int64_t Lanes::countAlong(unsigned along) const {
  auto *other = llvm::find_if(others, [&](const Loop &each) { return each.dim == along; });
  return other != others.end() ? other->size : along == dim ? count : 1;
}

int64_t Lanes::points() const {
  int64_t all = count;
  for (const Loop &other : others)
    all *= other.size;
  return all;
}

std::vector<Point> Lanes::pointsFrom(const Point &first) const {
  std::vector<Point> all = {first};
  auto repeat = [&](unsigned along, int64_t times) {
    for (size_t number = 0, before = all.size(); number < before * (times - 1); ++number)
      ++all.emplace_back(all[all.size() - before])[along];
  };
  if (count > 1)
    repeat(dim, count);
  for (const Loop &other : others)
    repeat(other.dim, other.size);
  return all;
}

/// Returns nothing if places are not known.
LaneEvaluator::Elements LaneEvaluator::elementsOf(const LinearForm &form, const Point &first) const {
  Elements elements;
  for (Point &point : lanes.pointsFrom(first)) {
    Size constant = constantPart(form, point);
    if (!constant.isKnown())
      return {};
    elements.emplace(int64_t(constant), std::move(point));
  }
  return elements;
}

/// Returns the number of elements, at most those of one access, that divides all addresses of `form` in `buffer`
/// without their constant parts.
int64_t LaneEvaluator::alignmentOf(const LinearForm &form, unsigned buffer) const {
  auto divides = static_cast<uint64_t>(mostLanes(cast<MemRefType>(buffers[buffer].getType()).getElementType()));
  for (auto [coefficient, position] : llvm::zip_equal(form.coefficients, positions))
    for (auto [value, scale] : position.terms) {
      if (!coefficient.isKnown())
        return 1;
      divides |= static_cast<uint64_t>(int64_t(coefficient) * scale);
    }
  return static_cast<int64_t>(divides & -divides);
}

std::pair<int64_t, int64_t> LaneEvaluator::accessAt(int64_t place, const Elements &elements, int64_t alignment) {
  for (int64_t width = alignment; width > 1; width /= 2) {
    int64_t begin = place - llvm::mod(place, width);
    if (llvm::all_of(llvm::seq(width), [&](int64_t each) { return elements.contains(begin + each); }))
      return {begin, width};
  }
  return {place, 1};
}

/// Returns the element of `vector` that lies `offset` behind that of the thread's first point.
Value LaneEvaluator::loadShared(NodeId load, const BlockVector &vector, int64_t offset) {
  Type type = nest.nodes[load].type;
  int64_t width = vector.dim == lanes.dim ? std::min({lanes.count, mostLanes(type), vector.aligned}) : 1,
          lane = offset % width;
  Value at = indexConstant(offset - lane);
  if (vector.first)
    at = arith::AddIOp::create(builder, loc, vector.first, at);
  if (width == 1)
    return memref::LoadOp::create(builder, loc, vector.memory, at);
  Value &loaded = vectors[{load, offset - lane, width}];
  if (!loaded)
    loaded = vector::LoadOp::create(builder, loc, VectorType::get({width}, type), vector.memory, at,
                                    /*nontemporal=*/false, llvm::MaybeAlign(width * bytesOfElement(type)));
  return vector::ExtractOp::create(builder, loc, loaded, lane);
}

Value LaneEvaluator::load(const Node &node, const Point &point) {
  NodeId id = &node - nest.nodes.data();
  if (const BlockVector *own = vectorsOfBlock ? vectorsOfBlock->find(id) : nullptr)
    return loadShared(id, *own, point[own->dim]);
  if (lanes.points() == 1 || node.shared || node.type.isInteger(1))
    return NodeEvaluator::load(node, point);
  Point first = point;
  for (auto [dim, offset] : llvm::enumerate(first))
    offset = offset / lanes.countAlong(dim) * lanes.countAlong(dim);
  Elements elements = elementsOf(node.address, first);
  if (elements.empty())
    return NodeEvaluator::load(node, point);
  auto place = int64_t(constantPart(node.address, point));
  auto [begin, width] = accessAt(place, elements, alignmentOf(node.address, node.buffer));
  if (width == 1)
    return NodeEvaluator::load(node, point);
  Value &vector = vectors[{id, begin, width}];
  if (!vector)
    vector = vector::LoadOp::create(builder, loc, VectorType::get({width}, node.type), buffers[node.buffer],
                                    address(node.address, elements.at(begin)), /*nontemporal=*/false,
                                    llvm::MaybeAlign(width * bytesOfElement(node.type)));
  return vector::ExtractOp::create(builder, loc, vector, place - begin);
}

void LaneEvaluator::loadLanes(const Point &first) {
  for (NodeId load : nest.loads(/*insideReduction=*/false))
    if (nest.nodes[load].kind == Node::Kind::Load)
      for (const Point &point : lanes.pointsFrom(first))
        evaluate(load, point, {});
}

void LaneEvaluator::prefetch(const Node &node, const Point &point) {
  Value place = pointerTo(builder, loc, buffers[node.buffer], address(node.address, point), bytesOfElement(node.type),
                          NVVM::NVVMMemorySpace::Global);
  NVVM::PrefetchOp::create(builder, loc,
                           NVVM::PrefetchCacheLevelAttr::get(builder.getContext(), NVVM::PrefetchCacheLevel::L2),
                           NVVM::CacheEvictionPriorityAttr(), place, /*predicate=*/Value(), /*tensormap=*/UnitAttr());
}

void LaneEvaluator::storeLanes(const Output &output, const Point &first, ArrayRef<SmallVector<Value>> accumulators) {
  Type type = nest.nodes[output.value].type;
  Elements elements;
  if (lanes.points() > 1 && !output.index && !type.isInteger(1))
    elements = elementsOf(output.address, first);
  int64_t alignment = elements.empty() ? 1 : alignmentOf(output.address, output.buffer);
  std::map<int64_t, Value> values; // by the places of elements that are stored with others
  for (auto [point, own] : llvm::zip_equal(lanes.pointsFrom(first), accumulators)) {
    int64_t place = alignment > 1 ? int64_t(constantPart(output.address, point)) : 0;
    if (alignment > 1 && accessAt(place, elements, alignment).second > 1)
      values[place] = evaluate(output.value, point, own);
    else
      store(output, point, own);
  }
  for (auto value = values.begin(); value != values.end();) {
    auto [begin, width] = accessAt(value->first, elements, alignment);
    SmallVector<Value> whole;
    for (int64_t lane = 0; lane < width; ++lane, ++value)
      whole.push_back(value->second);
    Value vector = vector::FromElementsOp::create(builder, loc, VectorType::get({width}, type), whole);
    vector::StoreOp::create(builder, loc, vector, buffers[output.buffer], address(output.address, elements.at(begin)),
                            /*nontemporal=*/false, llvm::MaybeAlign(width * bytesOfElement(type)));
  }
}

} // namespace cameo::schedule
