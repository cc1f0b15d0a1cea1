// Emulates the warp instructions that load and multiply matrices, as defined in the PTX ISA ("ldmatrix",
// "mma.m16n8k16", "mma.m16n8k8", "mma.m16n8k32", "wgmma.mma_async").
#ifndef CAMEO_UTILS_GPU_EMULATOR_MATRICES_H
#define CAMEO_UTILS_GPU_EMULATOR_MATRICES_H

#include "Descriptor.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace emulator {

constexpr int32_t warpThreads = 32;
/// Registers of a thread for a product: four of the left factor, two of the right one, and from `sumPlace` on four
/// sums.
constexpr size_t mostRegisters = 10, rightPlace = 4, sumPlace = 6;

/// The registers of all threads of a warp.
using WarpRegisters = std::array<std::array<uint32_t, mostRegisters>, warpThreads>;

/// Returns the part of thread `lane` of matrix number `matrix`, which has 8 rows of eight 16-bit numbers; the threads
/// from 8 * `matrix` on passed the addresses of the rows. The part is two neighbours of a row or, if `isTransposed`, of
/// a column. Calls `noteRead`, if it is not null, before each access.
using ReadHook = void (*)(const void *from, size_t bytes);
uint32_t loadPart(const WarpRegisters &rows, int32_t matrix, int32_t lane, bool isTransposed, ReadHook noteRead);

/// Element types of a product, as numbered in passes/Codegen/Gpu/ConvertBlocks.cpp: 16 x 16 by 16 x 8 of f16 or bf16,
/// two of them in a register, 16 x 8 by 8 x 8 of tf32, or 16 x 32 by 32 x 8 of bytes, four of them in a register, with
/// the signedness of the left and the right factor.
enum class Numbers : int32_t { F16 = 0, Bf16 = 1, U8U8 = 2, S8U8 = 3, U8S8 = 4, S8S8 = 5, Tf32 = 6 };

/// Computes the four sums of thread `lane`. Float products are exact and accumulated in f64, which is rounded once;
/// integer products are accumulated in 32 bits with wraparound.
void multiplyMatrices(const WarpRegisters &registers, int32_t lane, Numbers numbers, uint32_t *sums);

/// Whether all factors that a thread passes are valid numbers of that type. The layout of tf32 within 32 bits is
/// unspecified, so a number must come from a conversion; one that the emulator makes has zeros in its last 13 bits.
bool areNumbers(const WarpRegisters::value_type &registers, Numbers numbers);

/// Adds the product of two matrices of f16 or bf16, of 64 rows and 2 * `count` columns, to the `count` sums of thread
/// `thread` of a group of four warps ("wgmma.mma_async"). They are in the shared memory from `shared` on. Products are
/// exact as above. Calls `noteRead`, if it is not null, before each access.
void multiplyGroup(const char *shared, const Descriptor &left, const Descriptor &right, int32_t thread, Numbers numbers,
                   float *sums, int32_t count, ReadHook noteRead);

} // namespace emulator

#endif
