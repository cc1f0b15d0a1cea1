#include "passes/Graph/Constants/EvaluateConstant.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace cameo::graph {
namespace {

using Numbers = SmallVector<double>;

Numbers evaluateWindow(int64_t size, bool isPeriodic, ArrayRef<double> factors) {
  double length = isPeriodic ? size : std::max<int64_t>(size - 1, 1);
  Numbers window;
  for (int64_t i = 0; i < size; ++i) {
    double turn = 2 * std::numbers::pi * i / length;
    window.push_back(factors[0] - factors[1] * std::cos(turn) + factors[2] * std::cos(2 * turn));
  }
  return window;
}

/// Computes triangles whose corners are evenly spaced on the mel scale, in whole bins of the spectrum.
Numbers evaluateMelWeights(int64_t bins, int64_t bands, int64_t length, double rate, double lowest, double highest) {
  auto toMel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  double low = toMel(lowest), step = (toMel(highest) - low) / (bands + 2);
  auto edge = [&](int64_t number) {
    double hertz = 700 * (std::pow(10, (low + number * step) / 2595) - 1);
    return std::floor((length + 1) * hertz / rate);
  };
  Numbers weights;
  for (int64_t bin = 0; bin < bins; ++bin)
    for (int64_t band = 0; band < bands; ++band) {
      double lower = edge(band), centre = edge(band + 1), upper = edge(band + 2);
      if (bin >= lower && bin <= centre)
        weights.push_back(centre == lower ? 1 : (bin - lower) / (centre - lower));
      else
        weights.push_back(bin >= centre && bin < upper ? (upper - bin) / (upper - centre) : 0);
    }
  return weights;
}

std::optional<Bytes> store(ArrayRef<double> numbers, Type element) {
  auto copy = [](auto values) {
    auto first = reinterpret_cast<const char *>(values.data());
    return Bytes(first, first + values.size_in_bytes());
  };
  if (element.isF64())
    return copy(Numbers(numbers));
  if (element.isF32())
    return copy(SmallVector<float>(numbers));
  return std::nullopt;
}

} // namespace

std::optional<Bytes> evaluateSignal(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  auto window = [&](auto each) {
    return store(evaluateWindow(type.getDimSize(0), each.getPeriodic() != 0, each.factors), type.getElementType());
  };
  return TypeSwitch<Operation *, std::optional<Bytes>>(op)
      .Case<onnx::HannWindowOp, onnx::HammingWindowOp, onnx::BlackmanWindowOp>(window)
      .Case([&](onnx::MelWeightMatrixOp each) -> std::optional<Bytes> {
        std::optional<SmallVector<int64_t>> length = onnx::getConstantInts(each.getDftLength()),
                                            rate = onnx::getConstantInts(each.getSampleRate());
        std::optional<Numbers> lowest = onnx::getConstantFloats(each.getLowerEdgeHertz()),
                               highest = onnx::getConstantFloats(each.getUpperEdgeHertz());
        if (!length || !rate || !lowest || !highest || rate->front() == 0)
          return std::nullopt;
        return store(evaluateMelWeights(type.getDimSize(0), type.getDimSize(1), length->front(), rate->front(),
                                        lowest->front(), highest->front()),
                     type.getElementType());
      })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace cameo::graph
