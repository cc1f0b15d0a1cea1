// The kernels that are measured, and who computes them.
#ifndef CAMEO_UTILS_BENCH_KERNEL_H
#define CAMEO_UTILS_BENCH_KERNEL_H

#include "cameo/abi.h"

#include <array>
#include <cstdint>
#include <functional>

namespace cameo {

struct Kernel {
  enum class Kind { Gemm, Conv, Softmax, LayerNorm };

  const char *name;
  Kind kind;
  std::array<int64_t, 7> sizes; ///< as kernel_models.py lists them
  const cameo_model_description *model;
  const cameo_model_description *direct; ///< without Winograd; null where that makes no difference

  double flops() const;
  /// Of all operands and results, each once.
  double bytes() const;
};

struct Convolution {
  int64_t height, width, channels, filters, kernel, stride, groups;

  explicit Convolution(const Kernel &of)
      : height(of.sizes[0]), width(of.sizes[1]), channels(of.sizes[2]), filters(of.sizes[3]), kernel(of.sizes[4]),
        stride(of.sizes[5]), groups(of.sizes[6]) {}
  int64_t padding() const { return kernel / 2; }
  int64_t outputs() const { return height / stride * (width / stride); }
};

/// Computes a kernel once, on one thread, on data of its own; empty for a kernel that a peer does not have.
using Contender = std::function<void()>;

/// Floats in a vector of the processor that our kernels are compiled for.
extern const int64_t vectorLanes;

/// Runs the register block of large products for that processor once, 6 rows by 4 vectors with AVX-512 and by 2 with
/// AVX2, on operands that all stay in the first-level cache, and returns its floating-point operations; 0 where there
/// is none. What the products are at most: beside loads, the clock is lower than beside multiply-adds on registers
/// alone.
double registerTileOnce();

Contender makeOurs(const cameo_model_description &model);
Contender makeOpenBlas(const Kernel &kernel);
Contender makeOneDnn(const Kernel &kernel);

} // namespace cameo

#endif
