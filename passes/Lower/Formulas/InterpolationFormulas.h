// The formulas of ONNX's Resize, once for numbers (tables made while compiling) and once for values of the generated
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

/// One dimension: its two sizes, and what part of the input is read with which step.
template <typename N> struct InterpolatedRange {
  N input, output, scale, roiStart, roiEnd;
};

inline double choose(bool condition, double a, double b) { return condition ? a : b; }
inline double floorOf(double x) { return std::floor(x); }
inline double ceilOf(double x) { return std::ceil(x); }
inline double magnitudeOf(double x) { return std::abs(x); }
inline double roundToFloat(double x) { return static_cast<float>(x); }

/// A length of the output in elements of the input. A scale is given in f32, in which 0.6 is no fraction of 3 and 5:
/// "nearest" would miss the whole and half numbers that are meant, if the quotient were not rounded to f32, too.
template <typename N> N overScale(const InterpolationModes &modes, const InterpolatedRange<N> &r, N length) {
  N quotient = length / r.scale;
  return modes.mode == "nearest" ? roundToFloat(quotient) : quotient;
}

/// The coordinate in the input of output element `at`.
template <typename N> N toInput(const InterpolationModes &modes, const InterpolatedRange<N> &r, N at) {
  if (modes.coordinateMode == "asymmetric")
    return overScale(modes, r, at);
  N halfPixel = overScale(modes, r, at + 0.5) - 0.5;
  if (modes.coordinateMode == "align_corners") {
    // The length that the scale asks for, which may lie between whole numbers; a float as scale is not quite exact.
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

/// The element that stands for a coordinate.
template <typename N> N toNearest(const InterpolationModes &modes, N x) {
  if (modes.nearestMode == "floor")
    return floorOf(x);
  if (modes.nearestMode == "ceil")
    return ceilOf(x);
  return modes.nearestMode == "round_prefer_ceil" ? floorOf(x + 0.5) : ceilOf(x - 0.5);
}

/// Weight of an element at this distance: a triangle, or Keys' cubic kernel.
template <typename N> N weightAt(const InterpolationModes &modes, N distance) {
  N x = magnitudeOf(distance);
  if (modes.mode != "cubic")
    return choose(x < 1.0, 1.0 - x, 0.0 * x);
  double a = modes.cubicCoefficient;
  N nearPart = ((a + 2) * x - (a + 3)) * x * x + 1.0;
  N farPart = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return choose(x <= 1.0, nearPart, choose(x < 2.0, farPart, 0.0 * x));
}

/// How many elements on each side weightAt gives a weight.
inline int64_t kernelReach(const InterpolationModes &modes) { return modes.mode == "cubic" ? 2 : 1; }

/// How many input elements on each side have a weight when one step of the output is at most `step` of the input.
inline int64_t reachOf(const InterpolationModes &modes, double step) {
  double stretch = modes.antialias ? std::max(step, 1.0) : 1.0;
  return static_cast<int64_t>(std::ceil(static_cast<double>(kernelReach(modes)) * stretch));
}

} // namespace cameo::lower

#endif
