// How candidates are built and timed.
#ifndef CAMEO_AUTOTUNE_MEASURE_MEASUREMENTPOLICY_H
#define CAMEO_AUTOTUNE_MEASURE_MEASUREMENTPOLICY_H

#include <cstdint>
#include <string>

namespace cameo::autotune {

struct MeasurementPolicy {
  unsigned cpus = 1; ///< CPUs of the machine; builders use those that a candidate leaves free
  unsigned buildThreads = 1;
  double buildTimeoutSeconds = 15;
  double runTimeoutSeconds = 10;
  double transportSeconds = 10;             ///< time for transport in both directions, after which a package counts as
                                            ///< lost
  uint64_t memoryBytes = uint64_t(4) << 30; ///< memory that a candidate may allocate in the worker

  unsigned warmUp = 1;             ///< runs before timing
  unsigned repeats = 5;            ///< measurements of a candidate
  unsigned releaseRepeats = 15;    ///< measurements of a confirmation, and of the default schedule alternating with it
  unsigned turns = 5;              ///< number of turns into which these are divided
  unsigned number = 1;             ///< least number of runs per measurement
  double minRepeatSeconds = 0.001; ///< least time of a measurement
  double coolDownSeconds = 0;      ///< pause before each candidate
  int cpu = -1;                    ///< run on this CPU only; -1: on any

  /// Each run uses another copy of the weights until this number of bytes is read. So a task finds its weights in the
  /// same cache level or memory as in a model of that size. 0: all weights are in the cache. If a candidate packs its
  /// weights into more bytes, the rotation grows by the same factor, as the weights of the whole model would.
  uint64_t rotationBytes = 0;
  uint64_t largestRotationBytes = uint64_t(256) << 20; ///< this many bytes exceed all caches
  /// A candidate is abandoned if the fastest of its n measurements takes more than 1 + stopMargin / n times the best
  /// cost of its task.
  double stopMargin = 0.5;
  /// If the sentinel takes more than this multiple of its fastest time in the session, the machine counts as disturbed
  /// and the candidate is measured again.
  double disturbedFactor = 1.2;
  unsigned disturbedRetries = 2;

  bool checksAll = false; ///< compare all candidates with the naive path before they are timed, not only winners
  uint64_t checkSeed = 1; ///< seed of the data for the comparison

  std::string key; ///< name that users give to machines of this kind; stored in records
};

} // namespace cameo::autotune

#endif
