// A decoder timed as its users count it: a prompt, then tokens one by one, with its caches between them.
#ifndef CAMEO_UTILS_CAMEO_BENCH_BENCHSTEPS_H
#define CAMEO_UTILS_CAMEO_BENCH_BENCHSTEPS_H

#include "utils/cameo/Bench/BenchSide.h"

#include <optional>

namespace cameo {

/// What a session is.
struct StepCounts {
  int64_t prompt = 0; ///< tokens that are there at its begin
  int64_t steps = 0;  ///< tokens behind them, one in each run
};

struct StepTimes {
  StepCounts counts;
  int64_t batch = 1, capacity = 0; ///< entries, and rows of the caches; 0 where these grow
  SideTimes prompt;                ///< of the whole prompt: the time to the first token
  SideTimes step;                  ///< of one step, the mean of a session
};

/// A decoder and its session. The inputs are those that exporters name: `input_ids`, and where the model has them
/// `attention_mask`, `position_ids` and `use_cache_branch`; all others are caches. A cache is the memory of an output
/// too where the compiler has found that, or --alias says it; else the output `present...` is the next input `past...`.
class DecoderSession {
public:
  /// Finds out what the inputs are; an error names the first that is none of them. The library must outlive the
  /// session. Sizes that `options` do not have are 1 for the batch, and as many rows as a session has tokens for caches
  /// that are one buffer.
  static llvm::Expected<std::unique_ptr<DecoderSession>> create(const ModelLibrary &library, const RunOptions &options,
                                                                StepCounts counts, uint64_t seed);
  ~DecoderSession();

  /// Runs a session that is not timed, and `sessions` that are.
  llvm::Expected<StepTimes> measure(int sessions);

  /// Bound to the last step of the session before: for a profile of it.
  ModelRunner &runner();
  /// The inputs of that step.
  llvm::ArrayRef<Tensor> inputs() const;

private:
  struct Impl;
  explicit DecoderSession(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace cameo

#endif
