// The register block of large products with its operands in the first-level cache: what no product can exceed. In
// assembly, since compilers read an element anew for each of its products, or spill. Compiled for the processor that
// the kernels are for.
#include "utils/bench/Kernel.h"

#include <algorithm>

using namespace cameo;

// clang-format off: assembly in macros, a row of the block to a line
#if defined(__AVX512F__)
const int64_t cameo::vectorLanes = 16;
#define REGISTER "%%zmm"
#define COLUMNS(step) LOAD(step, 4, 0, 24) LOAD(step, 4, 1, 25) LOAD(step, 4, 2, 26) LOAD(step, 4, 3, 27)
#define ROW(step, row, a, b, c, d) ELEMENT(step, row, 28) PRODUCT(24, 28, a) PRODUCT(25, 28, b) PRODUCT(26, 28, c) PRODUCT(27, 28, d)
#define STEP(step)                                                                                                                        \
  COLUMNS(step)                                                                                                                           \
  ROW(step, 0, 0, 1, 2, 3) ROW(step, 1, 4, 5, 6, 7) ROW(step, 2, 8, 9, 10, 11) ROW(step, 3, 12, 13, 14, 15)                               \
  ROW(step, 4, 16, 17, 18, 19) ROW(step, 5, 20, 21, 22, 23)
#define VECTORS 4
#define LANES 16
#define MORE_REGISTERS                                                                                                                    \
  , "xmm15", "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28"
#elif defined(__AVX2__) && defined(__FMA__)
const int64_t cameo::vectorLanes = 8;
#define REGISTER "%%ymm"
#define COLUMNS(step) LOAD(step, 2, 0, 12) LOAD(step, 2, 1, 13)
#define ROW(step, row, a, b) ELEMENT(step, row, 14) PRODUCT(12, 14, a) PRODUCT(13, 14, b)
#define STEP(step)                                                                                                                        \
  COLUMNS(step)                                                                                                                           \
  ROW(step, 0, 0, 1) ROW(step, 1, 2, 3) ROW(step, 2, 4, 5) ROW(step, 3, 6, 7) ROW(step, 4, 8, 9) ROW(step, 5, 10, 11)
#define VECTORS 2
#define LANES 8
#define MORE_REGISTERS
#else
const int64_t cameo::vectorLanes = 4;
#endif

#ifdef VECTORS
#define TEXT(value) #value
#define NUMBER(value) TEXT(value)
#define LOAD(step, vectors, number, to)                                                                                                   \
  "vmovups 4*" NUMBER(LANES) "*(" #step "*" #vectors "+" #number ")(%[columns]), " REGISTER #to "\n\t"
// A row is 128 floats.
#define ELEMENT(step, row, to) "vbroadcastss 4*(128*" #row "+" #step ")(%[rows]), " REGISTER #to "\n\t"
#define PRODUCT(x, y, sum) "vfmadd231ps " REGISTER #x ", " REGISTER #y ", " REGISTER #sum "\n\t"

double cameo::registerTileOnce() {
  constexpr int64_t rows = 6, steps = 128, unroll = 4, rounds = 2000;
  alignas(64) static float matrix[rows * steps], weights[steps * VECTORS * LANES];
  std::ranges::fill(matrix, 0.01f);
  std::ranges::fill(weights, 0.01f);
  for (int64_t round = 0; round < rounds; ++round) {
    const float *row = matrix, *column = weights;
    int64_t count = steps / unroll;
    asm volatile("1:\n\t" STEP(0) STEP(1) STEP(2) STEP(3)
                 "add $4*4*" NUMBER(VECTORS) "*" NUMBER(LANES) ", %[columns]\n\t"
                 "add $4*4, %[rows]\n\t"
                 "dec %[count]\n\t"
                 "jnz 1b"
                 : [rows] "+r"(row), [columns] "+r"(column), [count] "+r"(count)
                 :
                 : "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                   "xmm12", "xmm13", "xmm14" MORE_REGISTERS);
  }
  return 2.0 * rows * VECTORS * LANES * steps * rounds;
}
#else
double cameo::registerTileOnce() { return 0; }
#endif
