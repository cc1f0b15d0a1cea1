// Limits of the size of a tensor.
#ifndef CAMEO_DIALECTS_ONNX_TENSORLIMITS_H
#define CAMEO_DIALECTS_ONNX_TENSORLIMITS_H

#include <cstdint>

namespace cameo::onnx {

/// Byte sizes are computed from types everywhere, and must fit into 64 bits with room for a few factors.
constexpr int64_t kMaxElements = int64_t(1) << 48;

/// NumPy's limit for decades. Loops over the dimensions, and expressions over all of them, grow faster than the rank.
constexpr int64_t kMaxRank = 32;

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_TENSORLIMITS_H
