/* Finds the first processor of an object that this machine supports. On x86-64, CPUID is available to programs; on
 * AArch64 the kernel provides the feature bits. */
#include "cameo/abi.h"

#include <stddef.h>

enum { feature_words = 8 };
_Static_assert(sizeof((cameo_cpu *)NULL)->features == feature_words * sizeof(uint32_t), "a word for each");

#if defined(__x86_64__)
#include <cpuid.h>

/* Bits of CPUID leaf 1 and of XCR0. */
enum { osxsave = 1 << 27, avx_states = 0x6, avx512_states = 0xe0 };

/* Feature bits that need AVX registers, or AVX-512 registers, to be saved by the operating system. Same order of words
 * as cameo_cpu.features. */
static const uint32_t needs_avx[feature_words] = {
    1 << 12 | 1 << 28 | 1 << 29, 1 << 5, 1 << 10, 0, 1 << 4 | 1 << 23, 1 << 4 | 1 << 5 | 1 << 10, 1 << 11 | 1 << 16, 0};
static const uint32_t needs_avx512[feature_words] = {0,
                                                     1 << 16 | 1 << 17 | 1 << 21 | 1 << 28 | 1 << 30 | 1u << 31,
                                                     1 << 1 | 1 << 6 | 1 << 11 | 1 << 12 | 1 << 14,
                                                     1 << 23,
                                                     1 << 5,
                                                     0,
                                                     0,
                                                     0};

static uint32_t kept_states(uint32_t leaf1_ecx) {
  if (!(leaf1_ecx & osxsave))
    return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static void remove_features(uint32_t *features, const uint32_t *removed) {
  for (int word = 0; word < feature_words; ++word)
    features[word] &= ~removed[word];
}

static void find_features(uint32_t *features) {
  uint32_t eax, ebx, ecx, edx;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx))
    features[0] = ecx;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
    features[1] = ebx;
    features[2] = ecx;
    features[3] = edx;
    if (eax >= 1 && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx)) {
      features[4] = eax;
      features[5] = edx;
    }
  }
  if (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx))
    features[6] = ecx;
  uint32_t kept = kept_states(features[0]);
  if ((kept & avx_states) != avx_states)
    remove_features(features, needs_avx);
  if ((kept & (avx_states | avx512_states)) != (avx_states | avx512_states))
    remove_features(features, needs_avx512);
}

#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>

static void find_features(uint32_t *features) {
  unsigned long first = getauxval(AT_HWCAP), second = getauxval(AT_HWCAP2);
  features[0] = (uint32_t)first;
  features[1] = (uint32_t)(first >> 32);
  features[2] = (uint32_t)second;
  features[3] = (uint32_t)(second >> 32);
}

#else
/* Models are not compiled for other architectures. */
static void find_features(uint32_t *features) { (void)features; }
#endif

/* Null in a program without C library. */
extern char *getenv(const char *name) __attribute__((weak));

static int is_named(const cameo_cpu *cpu, const char *name) {
  const char *own = cpu->name;
  while (*own && *own == *name)
    ++own, ++name;
  return *own == *name;
}

static int has_all(const uint32_t *features, const cameo_cpu *cpu) {
  for (int word = 0; word < feature_words; ++word)
    if (cpu->features[word] & ~features[word])
      return 0;
  return 1;
}

int32_t cameo_choose_cpu(const cameo_cpu *cpus, uint32_t count) {
  const char *only = getenv ? getenv("CAMEO_CPU") : NULL;
  uint32_t features[feature_words] = {0};
  find_features(features);
  for (uint32_t i = 0; i < count; ++i)
    if ((!only || !*only || is_named(&cpus[i], only)) && has_all(features, &cpus[i]))
      return (int32_t)i + 1;
  return 0;
}
