// The two sides of a benchmark, ours and ONNX Runtime, behind one face.
#ifndef CAMEO_UTILS_CAMEO_BENCH_BENCHSIDE_H
#define CAMEO_UTILS_CAMEO_BENCH_BENCHSIDE_H

#include "utils/Driver/Run/ModelRunner.h"

#include <functional>

namespace cameo {

class BenchSide {
public:
  virtual ~BenchSide() = default;
  /// Runs once on the inputs it was made with.
  virtual llvm::Error run() = 0;
  /// The same many times, in ms by the clock of the GPU that runs the model, if one does.
  virtual llvm::Expected<std::vector<float>> timeOnGpu(int runs, bool usesGraph);
};

/// Makes a side ready to run, from the model's file on; what `create_ms` measures.
using BenchSideFactory = std::function<llvm::Expected<std::unique_ptr<BenchSide>>()>;

/// A compiled library, opened anew. Inputs must outlive the side.
llvm::Expected<std::unique_ptr<BenchSide>> createOurSide(llvm::StringRef libraryPath, const RunOptions &options,
                                                         llvm::ArrayRef<Tensor> inputs);

class OnnxRuntime;
llvm::Expected<std::unique_ptr<BenchSide>> createOnnxRuntimeSide(OnnxRuntime &runtime, llvm::StringRef modelPath,
                                                                 int threads, llvm::ArrayRef<Tensor> inputs);

struct SideTimes {
  double minMs = 0;
  double medianMs = 0;
};

/// The shortest of `times`, of which there are some, and that in the middle; sorts them.
SideTimes summarizeTimes(std::vector<double> &times);

/// Runs all sides in turns, `runs` timed runs each. A turn begins with a run that is not timed, so that each side finds
/// its own data in the caches and its threads awake.
llvm::Expected<std::vector<SideTimes>> measureInTurns(llvm::ArrayRef<BenchSide *> sides, int runs);

/// The times of `side`, for which a GPU runs the model: by its clock, without copies, behind a few runs that are not
/// timed.
llvm::Expected<SideTimes> measureOnGpu(BenchSide &side, int runs, bool usesGraph);

/// Growth, in MB, of the resident memory of a child process from before `create` to after two runs.
llvm::Expected<double> measureMemory(const BenchSideFactory &create);

/// Keeps this thread, and those it starts, on `threads` CPUs of those it may use. False when there are not so many.
bool pinToCpus(int threads);

} // namespace cameo

#endif
