#include "passes/Codegen/Weights/ShareWeights.h"

#include "dialects/Task/SameWeights.h"
#include "runtime/include/cameo/abi.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo {
namespace {

class WeightSharer {
public:
  explicit WeightSharer(OpBuilder &builder) : builder(builder) {}

  /// Returns the offset of `weight` in the merged weights. Adds a copy of it unless an equal one is there.
  int64_t placeOf(task::WeightOp weight);
  int64_t getBytes() const { return bytes; }

private:
  struct Placed {
    task::Weight content;
    int64_t offset;
  };
  OpBuilder &builder;
  DenseMap<uint64_t, SmallVector<Placed, 1>> similar; ///< by the hash of a sample of the content
  int64_t bytes = 0;
};

} // namespace

int64_t WeightSharer::placeOf(task::WeightOp weight) {
  task::Weight content =
      task::makeWeight(weight.getValue(), weight.getPackingAttr(), static_cast<int64_t>(weight.getBytes()));
  SmallVector<Placed, 1> &candidates = similar[task::hashSample(content)];
  for (const Placed &candidate : candidates)
    if (task::isSame(candidate.content, content))
      return candidate.offset;
  auto added = cast<task::WeightOp>(builder.clone(*weight));
  added.setOffset(bytes);
  candidates.push_back({content, bytes});
  bytes += llvm::alignTo(weight.getBytes(), CAMEO_ALIGNMENT);
  return candidates.back().offset;
}

static void movePlaces(ModelPlan &plan, const DenseMap<int64_t, int64_t> &moved) {
  auto move = [&](BufferPlace &place) {
    // A place without a weight is not read.
    if (place.base == BufferPlace::Base::Weights)
      place.offset = moved.lookup(place.offset);
  };
  for (PlannedStep &step : plan.steps) {
    llvm::for_each(step.buffers, move);
    for (std::optional<BufferPlace> *place : {&step.tripCount, &step.condition})
      if (*place)
        move(**place);
  }
}

OwningOpRef<ModuleOp> shareWeights(ArrayRef<ModuleOp> modules, MutableArrayRef<ModelPlan> plans) {
  ModuleOp first = modules.front();
  OpBuilder builder(first.getContext());
  OwningOpRef<ModuleOp> all = ModuleOp::create(builder, first.getLoc());
  builder.setInsertionPointToStart(all->getBody());
  WeightSharer sharer(builder);
  for (auto [number, plan] : llvm::enumerate(plans)) {
    DenseMap<int64_t, int64_t> moved;
    for (auto weight : ModuleOp(modules[number]).getOps<task::WeightOp>())
      // An empty weight has the same offset as the next weight.
      if (weight.getBytes() > 0)
        moved[weight.getOffset()] = sharer.placeOf(weight);
    movePlaces(plan, moved);
  }
  for (ModelPlan &plan : plans)
    plan.weightBytes = sharer.getBytes();
  return all;
}

} // namespace cameo
