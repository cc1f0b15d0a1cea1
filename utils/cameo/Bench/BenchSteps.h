// Measures a decoder in the way it is used: a prompt, and then tokens one by one, with caches between the runs.
#ifndef CAMEO_UTILS_CAMEO_BENCH_BENCHSTEPS_H
#define CAMEO_UTILS_CAMEO_BENCH_BENCHSTEPS_H

#include "utils/cameo/Bench/BenchSide.h"

#include <optional>

namespace cameo {

/// The size of a session.
struct StepCounts {
  int64_t prompt = 0; ///< tokens in the prompt
  int64_t steps = 0;  ///< tokens after the prompt, one per run
};

struct StepTimes {
  StepCounts counts;
  int64_t batch = 1, capacity = 0; ///< batch size, and rows of the caches; capacity is 0 if caches grow
  SideTimes prompt;                ///< for the whole prompt: the time to the first token
  SideTimes step;                  ///< per step, averaged over a session
};

/// A decoder and its session. The inputs have the names that exporters use: `input_ids` and, if the model has them,
/// `attention_mask`, `position_ids` and `use_cache_branch`. All others are caches. A cache shares its memory with an
/// output if the compiler has found that or --alias states it. Otherwise the output `present...` of a run becomes the
/// input `past...` of the next one.
class DecoderSession {
public:
  /// Identifies the inputs. Fails with the name of the first input that is none of these. The library must outlive the
  /// session. For sizes that `options` lack, the batch is 1, and a cache that shares its memory has a row for each
  /// token of a session. With `usesGraph`, a run on a GPU is the launch of a captured graph.
  static llvm::Expected<std::unique_ptr<DecoderSession>> create(const ModelLibrary &library, const RunOptions &options,
                                                                StepCounts counts, uint64_t seed, bool usesGraph);
  ~DecoderSession();

  /// Runs one session that is not timed, and then `sessions` that are.
  llvm::Expected<StepTimes> measure(int sessions);

  /// Returns the runner, which is still bound to the last step of the last session, so that this step can be profiled.
  ModelRunner &runner();
  /// Returns the inputs of the last step.
  llvm::ArrayRef<Tensor> inputs() const;

private:
  struct Impl;
  explicit DecoderSession(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace cameo

#endif
