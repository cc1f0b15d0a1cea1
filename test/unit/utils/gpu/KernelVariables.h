// The variables and functions of the emulator that kernels of tests use, as an image has them, and accesses that are
// reported.
#ifndef CAMEO_TEST_UNIT_UTILS_GPU_KERNELVARIABLES_H
#define CAMEO_TEST_UNIT_UTILS_GPU_KERNELVARIABLES_H

#include "utils/gpu/emulator/Block.h"
#include "utils/gpu/emulator/Check.h"

namespace kernel_variables {

inline volatile int32_t thread, block;
inline void (*barrier)();
inline void (*reportAccess)(void *, int64_t, int32_t);
inline void (*copy)(void *, const void *, int32_t, int32_t);
inline void (*commit)();
inline void (*await)(int32_t);

/// Returns these variables. Without `isChecked`, kernels must not report accesses.
inline emulator::ImageVariables variablesOf(bool isChecked) {
  return {&thread, &block, &barrier, isChecked ? &reportAccess : nullptr, &copy, &commit, &await};
}

inline float read(float *from) {
  reportAccess(from, sizeof *from, emulator::readAccess);
  return *from;
}
inline void write(float *to, float value) {
  reportAccess(to, sizeof *to, emulator::writeAccess);
  *to = value;
}

} // namespace kernel_variables

#endif
