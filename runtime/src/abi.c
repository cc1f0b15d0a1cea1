/* The symbol every object refers to, so that an object and a runtime of different ABI versions do not link. */
#include "cameo/abi.h"

const uint32_t cameo_abi_4 = CAMEO_ABI_VERSION;
