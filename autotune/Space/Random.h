// Random numbers that are the same on every platform: the distributions of the C++ library are not.
#ifndef CAMEO_AUTOTUNE_SPACE_RANDOM_H
#define CAMEO_AUTOTUNE_SPACE_RANDOM_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <utility>

namespace cameo::autotune {

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t mixed = (state += 0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

  /// In [0, bound); bound > 0. The bias is below 2^-32 for the bounds used here.
  uint64_t below(uint64_t bound) { return next() % bound; }
  /// In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  bool chance(double probability) { return uniform() < probability; }

  template <typename T> const T &pick(llvm::ArrayRef<T> from) { return from[below(from.size())]; }

  template <typename Range> void shuffle(Range &range) {
    for (size_t left = range.size(); left > 1; --left)
      std::swap(range[left - 1], range[below(left)]);
  }

  /// A generator of its own for slot number `slot`: what threads draw does not depend on their order.
  Random fork(uint64_t slot) const {
    Random mixed(state ^ (slot + 1) * 0xd1342543de82ef95);
    return Random(mixed.next());
  }

private:
  uint64_t state;
};

} // namespace cameo::autotune

#endif
