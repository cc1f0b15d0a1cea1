// Two accesses are proved disjoint by their strides: if strides nest like the digits of a number, the elements of an
// access form a box, and two boxes are disjoint if they are disjoint in one digit.
#include "passes/Schedule/Nests/IndependentNests.h"

#include <map>

namespace cameo::schedule {
namespace {

/// The elements that a nest accesses at one address: the range of addresses, and for each stride the number of steps.
struct Footprint {
  Reach<int64_t> reach;
  std::map<int64_t, int64_t, std::greater<>> steps;
  bool isBox = true; ///< no two dimensions have the same stride

  Footprint(const LoopNest &nest, const LinearForm &address) : reach(nest.reach<int64_t>(address)) {
    for (auto [coefficient, dimension] : llvm::zip_equal(address.coefficients, nest.dims)) {
      int64_t most = dimension.extent - 1;
      if (coefficient == 0 || most <= 0)
        continue;
      isBox &= steps.try_emplace(std::abs(coefficient), most).second;
    }
  }

  /// Splits dimensions that were merged, so that no digit exceeds the next larger one of `strides` (sorted, largest
  /// first). Example: 64 neighbours become two columns of 32 channels.
  void divideAt(llvm::ArrayRef<int64_t> strides) {
    for (size_t level = strides.size(); level-- > 1;) {
      auto own = steps.find(strides[level]);
      int64_t next = strides[level - 1], count = next / strides[level];
      if (own == steps.end() || next % strides[level] != 0 || own->second < count || (own->second + 1) % count != 0)
        continue;
      if (steps.try_emplace(next, (own->second + 1) / count - 1).second)
        own->second = count - 1;
    }
  }
};

/// Returns the first and the last value of the digit of every stride, largest stride first. Returns nothing if a digit
/// overflows into the next larger one.
std::optional<std::vector<std::pair<int64_t, int64_t>>> digitsOf(const Footprint &footprint, int64_t from,
                                                                 llvm::ArrayRef<int64_t> strides) {
  std::vector<std::pair<int64_t, int64_t>> digits;
  int64_t rest = footprint.reach.least - from;
  for (int64_t stride : strides) {
    auto found = footprint.steps.find(stride);
    int64_t digit = rest / stride;
    digits.emplace_back(digit, digit + (found == footprint.steps.end() ? 0 : found->second));
    rest %= stride;
  }
  int64_t reached = rest;
  for (size_t level = strides.size(); level-- > 1;) {
    reached += digits[level].second * strides[level];
    if (reached >= strides[level - 1])
      return std::nullopt;
  }
  return digits;
}

/// Whether the elements differ in the digit of a stride, where digits are counted from address `from` on.
bool areApartFrom(const Footprint &a, const Footprint &b, int64_t from, llvm::ArrayRef<int64_t> strides) {
  auto ours = digitsOf(a, from, strides), theirs = digitsOf(b, from, strides);
  return ours && theirs && llvm::any_of(llvm::zip_equal(*ours, *theirs), [](auto pair) {
           auto [one, other] = pair;
           return one.second < other.first || other.second < one.first;
         });
}

bool areApart(Footprint a, Footprint b) {
  if (a.reach.greatest < b.reach.least || b.reach.greatest < a.reach.least)
    return true;
  if (!a.isBox || !b.isBox)
    return false;
  auto both = a.steps;
  both.insert(b.steps.begin(), b.steps.end());
  both.try_emplace(1, 0);
  llvm::SmallVector<int64_t> strides;
  for (auto [stride, steps] : both)
    strides.push_back(stride);
  a.divideAt(strides);
  b.divideAt(strides);
  // Digits often begin with those of the buffer, as the rows of a padded plane do. Counted from the lower one of two
  // addresses inside of a row, those of the other may overflow.
  int64_t least = std::min(a.reach.least, b.reach.least);
  return areApartFrom(a, b, least, strides) || (least > 0 && areApartFrom(a, b, 0, strides));
}

/// Whether `other` accesses no element that `nest` writes.
bool isUntouched(const LoopNest &nest, const LoopNest &other) {
  for (const Output &output : nest.outputs) {
    Footprint written(nest, output.address);
    bool isTouched = false;
    forEachAccess(other, [&](unsigned buffer, const LinearForm &address, bool isIndirect) {
      isTouched |=
          buffer == output.buffer && (isIndirect || output.index || !areApart(written, Footprint(other, address)));
    });
    if (isTouched)
      return false;
  }
  return true;
}

} // namespace

bool areApart(const LoopNest &nest, const LinearForm &address, const LoopNest &other, const LinearForm &otherAddress) {
  return nest.hasKnownSizes() && other.hasKnownSizes() &&
         areApart(Footprint(nest, address), Footprint(other, otherAddress));
}

bool areIndependent(const LoopNest &first, const LoopNest &second) {
  return first.hasKnownSizes() && second.hasKnownSizes() && isUntouched(first, second) && isUntouched(second, first);
}

bool areIndependent(const NestGroup &first, const NestGroup &second) {
  return llvm::all_of(first.nests, [&](const LoopNest &nest) {
    return llvm::all_of(second.nests, [&](const LoopNest &other) { return areIndependent(nest, other); });
  });
}

bool isLongLoop(const NestGroup &group, double shareCycles) {
  // Iterations per cycle, as lanes of a vector.
  constexpr double lanes = 16;
  if (!group.isLoop())
    return false;
  double steps = 0;
  for (const LoopNest &nest : group.nests) {
    double own = 1;
    for (const Dimension &dimension : nest.dims)
      own *= static_cast<double>(int64_t(dimension.extent));
    steps += own;
  }
  return steps >= shareCycles * lanes;
}

bool isAlone(const NestGroup &group) { return group.rowDims == 0 && group.nests.size() == 1; }

} // namespace cameo::schedule
