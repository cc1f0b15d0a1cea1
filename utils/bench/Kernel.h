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

Contender makeOurs(const cameo_model_description &model);
Contender makeOpenBlas(const Kernel &kernel);
Contender makeOneDnn(const Kernel &kernel);

} // namespace cameo

#endif
