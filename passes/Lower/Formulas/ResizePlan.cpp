#include "passes/Lower/Formulas/ResizePlan.h"

#include "passes/Lower/Builders/Axes.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Longer tables are computed at run time, because they would cost compile time, memory and object size.
constexpr int64_t kMaxTableRows = 1 << 20;

/// Returns the dimension of the operand for an axis in ONNX's order.
int64_t positionOf(int64_t axis, int64_t rank, bool channelsLast) {
  if (!channelsLast || axis == 0)
    return axis;
  return axis == 1 ? rank - 1 : axis - 1;
}

std::optional<SmallVector<double>> knownFloats(Value operand) {
  if (onnx::isAbsent(operand) || sizeOf(shapeOf(operand)) == 0)
    return SmallVector<double>();
  return onnx::getKnownFloats(operand);
}

/// Whether a vector may have `count` elements. A dynamic length is taken to be the one that the operator requires.
bool mayHold(Value vector, int64_t count) {
  Dim length = sizeOf(shapeOf(vector));
  return !length.isStatic() || length == Dim(count);
}

double ratioOf(const Dim &input, int64_t output) {
  return static_cast<double>(output) / static_cast<double>(std::max<int64_t>(input.getSize(), 1));
}

} // namespace

int64_t ResizePlan::positionOfAxis(int64_t number) {
  return positionOf(axes[number], from.size(), op.getChannelsLast());
}

LogicalResult ResizePlan::readModes() {
  axes = op.getAxes() ? Ints(*op.getAxes()) : allAxes(from.size());
  for (int64_t &axis : axes)
    axis = normalizeAxis(axis, from.size());
  modes.mode = op.getMode();
  modes.coordinateMode = op.getCoordinateTransformationMode();
  modes.nearestMode = op.getNearestMode();
  modes.cubicCoefficient = op.getCubicCoeffA();
  modes.excludeOutside = op.getExcludeOutside() != 0;
  modes.antialias = op.getAntialias() != 0;
  if (!modes.crops())
    return success();
  roi = knownFloats(op.getRoi());
  int64_t limits = 2 * axes.size();
  if (roi ? static_cast<int64_t>(roi->size()) != limits : !mayHold(operands[1], limits))
    return unsupported(op, "a region of interest without a start and an end per axis");
  return success();
}

/// Returns one element of an operand as f64.
Value ResizePlan::element(unsigned operand, int64_t at) {
  Type f64 = b.getF64Type();
  return b.map({1}, f64, {{operands[operand], {b.fixed(at)}}},
               [&](ScalarBuilder &s, ValueRange x) { return s.convert(x[0], f64); });
}

Value ResizePlan::ratioOfSizes(int64_t number) {
  int64_t position = positionOfAxis(number);
  return b.map({1}, b.getF64Type(), {}, [&](ScalarBuilder &s, ValueRange) {
    auto length = [&](const Dim &dim) { return s.convert(s.fromIndex(s.size(dim), b.getI64Type()), b.getF64Type()); };
    return s.div(length(to[position]), length(from[position]));
  });
}

/// Computes the one scale of all axes that keeps the aspect ratio.
Value ResizePlan::commonRatio() {
  bool isSmaller = op.getKeepAspectRatioPolicy() == "not_larger";
  SmallVector<Access> inputs;
  for (size_t number = 0; number < axes.size(); ++number)
    inputs.push_back({operands[3], {b.fixed(number)}});
  Type f64 = b.getF64Type();
  return b.map({1}, f64, inputs, [&](ScalarBuilder &s, ValueRange x) {
    Value common;
    for (auto [number, size] : llvm::enumerate(x)) {
      Value extent = s.fromIndex(s.size(from[positionOfAxis(number)]), b.getI64Type());
      Value ratio = s.div(s.convert(size, f64), s.convert(extent, f64));
      common = !common ? ratio : isSmaller ? s.min(common, ratio) : s.max(common, ratio);
    }
    return common;
  });
}

LogicalResult ResizePlan::readScales() {
  bool hasScales = !onnx::isAbsent(op.getScales()) && sizeOf(shapeOf(op.getScales())) != 0;
  bool stretches = op.getKeepAspectRatioPolicy() == "stretch";
  int64_t count = axes.size();
  if ((hasScales || !stretches) && !mayHold(operands[hasScales ? 2 : 3], count))
    return unsupported(op, "scales or sizes other than one per axis");
  scales.resize(count);
  runScales.resize(count);
  if (hasScales) {
    auto known = knownFloats(op.getScales());
    for (int64_t number = 0; number < count; ++number)
      known ? void(scales[number] = (*known)[number]) : void(runScales[number] = element(2, number));
    return success();
  }
  if (!stretches)
    return readCommonScale();
  for (int64_t number = 0; number < count; ++number) {
    const Dim &input = from[positionOfAxis(number)], &output = to[positionOfAxis(number)];
    // Equal symbolic sizes are equal at run time.
    if (input == output)
      scales[number] = 1;
    else if (input.isStatic() && output.isStatic())
      scales[number] = ratioOf(input, output.getSize());
    else
      runScales[number] = ratioOfSizes(number);
  }
  return success();
}

