#define _GNU_SOURCE
#include "functions.h"

#include "cameo/abi.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Lists of names, as many to a line as fit. */
/* clang-format off */

/* Library functions that LLVM calls for operations without instructions, as far as the compiler's runtime library has
 * them. */
#define FOR_EACH_HELPER(F)                                                                                                                 \
  F(__extendhfsf2) F(__truncsfhf2) F(__truncdfhf2) F(__extendbfsf2) F(__truncsfbf2) F(__truncdfbf2) F(__gnu_h2f_ieee) F(__gnu_f2h_ieee)      \
  F(__divti3) F(__udivti3) F(__modti3) F(__umodti3) F(__multi3) F(__aeabi_idiv) F(__aeabi_uidiv) F(__aeabi_ldivmod) F(__aeabi_uldivmod)        \
  F(__aeabi_l2d) F(__aeabi_l2f) F(__aeabi_d2lz) F(__aeabi_f2lz) F(__aeabi_ul2d) F(__aeabi_ul2f) F(__aeabi_memcpy) F(__aeabi_memset)
#define DECLARE(name) extern char name[] __attribute__((weak));
FOR_EACH_HELPER(DECLARE)

/* Functions on double, and with the suffix f on float. */
#define FOR_EACH_FUNCTION(F)                                                                                                               \
  F(acos) F(acosh) F(asin) F(asinh) F(atan) F(atan2) F(atanh) F(cbrt) F(ceil) F(copysign) F(cos) F(cosh) F(erf) F(erfc) F(exp) F(exp10)        \
  F(exp2) F(expm1) F(fabs) F(floor) F(fma) F(fmax) F(fmin) F(fmod) F(frexp) F(ldexp) F(lgamma) F(log) F(log10) F(log1p) F(log2)                \
  F(nearbyint) F(pow) F(remainder) F(rint) F(round) F(roundeven) F(sin) F(sincos) F(sinh) F(sqrt) F(tan) F(tanh) F(tgamma) F(trunc)
/* clang-format on */

extern const uint32_t cameo_abi_4;

typedef struct function {
  const char *name;
  void *address;
} function;

#define OF_BOTH(name) {#name, (void *)(uintptr_t)name}, {#name "f", (void *)(uintptr_t)name##f},
#define OF_HELPER(name) {#name, name},

/* clang-format off */
static const function functions[] = {
    {"cameo_abi_4", (void *)(uintptr_t)&cameo_abi_4},
    {"memcpy", (void *)(uintptr_t)memcpy},
    {"memmove", (void *)(uintptr_t)memmove},
    {"memset", (void *)(uintptr_t)memset},
    {"memcmp", (void *)(uintptr_t)memcmp},
    {"strlen", (void *)(uintptr_t)strlen},
    {"strcmp", (void *)(uintptr_t)strcmp},
    {"malloc", (void *)(uintptr_t)malloc},
    {"aligned_alloc", (void *)(uintptr_t)aligned_alloc},
    {"free", (void *)(uintptr_t)free},
    {"abort", (void *)(uintptr_t)abort},
    FOR_EACH_FUNCTION(OF_BOTH)
    FOR_EACH_HELPER(OF_HELPER)
};
/* clang-format on */

void *find_function(const char *name) {
  for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); ++i)
    if (strcmp(functions[i].name, name) == 0)
      return functions[i].address;
  return NULL;
}
