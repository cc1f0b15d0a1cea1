#include "autotune/Space/KnobSpace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

namespace cameo::autotune {

constexpr unsigned indexBits = 128;

unsigned KnobSpace::defineKnob(llvm::StringRef name, llvm::ArrayRef<int64_t> candidates) {
  Knob knob{name.str(), {}};
  for (int64_t candidate : candidates)
    knob.values.push_back({candidate});
  knobs.push_back(std::move(knob));
  return knobs.size() - 1;
}

static llvm::SmallVector<int64_t> piecesOf(int64_t extent, SplitPolicy policy) {
  llvm::SmallVector<int64_t> pieces;
  for (int64_t piece = 1; piece <= extent; ++piece) {
    bool isFactor = extent % piece == 0, isPower = llvm::isPowerOf2_64(piece);
    if ((isFactor && policy != SplitPolicy::Power2) || (isPower && policy != SplitPolicy::Factors))
      pieces.push_back(piece);
  }
  return pieces;
}

unsigned KnobSpace::defineSplit(llvm::StringRef name, int64_t extent, unsigned outputs, SplitPolicy policy,
                                int64_t maxInnermost) {
  Knob knob{name.str(), {}};
  llvm::SmallVector<int64_t> pieces = piecesOf(extent, policy);
  llvm::SmallVector<int64_t, 4> chosen;
  // Depth first: the last piece is the innermost.
  auto choose = [&](auto &self, int64_t product) -> void {
    if (chosen.size() + 1 == outputs) {
      if (chosen.empty() || chosen.back() <= maxInnermost)
        knob.values.push_back(chosen);
      return;
    }
    for (int64_t piece : pieces) {
      int64_t joined = product * piece;
      if (joined > extent || (policy == SplitPolicy::Factors && extent % joined != 0))
        continue;
      chosen.push_back(piece);
      self(self, joined);
      chosen.pop_back();
    }
  };
  choose(choose, 1);
  knobs.push_back(std::move(knob));
  return knobs.size() - 1;
}

unsigned KnobSpace::defineSplit(llvm::StringRef name, std::vector<llvm::SmallVector<int64_t, 4>> candidates) {
  knobs.push_back({name.str(), std::move(candidates)});
  return knobs.size() - 1;
}

unsigned KnobSpace::defineReorder(llvm::StringRef name, unsigned count, ReorderPolicy policy) {
  Knob knob{name.str(), {}};
  llvm::SmallVector<int64_t, 4> order(count);
  std::iota(order.begin(), order.end(), 0);
  do
    knob.values.push_back(order);
  while (policy == ReorderPolicy::All && std::next_permutation(order.begin(), order.end()));
  knobs.push_back(std::move(knob));
  return knobs.size() - 1;
}

unsigned KnobSpace::defineAnnotate(llvm::StringRef name, AnnotatePolicy policy) {
  switch (policy) {
  case AnnotatePolicy::None:
    return defineKnob(name, {0});
  case AnnotatePolicy::TryUnroll:
    return defineKnob(name, {0, 1});
  case AnnotatePolicy::TryVec:
    return defineKnob(name, {0, 2});
  case AnnotatePolicy::TryUnrollVec:
    return defineKnob(name, {0, 1, 2});
  }
  llvm_unreachable("unknown policy");
}

llvm::APInt KnobSpace::size() const {
  llvm::APInt size(indexBits, 1);
  for (const Knob &knob : knobs)
    size *= knob.values.size();
  return size;
}

KnobPoint KnobSpace::decode(llvm::APInt index) const {
  assert(index.ult(size()) && "the space has no such configuration");
  KnobPoint point;
  for (const Knob &knob : knobs) {
    point.push_back(index.urem(knob.values.size()));
    index = index.udiv(knob.values.size());
  }
  return point;
}

llvm::APInt KnobSpace::encode(const KnobPoint &point) const {
  llvm::APInt index(indexBits, 0);
  for (size_t knob = knobs.size(); knob-- > 0;) {
    index *= knobs[knob].values.size();
    index += point[knob];
  }
  return index;
}

KnobPoint KnobSpace::sample(Random &random) const {
  KnobPoint point;
  for (const Knob &knob : knobs)
    point.push_back(random.below(knob.values.size()));
  return point;
}

KnobPoint KnobSpace::neighbour(const KnobPoint &point, Random &random) const {
  llvm::SmallVector<unsigned> free;
  for (auto [number, knob] : llvm::enumerate(knobs))
    if (knob.values.size() > 1)
      free.push_back(number);
  KnobPoint moved = point;
  if (free.empty())
    return moved;
  unsigned knob = random.pick<unsigned>(free);
  moved[knob] = random.below(knobs[knob].values.size() - 1);
  moved[knob] += moved[knob] >= point[knob];
  return moved;
}

} // namespace cameo::autotune
