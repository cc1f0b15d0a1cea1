// Two vectors become one that has half of the lanes for each, until a vector has a part of all: 4 vectors of 16 lanes
// take 8 shuffles, and 16 one by one.
#include "passes/Schedule/Emission/Cpu/CombineLanes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// A vector whose lanes are equal parts, each with partial results of one of the vectors.
struct Parts {
  Value vector;
  SmallVector<unsigned> owners; ///< the numbers of these vectors
};

class LaneCombiner {
public:
  LaneCombiner(OpBuilder &builder, Location loc, vector::CombiningKind kind, arith::FastMathFlagsAttr flags,
               VectorType type)
      : builder(builder), loc(loc), kind(kind), flags(flags), lanes(type.getNumElements()),
        lanesOfUnit(std::min<int64_t>(lanes, unitBits / type.getElementTypeBitWidth())) {}

  Parts combinePair(const Parts &one, const Parts &other) const;
  Value combineHalves(const Parts &parts) const;

private:
  /// Shuffles within 128 bits, and of whole ones, are single instructions.
  static constexpr int64_t unitBits = 128;

  Value combine(Value left, Value right) const {
    return vector::makeArithReduction(builder, loc, kind, left, right, flags);
  }

  OpBuilder &builder;
  Location loc;
  vector::CombiningKind kind;
  arith::FastMathFlagsAttr flags;
  int64_t lanes, lanesOfUnit;
};

} // namespace

/// Returns the parts of both vectors, half as wide: of each unit those of `one`, then those of `other`.
Parts LaneCombiner::combinePair(const Parts &one, const Parts &other) const {
  int64_t width = lanes / std::ssize(one.owners), half = width / 2, unit = width > lanesOfUnit ? lanes : lanesOfUnit;
  SmallVector<int64_t> low, high;
  Parts pair;
  for (int64_t first = 0; first < lanes; first += unit)
    for (auto [parts, offset] : {std::pair(&one, int64_t(0)), std::pair(&other, lanes)})
      for (int64_t part = first; part < first + unit; part += width) {
        pair.owners.push_back(parts->owners[part / width]);
        for (int64_t lane = part; lane < part + half; ++lane) {
          low.push_back(offset + lane);
          high.push_back(offset + lane + half);
        }
      }
  Value lower = vector::ShuffleOp::create(builder, loc, one.vector, other.vector, low);
  Value upper = vector::ShuffleOp::create(builder, loc, one.vector, other.vector, high);
  pair.vector = combine(lower, upper);
  return pair;
}

/// Returns a vector whose first lane of each part has the result of the part.
Value LaneCombiner::combineHalves(const Parts &parts) const {
  Value combined = parts.vector;
  for (int64_t half = lanes / std::ssize(parts.owners) / 2; half > 0; half /= 2) {
    SmallVector<int64_t> upper;
    for (int64_t lane = 0; lane < lanes; ++lane)
      upper.push_back(lane ^ half);
    combined = combine(combined, vector::ShuffleOp::create(builder, loc, combined, combined, upper));
  }
  return combined;
}

SmallVector<Value> combineLanes(OpBuilder &builder, Location loc, vector::CombiningKind kind,
                                arith::FastMathFlagsAttr flags, ArrayRef<Value> vectors, Value initial) {
  auto type = cast<VectorType>(vectors.front().getType());
  LaneCombiner combiner(builder, loc, kind, flags, type);
  int64_t lanes = type.getNumElements();
  SmallVector<Value> results(vectors.size());
  for (size_t first = 0; first < vectors.size();) {
    auto count = static_cast<size_t>(
        llvm::bit_floor(static_cast<uint64_t>(std::min<int64_t>(lanes, static_cast<int64_t>(vectors.size() - first)))));
    if (count == 1) { // in vectors that become shorter
      auto free = flags.getValue() | arith::FastMathFlags::reassoc;
      results[first] = vector::ReductionOp::create(builder, loc, kind, vectors[first], initial, free);
      break;
    }
    SmallVector<Parts> left;
    for (size_t number = first; number < first + count; ++number)
      left.push_back({vectors[number], {static_cast<unsigned>(number)}});
    while (left.size() > 1) {
      SmallVector<Parts> pairs;
      for (size_t number = 0; number < left.size(); number += 2)
        pairs.push_back(combiner.combinePair(left[number], left[number + 1]));
      left = std::move(pairs);
    }
    Value combined = combiner.combineHalves(left.front());
    combined = vector::makeArithReduction(builder, loc, kind, combined,
                                          vector::BroadcastOp::create(builder, loc, type, initial), flags);
    // Side by side, so that functions of the results can be vectors again.
    SmallVector<int64_t> places(count);
    for (auto [part, owner] : llvm::enumerate(left.front().owners))
      places[owner - first] = static_cast<int64_t>(part) * lanes / static_cast<int64_t>(count);
    Value together = vector::ShuffleOp::create(builder, loc, combined, combined, places);
    for (size_t number = 0; number < count; ++number)
      results[first + number] = vector::ExtractOp::create(builder, loc, together, static_cast<int64_t>(number));
    first += count;
  }
  return results;
}

} // namespace cameo::schedule
