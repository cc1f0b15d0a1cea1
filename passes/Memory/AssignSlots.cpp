// Whole slots are shared, not parts of them: where a part begins would again be an expression, and a longer one.
#include "passes/Memory/AssignSlots.h"

#include "dialects/Onnx/DimLimits.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>

namespace cameo {
namespace {

/// The value when every dimension is 64: only the order of sizes depends on it.
double typicalSize(const onnx::Dim &dim) {
  constexpr double typicalDimension = 64;
  double sum = 0;
  for (const onnx::DimTerm &term : onnx::getTerms(dim).value_or(std::vector<onnx::DimTerm>())) {
    double product = static_cast<double>(term.coefficient);
    for (const onnx::DimAtom &atom : term.atoms)
      product *= !atom.name.empty()  ? typicalDimension
                 : atom.divisor == 0 ? std::min(typicalSize(atom.dividend), 0.0)
                                     : std::floor(typicalSize(atom.dividend) / static_cast<double>(atom.divisor));
    sum += product;
  }
  return sum;
}

/// Whether a <= b for all sizes of the model.
bool isAtMost(const onnx::Dim &a, const onnx::Dim &b) { return onnx::isNeverNegative(onnx::subDims(b, a)); }

struct Slot {
  SlotSizes sizes;
  double typical = 0;
  std::vector<const SlotBlock *> blocks;

  bool isFreeFor(const SlotBlock &block) const {
    return llvm::none_of(blocks, [&](const SlotBlock *other) { return block.first <= other->last && other->first <= block.last; });
  }
  bool holds(const onnx::Dim &bytes) const {
    return llvm::any_of(sizes, [&](const onnx::Dim &size) { return isAtMost(bytes, size); });
  }
  void add(const SlotBlock &block, double blockTypical) {
    blocks.push_back(&block);
    typical = std::max(typical, blockTypical);
    if (holds(block.bytes))
      return;
    llvm::erase_if(sizes, [&](const onnx::Dim &size) { return isAtMost(size, block.bytes); });
    sizes.push_back(block.bytes);
  }
};

} // namespace

std::vector<SlotSizes> assignSlots(std::vector<SlotBlock> &blocks) {
  std::vector<double> typical;
  for (const SlotBlock &block : blocks)
    typical.push_back(typicalSize(block.bytes));
  std::vector<size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) { return typical[a] != typical[b] ? typical[a] > typical[b] : a < b; });
  std::vector<Slot> slots;
  for (size_t index : order) {
    SlotBlock &block = blocks[index];
    // How well a slot suits: surely large enough, then how much larger.
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
