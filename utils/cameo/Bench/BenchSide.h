// The two sides of a benchmark, our code and ONNX Runtime, behind one interface.
#ifndef CAMEO_UTILS_CAMEO_BENCH_BENCHSIDE_H
#define CAMEO_UTILS_CAMEO_BENCH_BENCHSIDE_H

#include "utils/Driver/Run/ModelRunner.h"

#include <functional>

namespace cameo {

class BenchSide {
public:
  virtual ~BenchSide() = default;
  /// Runs once on the inputs that the side was created with.
  virtual llvm::Error run() = 0;
  /// Runs `runs` times and returns the times in ms by the clock of the GPU. Only for a side that runs on a GPU.
  virtual llvm::Expected<std::vector<float>> timeOnGpu(int runs, bool usesGraph);
};

/// Creates a side that is ready to run, starting from the model's file. `create_ms` is the time of this.
using BenchSideFactory = std::function<llvm::Expected<std::unique_ptr<BenchSide>>()>;

/// Opens a compiled library. `inputs` must outlive the side.
llvm::Expected<std::unique_ptr<BenchSide>> createOurSide(llvm::StringRef libraryPath, const RunOptions &options,
                                                         llvm::ArrayRef<Tensor> inputs);

struct CompileOptions;
class OnnxRuntime;
/// Opens the model that `options` name, with their constants.
llvm::Expected<std::unique_ptr<BenchSide>> createOnnxRuntimeSide(OnnxRuntime &runtime, const CompileOptions &options,
                                                                 int threads, llvm::ArrayRef<Tensor> inputs);

struct SideTimes {
  double minMs = 0;
  double medianMs = 0;
};

/// Returns the minimum and the median of `times`, which must not be empty. Sorts them.
SideTimes summarizeTimes(std::vector<double> &times);

/// Runs all sides in turns, with `runs` timed runs each. Each turn starts with a run that is not timed, so that the
/// side's data are in the caches and its threads are awake.
llvm::Expected<std::vector<SideTimes>> measureInTurns(llvm::ArrayRef<BenchSide *> sides, int runs);

/// Measures `side`, which runs on a GPU, by the clock of the GPU and without copies, after a few runs that are not
/// timed.
llvm::Expected<SideTimes> measureOnGpu(BenchSide &side, int runs, bool usesGraph);

/// Returns the growth in MB of a child process's resident memory, from before `create` to after two runs.
llvm::Expected<double> measureMemory(const BenchSideFactory &create);

/// Pins this thread, and threads that it starts, to `threads` of its allowed CPUs. Returns false if there are fewer.
bool pinToCpus(int threads);

} // namespace cameo

#endif
