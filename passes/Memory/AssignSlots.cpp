// Blocks share whole slots, not parts of slots: the offset of a part would be another, longer expression.
#include "passes/Memory/AssignSlots.h"

#include "dialects/Dim/DimLimits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace cameo {
namespace {

/// Whether a <= b for all dynamic sizes, that is, whether all terms of b - a are never negative. The terms are not
/// sorted into an expression, because a chain of sizes compares each of them with all sizes of a slot.
bool isAtMost(const Dim &a, const Dim &b) {
  if (a.isUnknown() || b.isUnknown())
    return false;
  llvm::SmallDenseMap<ArrayAttr, int64_t, 8> difference;
  for (const DimTerm &term : getTerms(b))
    difference[term.product] = term.coefficient;
  for (const DimTerm &term : getTerms(a)) {
    int64_t &rest = difference[term.product];
    if (llvm::SubOverflow(rest, term.coefficient, rest))
      return false;
  }
  return llvm::all_of(difference, [](const auto &each) { return each.second >= 0; }) &&
         llvm::all_of(difference, [](const auto &each) {
           ArrayAttr product = each.first;
           return each.second == 0 || !product ||
                  isNeverNegative(DimExprAttr::get(product.getContext(), DimTerm{1, product}));
         });
}

struct Slot {
  SlotSizes sizes;
  double typical = 0;
  std::vector<const SlotBlock *> blocks;

  bool isFreeFor(const SlotBlock &block) const {
    return llvm::none_of(
        blocks, [&](const SlotBlock *other) { return block.first <= other->last && other->first <= block.last; });
  }
  bool holds(const Dim &bytes) const {
    return llvm::any_of(sizes, [&](const Dim &size) { return isAtMost(bytes, size); });
  }
  void add(const SlotBlock &block, double blockTypical) {
    blocks.push_back(&block);
    typical = std::max(typical, blockTypical);
    if (holds(block.bytes))
      return;
    llvm::erase_if(sizes, [&](const Dim &size) { return isAtMost(size, block.bytes); });
    sizes.push_back(block.bytes);
  }
};

} // namespace

std::vector<SlotSizes> assignSlots(std::vector<SlotBlock> &blocks) {
  std::vector<double> typical;
  for (const SlotBlock &block : blocks)
    typical.push_back(estimateDim(block.bytes));
  std::vector<size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) { return typical[a] != typical[b] ? typical[a] > typical[b] : a < b; });
  std::vector<Slot> slots;
  for (size_t index : order) {
    SlotBlock &block = blocks[index];
    // Prefers slots that are surely large enough, then those that are closest in size.
    auto costOf = [&](const Slot &slot) { return std::pair(!slot.holds(block.bytes), slot.typical - typical[index]); };
    Slot *best = nullptr;
    for (Slot &slot : slots)
      if (slot.isFreeFor(block) && (!best || costOf(slot) < costOf(*best)))
        best = &slot;
    if (!best)
      best = &slots.emplace_back();
    best->add(block, typical[index]);
    block.slot = best - slots.data();
  }
  std::vector<SlotSizes> sizes;
  for (Slot &slot : slots)
    sizes.push_back(std::move(slot.sizes));
  return sizes;
}

} // namespace cameo
