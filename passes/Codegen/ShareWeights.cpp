#include "passes/Codegen/ShareWeights.h"

#include "dialects/Onnx/ConstantData.h"
#include "runtime/include/cameo/abi.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace cameo {
namespace {

class WeightSharer {
public:
  explicit WeightSharer(OpBuilder &builder) : builder(builder) {}

  /// Where the weight lies among all: a copy of it is made unless an equal one is there.
  int64_t placeOf(task::WeightOp weight);
  int64_t getBytes() const { return bytes; }

private:
  OpBuilder &builder;
  DenseMap<uint64_t, SmallVector<task::WeightOp, 1>> similar; ///< by hash of size and a sample of the bytes
  int64_t bytes = 0;
};

} // namespace

/// Weights of one content are one attribute as a rule: then the bytes need not be looked at.
static bool isEqual(task::WeightOp a, task::WeightOp b) {
  if (a.getRelayoutAttr() != b.getRelayoutAttr() || a.getBytes() != b.getBytes())
    return false;
  if (a.getValue() == b.getValue())
    return true;
  std::optional<ArrayRef<char>> left = onnx::getRawConstant(a.getValue()), right = onnx::getRawConstant(b.getValue());
  return left && right && a.getValue().getNumElements() == b.getValue().getNumElements() && *left == *right;
}

static uint64_t hashSample(task::WeightOp weight) {
  constexpr size_t sampleBytes = 256;
  std::optional<ArrayRef<char>> raw = onnx::getRawConstant(weight.getValue());
  ArrayRef<char> sample = raw ? raw->take_back(sampleBytes) : ArrayRef<char>();
  return llvm::xxh3_64bits(StringRef(sample.data(), sample.size())) ^ weight.getBytes();
}

int64_t WeightSharer::placeOf(task::WeightOp weight) {
  SmallVector<task::WeightOp, 1> &candidates = similar[hashSample(weight)];
  for (task::WeightOp candidate : candidates)
    if (isEqual(candidate, weight))
      return candidate.getOffset();
  auto added = cast<task::WeightOp>(builder.clone(*weight));
  added.setOffset(bytes);
  candidates.push_back(added);
  bytes += llvm::alignTo(weight.getBytes(), CAMEO_ALIGNMENT);
  return added.getOffset();
}

static void movePlaces(ModelPlan &plan, const DenseMap<int64_t, int64_t> &moved) {
  auto move = [&](BufferPlace &place) {
    // No bytes are read where no weight begins.
    if (place.base == BufferPlace::Base::Weights)
      place.offset = moved.lookup(place.offset);
  };
  for (PlannedStep &step : plan.steps) {
    llvm::for_each(step.buffers, move);
    for (std::optional<BufferPlace> *place : {&step.rounds, &step.condition})
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
      // One without bytes shares its offset with the weight behind it.
      if (weight.getBytes() > 0)
        moved[weight.getOffset()] = sharer.placeOf(weight);
    movePlaces(plan, moved);
  }
  for (ModelPlan &plan : plans)
    plan.weightBytes = sharer.getBytes();
  return all;
}

} // namespace cameo
