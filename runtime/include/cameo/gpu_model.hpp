// Shared part of the C++ headers of models for GPUs (cameo compile --gpu --cpp-header): owners of a loaded model and of
// a session. C++17 without exceptions and RTTI. A thin layer over gpu.h, which states statuses and thread safety.
// Owners can be moved, not copied.
#ifndef CAMEO_GPU_MODEL_HPP
#define CAMEO_GPU_MODEL_HPP

#include "gpu.h"
#include "model.hpp"

namespace cameo {

/// A model on a device: its code and its weights, which all sessions share.
class gpu {
public:
  gpu() noexcept = default;
  gpu(gpu &&other) noexcept : loaded(std::exchange(other.loaded, nullptr)) {}
  gpu &operator=(gpu &&other) noexcept {
    std::swap(loaded, other.loaded);
    return *this;
  }
  ~gpu() { cameo_gpu_unload(loaded); }

  /// Replaces the loaded model by that of cameo_gpu_load. All sessions of the replaced model must be destroyed before.
  cameo_status load(const cameo_gpu_model &model, std::int32_t device = 0,
                    const void *external_weights = nullptr) noexcept {
    gpu next;
    const cameo_status status = cameo_gpu_load(&model, device, external_weights, &next.loaded);
    if (status == CAMEO_OK)
      *this = std::move(next);
    return status;
  }
  /// Null until a model is loaded.
  cameo_gpu *get() const noexcept { return loaded; }
  /// The message of the last function that failed on this thread.
  static const char *error() noexcept { return cameo_gpu_error(); }

private:
  cameo_gpu *loaded = nullptr;
};

/// The device memory of runs, and a stream. The model must outlive it.
class gpu_session {
public:
  gpu_session() noexcept = default;
  gpu_session(gpu_session &&other) noexcept : session(std::exchange(other.session, nullptr)) {}
  gpu_session &operator=(gpu_session &&other) noexcept {
    std::swap(session, other.session);
    return *this;
  }
  ~gpu_session() { cameo_gpu_session_destroy(session); }

  /// Replaces the session by that of cameo_gpu_session_create. CAMEO_INVALID_ARGUMENT: also if the model is not
  /// loaded.
  cameo_status create(const gpu &model, const std::int64_t *symbols = nullptr) noexcept {
    if (!model.get())
      return CAMEO_INVALID_ARGUMENT;
    gpu_session next;
    const cameo_status status = cameo_gpu_session_create(model.get(), symbols, &next.session);
    if (status == CAMEO_OK)
      *this = std::move(next);
    return status;
  }
  /// Null until it is created.
  cameo_gpu_session *get() const noexcept { return session; }

private:
  cameo_gpu_session *session = nullptr;
};

} // namespace cameo

#endif