/// Computes the one scale of all axes that keeps the aspect ratio, if the sizes are known.
LogicalResult ResizePlan::readCommonScale() {
  std::optional<Ints> sizes = knownInts(op.getSizes());
  bool isKnown = sizes && llvm::all_of(llvm::seq<int64_t>(0, axes.size()),
                                       [&](int64_t number) { return from[positionOfAxis(number)].isStatic(); });
  if (!isKnown) {
    runScales.assign(axes.size(), commonRatio());
    return success();
  }
  SmallVector<double> ratios;
  for (auto [number, size] : llvm::enumerate(*sizes))
    ratios.push_back(ratioOf(from[positionOfAxis(number)], size));
  bool isSmaller = op.getKeepAspectRatioPolicy() == "not_larger";
  scales.assign(axes.size(), isSmaller ? *llvm::min_element(ratios) : *llvm::max_element(ratios));
  return success();
}

/// Returns the reach of antialiasing between these sizes. The step is their quotient.
Dim ResizePlan::reachBetween(const Dim &input, const Dim &output) const {
  Dim elements = input * Dim(kernelReach(modes));
  Dim reach =
      output.isStatic() ? floorDivDims(elements + output - Dim(1), output) : floorDivDims(elements, output) + Dim(1);
  return maxDims(reach, kernelReach(modes));
}

/// Returns the reach if the scale is dynamic. The size of the result follows from the scale, so it limits the step; if
/// all axes share one scale, the requested sizes limit it.
Dim ResizePlan::reachOfRun(int64_t number) {
  std::optional<onnx::DimList> sizes = onnx::getKnownDims(op.getSizes());
  int64_t position = positionOfAxis(number);
  if (op.getKeepAspectRatioPolicy() == "stretch" || !sizes)
    return reachBetween(from[position], to[position]);
  Dim reach;
  for (auto [other, size] : llvm::enumerate(*sizes)) {
    Dim own = reachBetween(from[positionOfAxis(other)], size);
    reach = other == 0                                      ? own
            : op.getKeepAspectRatioPolicy() == "not_larger" ? maxDims(reach, own)
                                                            : minDims(reach, own);
  }
  return reach;
}

LogicalResult ResizePlan::addAxis(int64_t number) {
  int64_t position = positionOfAxis(number);
  Dim input = from[position], output = to[position];
  bool isSingle = input == Dim(1) && output == Dim(1);
  if (!modes.crops() && input == output && (isSingle || scales[number] == 1.0))
    return success();
  ResizedAxis axis{position, {}, {}};
  bool isKnown = input.isStatic() && output.isStatic() && scales[number] && (!modes.crops() || roi);
  if (isKnown && output.getSize() <= kMaxTableRows) {
    InterpolatedRange<double> range{static_cast<double>(input.getSize()), static_cast<double>(output.getSize()),
                                    *scales[number], 0, 1};
    if (modes.crops()) {
      range.roiStart = (*roi)[number];
      range.roiEnd = (*roi)[axes.size() + number];
    }
    axis.table = makeTable(modes, range);
    resized.push_back(std::move(axis));
    return success();
  }
  bool isSmoothed = modes.antialias && modes.mode != "nearest";
  if (isSmoothed && modes.crops())
    return unsupported(op, "antialiasing of a region that is not known at compile time");
  axis.run.input = input;
  axis.run.output = output;
  axis.run.reach =
      isSmoothed && !scales[number] ? reachOfRun(number) : Dim(reachOf(modes, 1 / scales[number].value_or(1)));
  if (axis.run.reach.isUnknown())
    return unsupported(op, "antialiasing between sizes of which one may be negative");
  axis.run.scale = scales[number] ? this->number(*scales[number]) : runScales[number];
  if (modes.crops()) {
    int64_t end = axes.size() + number;
    axis.run.roiStart = roi ? this->number((*roi)[number]) : element(1, number);
    axis.run.roiEnd = roi ? this->number((*roi)[end]) : element(1, end);
  }
  resized.push_back(std::move(axis));
  return success();
}

LogicalResult ResizePlan::make() {
  if (failed(readModes()) || failed(readScales()))
    return failure();
  for (size_t number = 0; number < axes.size(); ++number)
    if (failed(addAxis(number)))
      return failure();
  return success();
}

InterpolationTaps ResizePlan::tapsOf(const ResizedAxis &axis, Type weightType) const {
  return axis.table ? makeTaps(b, *axis.table, weightType) : makeTaps(b, modes, axis.run, weightType);
}

} // namespace cameo::lower
