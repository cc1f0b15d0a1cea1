// How candidates are built and timed.
#ifndef CAMEO_AUTOTUNE_MEASURE_MEASUREMENTPOLICY_H
#define CAMEO_AUTOTUNE_MEASURE_MEASUREMENTPOLICY_H

#include <cstdint>
#include <string>

namespace cameo::autotune {

struct MeasurementPolicy {
  unsigned cpus = 1; ///< of the machine; those that a candidate leaves free may build others meanwhile
  unsigned buildThreads = 1;
  double buildTimeoutSeconds = 15;
  double runTimeoutSeconds = 10;
  double transportSeconds = 10;             ///< for the way to the machine and back; then a package counts as lost
  uint64_t memoryBytes = uint64_t(4) << 30; ///< that a candidate may add to the worker

  unsigned warmUp = 1;             ///< runs that do not count
  unsigned repeats = 5;            ///< measurements of a candidate
  unsigned releaseRepeats = 15;    ///< of a possible winner, and of the default schedule in turns with it
  unsigned turns = 5;              ///< that these are taken in
  unsigned number = 1;             ///< runs per measurement, at least
  double minRepeatSeconds = 0.001; ///< time of a measurement, at least
  double coolDownSeconds = 0;      ///< before each candidate
  int cpu = -1;                    ///< run on this CPU only; -1: on any

  /// Runs get other weights until so many bytes were read, so that a task finds them where a model of so many bytes has
  /// them; 0: tasks find all in the cache. A candidate that makes its weights larger stands for a model that does so
  /// with all: it gets as many times more.
  uint64_t rotationBytes = 0;
  uint64_t largestRotationBytes = uint64_t(256) << 20; ///< so many are beyond all caches
  /// A candidate is given up when the fastest of its n measurements takes more than 1 + stopMargin / n times as long as
  /// the best of its task.
  double stopMargin = 0.5;
  /// Above so many times the fastest sentinel of the session the machine counts as disturbed, and the candidate is
  /// measured again.
  double disturbedFactor = 1.2;
  unsigned disturbedRetries = 2;

  bool checksAll = false; ///< compares all candidates with the naive path before they are timed, not only winners
  uint64_t checkSeed = 1; ///< of the data that they are compared on

  std::string key; ///< what users call machines like the one that measures; for records
};

} // namespace cameo::autotune

#endif
