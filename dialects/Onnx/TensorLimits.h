// How large a tensor may be.
#ifndef CAMEO_DIALECTS_ONNX_TENSORLIMITS_H
#define CAMEO_DIALECTS_ONNX_TENSORLIMITS_H

#include <cstdint>

namespace cameo::onnx {

/// Sizes in bytes are computed from types everywhere: they must fit 64 bits with room for a few factors.
constexpr int64_t kMaxElements = int64_t(1) << 48;

/// As many as NumPy has had for decades. Loops over each dimension and expressions over all of them take time that
/// grows faster.
constexpr int64_t kMaxRank = 32;

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_TENSORLIMITS_H
