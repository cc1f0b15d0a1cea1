// Times the kernels of kernel_models.py, compiled by cameo, against OpenBLAS and oneDNN where the build has them. The
// script `kernels` runs it: contenders in random turns, the shortest of many repetitions counts.
#include "utils/Driver/Run/MachinePeaks.h"
#include "utils/bench/Kernel.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

using namespace cameo;

// ---- kernels ----

#define MODEL(name) extern "C" const cameo_model_description name##_description, name##_direct_description;
#define GEMM(name, ...) MODEL(name)
#define CONV(name, ...) MODEL(name)
#define SOFTMAX(name, ...) MODEL(name)
#define LAYERNORM(name, ...) MODEL(name)
#include "kernels.def"
#undef GEMM
#undef CONV
#undef SOFTMAX
#undef LAYERNORM

static const Kernel kernels[] = {
#define GEMM(name, ...) {#name, Kernel::Kind::Gemm, {__VA_ARGS__}, &name##_description, nullptr},
#define CONV(name, ...) {#name, Kernel::Kind::Conv, {__VA_ARGS__}, &name##_description, &name##_direct_description},
#define SOFTMAX(name, ...) {#name, Kernel::Kind::Softmax, {__VA_ARGS__}, &name##_description, nullptr},
#define LAYERNORM(name, ...) {#name, Kernel::Kind::LayerNorm, {__VA_ARGS__}, &name##_description, nullptr},
#include "kernels.def"
};

double Kernel::flops() const {
  auto [a, b, c, d, e, f, g] = sizes;
  switch (kind) {
  case Kind::Gemm:
    return 2.0 * static_cast<double>(a * b * c);
  case Kind::Conv: {
    Convolution conv(*this);
    return 2.0 *
           static_cast<double>(conv.outputs() * conv.filters * conv.channels / conv.groups * conv.kernel * conv.kernel);
  }
  default:
    return 0; // a matter of definition
  }
}

double Kernel::bytes() const {
  auto [a, b, c, d, e, f, g] = sizes;
  switch (kind) {
  case Kind::Gemm:
    return 4.0 * static_cast<double>(a * c + c * b + a * b);
  case Kind::Conv: {
    Convolution conv(*this);
    return 4.0 * static_cast<double>(conv.height * conv.width * conv.channels + conv.outputs() * conv.filters +
                                     conv.filters * conv.channels / conv.groups * conv.kernel * conv.kernel);
  }
  default:
    return 8.0 * static_cast<double>(a * b);
  }
}

// ---- ours ----

namespace {

/// The buffers of one model.
struct OurCall {
  std::vector<std::vector<float>> tensors;
  std::vector<void *> pointers;
  std::unique_ptr<void, void (*)(void *)> workspace{nullptr, std::free};

  float *add(const cameo_tensor_description &tensor) {
    return tensors.emplace_back(tensor.size_bytes / sizeof(float), 0.01f).data();
  }
};

} // namespace

Contender cameo::makeOurs(const cameo_model_description &model) {
  auto call = std::make_shared<OurCall>();
  call->pointers = {call->add(model.inputs[0]), call->add(model.outputs[0])};
  // aligned_alloc wants a multiple of the alignment, and may give nothing for 0 bytes.
  size_t bytes = (model.workspace_size(nullptr) / CAMEO_ALIGNMENT + 1) * CAMEO_ALIGNMENT;
  call->workspace.reset(std::aligned_alloc(CAMEO_ALIGNMENT, bytes));
  return [call, &model] {
    const void *input = call->pointers[0];
    cameo_status status = model.run(&input, &call->pointers[1], nullptr, call->workspace.get(), nullptr);
    if (status != CAMEO_OK)
      std::abort();
  };
}

// ---- measurement ----

static void addContender(const Kernel &kernel, const char *who, Contender contender) {
  if (!contender)
    return;
  auto measure = [&kernel, contender](benchmark::State &state) {
    contender(); // finds its data in the caches from here on
    for ([[maybe_unused]] auto iteration : state)
      contender();
    state.counters["flops"] = kernel.flops();
    state.counters["bytes"] = kernel.bytes();
  };
  benchmark::RegisterBenchmark((std::string(kernel.name) + "/" + who).c_str(), measure)->UseRealTime();
}

/// Peaks are contenders like the others: behind products the clock of wide vectors is lower than in a process that did
/// nothing.
static void addPeak(const char *name, double (*run)()) {
  auto measure = [run](benchmark::State &state) {
    double flops = run();
    for ([[maybe_unused]] auto iteration : state)
      run();
    state.counters["flops"] = flops;
    state.counters["bytes"] = 0;
  };
  benchmark::RegisterBenchmark(name, measure)->UseRealTime();
}

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  MachinePeaks peaks = measurePeaks(/*threads=*/1);
  benchmark::AddCustomContext("peak_read_gbs", std::to_string(peaks.readGbs));
  addPeak("peak/multiply-adds", [] { return multiplyAddOnce(vectorLanes); });
  if (registerTileOnce() > 0)
    addPeak("tile/multiply-adds", registerTileOnce);
  for (const Kernel &kernel : kernels) {
    addContender(kernel, "ours", makeOurs(*kernel.model));
    if (kernel.direct)
      addContender(kernel, "direct", makeOurs(*kernel.direct));
#ifdef CAMEO_BENCH_OPENBLAS
    addContender(kernel, "OpenBLAS", makeOpenBlas(kernel));
#endif
#ifdef CAMEO_BENCH_ONEDNN
    addContender(kernel, "oneDNN", makeOneDnn(kernel));
#endif
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
