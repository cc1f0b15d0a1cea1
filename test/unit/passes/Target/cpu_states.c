/* What the runtime takes from a machine whose operating system keeps no registers of AVX, or of AVX-512, for
 * CpuFeaturesTest. */
#if defined(__x86_64__)
#define cameo_choose_cpu cameo_choose_cpu_of_states
#include "runtime/src/cpu.c"

const uint32_t *const states_avx = needs_avx, *const states_avx512 = needs_avx512;
#endif
