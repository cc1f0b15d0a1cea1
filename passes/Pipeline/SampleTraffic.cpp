#include "passes/Pipeline/SampleTraffic.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxInterfaces.h"
#include "dialects/Onnx/OnnxOps.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace cameo {
namespace {

/// The estimate for one model.
class SampleTraffic {
public:
  SampleTraffic(func::FuncOp main, int64_t count, const Machine &machine) : count(count), machine(machine) {
    for (Operation &op : main.getBody().front().without_terminator())
      add(&op);
  }

  /// Returns the cycles that depend on how many samples run together, of a run on one core and one on two.
  double cycles(int64_t together) const {
    // Two cores do not finish an operator at the same time.
    constexpr double unevenStarts = 4;
    double runs = static_cast<double>(count) / static_cast<double>(together);
    double starts = runs * machine.shareCycles * static_cast<double>(sampleBytes.size());
    return memoryCycles(1, together) + memoryCycles(2, together) + (1 + unevenStarts) * starts;
  }

private:
  double memoryCycles(double cores, int64_t together) const {
    // What a core finds in the caches behind its second level, which it shares with others.
    double cacheBytes = 4 * cores * static_cast<double>(machine.l2Bytes);
    double bytes = 0, runs = static_cast<double>(count) / static_cast<double>(together);
    for (double ofSample : sampleBytes)
      bytes += runs * std::max(0.0, ofSample * static_cast<double>(together) - cacheBytes);
    if (weightBytes > cacheBytes)
      bytes += weightBytes * runs;
    return bytes / machine.memoryBytesPerCycle;
  }

  /// Inputs and outputs of the model hold all samples in any case.
  static bool isOutside(Value value) {
    return isa<BlockArgument>(value) ||
           llvm::any_of(value.getUsers(), [](Operation *user) { return user->hasTrait<OpTrait::IsTerminator>(); });
  }

  static double bytesOf(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
      return 0;
    return static_cast<double>(type.getNumElements()) * type.getElementTypeBitWidth() / 8;
  }

  /// Quantized activations are stored as they are before or behind the node.
  static Value storedForm(Value value) {
    if (auto dequantized = value.getDefiningOp<onnx::DequantizeLinearOp>())
      return dequantized.getX();
    if (value.hasOneUse())
      if (auto quantized = dyn_cast<onnx::QuantizeLinearOp>(*value.user_begin()))
        return quantized.getY();
    return value;
  }

  void add(Operation *op) {
    bool isConstant = op->hasTrait<OpTrait::ConstantLike>() ||
                      llvm::all_of(op->getOperands(), [&](Value value) { return constants.contains(value); });
    if (isConstant)
      constants.insert_range(op->getResults());
    // The others are parts of these or only name their elements.
    if (isConstant || op->hasTrait<onnx::PointwiseOnnxOp>() ||
        isa<onnx::ReshapeOp, onnx::FlattenOp, onnx::SqueezeOp, onnx::UnsqueezeOp, onnx::QuantizeLinearOp,
            onnx::DequantizeLinearOp>(op))
      return;
    double samples = 0;
    for (Value operand : op->getOperands())
      if (constants.contains(operand))
        weightBytes += bytesOf(operand);
      else if (!isOutside(storedForm(operand)))
        samples += bytesOf(storedForm(operand));
    for (Value result : op->getResults())
      if (!isOutside(storedForm(result)))
        samples += bytesOf(storedForm(result));
    sampleBytes.push_back(samples / static_cast<double>(count));
  }

  int64_t count;
  const Machine &machine;
  llvm::DenseSet<Value> constants;
  SmallVector<double> sampleBytes; ///< bytes of one sample that an operator reads from others and writes for others
  double weightBytes = 0;
};

} // namespace

int64_t chooseSamples(func::FuncOp main, int64_t count, const Machine &machine) {
  constexpr int64_t most = 4096; // more are rows, which have no planes that leave a cache
  if (count < 2 || count > most)
    return count;
  SampleTraffic traffic(main, count, machine);
  int64_t best = count;
  for (int64_t together = count - 1; together > 0; --together)
    if (count % together == 0 && traffic.cycles(together) < traffic.cycles(best))
      best = together;
  return best;
}

} // namespace cameo
