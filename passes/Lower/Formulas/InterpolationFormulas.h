// The formulas of ONNX's Resize, instantiated for numbers (tables computed at compile time) and for values in generated
// code. `N` has arithmetic with N and double, comparisons, and the functions choose, floorOf, ceilOf, magnitudeOf and
// roundToFloat.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_INTERPOLATIONFORMULAS_H
#define CAMEO_PASSES_LOWER_FORMULAS_INTERPOLATIONFORMULAS_H

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cameo::lower {

struct InterpolationModes {
  llvm::StringRef mode, coordinateMode, nearestMode;
  double cubicCoefficient = -0.75;
  bool excludeOutside = false, antialias = false;

  bool crops() const { return coordinateMode == "tf_crop_and_resize"; }
};

/// One dimension: its sizes before and after, the scale, and the region of the input that is read.
template <typename N> struct InterpolatedRange {
  N input, output, scale, roiStart, roiEnd;
};

inline double choose(bool condition, double a, double b) { return condition ? a : b; }
inline double floorOf(double x) { return std::floor(x); }
inline double ceilOf(double x) { return std::ceil(x); }
inline double magnitudeOf(double x) { return std::abs(x); }
inline double roundToFloat(double x) { return static_cast<float>(x); }

/// Converts a length in output elements to input elements. The scale is a float, which cannot represent 3 / 5 exactly;
/// without rounding the quotient to float, "nearest" would miss the integers and half-integers that are meant.
template <typename N> N overScale(const InterpolationModes &modes, const InterpolatedRange<N> &r, N length) {
  N quotient = length / r.scale;
  return modes.mode == "nearest" ? roundToFloat(quotient) : quotient;
}

/// Returns the input coordinate of output element `at`.
template <typename N> N toInput(const InterpolationModes &modes, const InterpolatedRange<N> &r, N at) {
  if (modes.coordinateMode == "asymmetric")
    return overScale(modes, r, at);
  N halfPixel = overScale(modes, r, at + 0.5) - 0.5;
  if (modes.coordinateMode == "align_corners") {
    // The length that the scale asks for, which need not be an integer. Rounded to the output size where the difference
    // comes from a float scale.
    N asked = r.scale * r.input;
    N length = choose(magnitudeOf(asked - r.output) < 1e-4, r.output, asked);
    return choose(length <= 1.0, 0.0 * at, at * (r.input - 1.0) / (length - 1.0));
  }
  if (modes.coordinateMode == "pytorch_half_pixel")
    return choose(r.output <= 1.0, 0.0 * at, halfPixel);
  if (modes.coordinateMode == "half_pixel_symmetric")
    return r.input / 2.0 * (1.0 - r.output / (r.scale * r.input)) + halfPixel;
  if (modes.crops()) {
    N middle = 0.5 * (r.roiStart + r.roiEnd) * (r.input - 1.0);
    N step = (r.roiEnd - r.roiStart) * (r.input - 1.0) / (r.output - 1.0);
    return choose(r.output <= 1.0, middle, r.roiStart * (r.input - 1.0) + at * step);
  }
  return halfPixel;
}

/// Returns the index of the input element that is nearest to a coordinate.
template <typename N> N toNearest(const InterpolationModes &modes, N x) {
  if (modes.nearestMode == "floor")
    return floorOf(x);
  if (modes.nearestMode == "ceil")
    return ceilOf(x);
  return modes.nearestMode == "round_prefer_ceil" ? floorOf(x + 0.5) : ceilOf(x - 0.5);
}

/// Returns the weight of an element at this distance: a triangle, or Keys' cubic kernel.
template <typename N> N weightAt(const InterpolationModes &modes, N distance) {
  N x = magnitudeOf(distance);
  if (modes.mode != "cubic")
    return choose(x < 1.0, 1.0 - x, 0.0 * x);
  double a = modes.cubicCoefficient;
  N nearPart = ((a + 2) * x - (a + 3)) * x * x + 1.0;
  N farPart = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return choose(x <= 1.0, nearPart, choose(x < 2.0, farPart, 0.0 * x));
}

/// Returns how many elements on each side have a weight in weightAt.
inline int64_t kernelReach(const InterpolationModes &modes) { return modes.mode == "cubic" ? 2 : 1; }

/// Returns how many input elements on each side have a weight if one step in the output is at most `step` in the input.
inline int64_t reachOf(const InterpolationModes &modes, double step) {
  double stretch = modes.antialias ? std::max(step, 1.0) : 1.0;
  return static_cast<int64_t>(std::ceil(static_cast<double>(kernelReach(modes)) * stretch));
}

} // namespace cameo::lower

#endif
