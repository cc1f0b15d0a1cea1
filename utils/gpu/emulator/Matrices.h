// What the instructions of a warp that load and multiply matrices make of the registers of its threads, as the PTX ISA
// has them ("ldmatrix", "mma.m16n8k16", "mma.m16n8k8", "mma.m16n8k32").
#ifndef CAMEO_UTILS_GPU_EMULATOR_MATRICES_H
#define CAMEO_UTILS_GPU_EMULATOR_MATRICES_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace emulator {

constexpr int32_t warpThreads = 32;
/// Registers that a thread gives to a product: four of the left factor, two of the right one, and from `sumPlace` on
/// four sums.
constexpr size_t mostRegisters = 10, rightPlace = 4, sumPlace = 6;

/// Of all threads of a warp.
using WarpRegisters = std::array<std::array<uint32_t, mostRegisters>, warpThreads>;

/// What thread `lane` gets of matrix number `matrix`, of 8 rows of 8 numbers of 16 bits, whose addresses are what the
/// threads from 8 * `matrix` on gave: two neighbours of a row or, `isTransposed`, of a column. Calls `noteRead`, if
/// there is one, before each access.
using ReadHook = void (*)(const void *from, size_t bytes);
uint32_t loadPart(const WarpRegisters &rows, int32_t matrix, int32_t lane, bool isTransposed, ReadHook noteRead);

/// What a product multiplies, as passes/Codegen/Gpu/ConvertBlocks.cpp numbers it: 16 x 16 by 16 x 8 of f16 or bf16, two
/// of them in a register, 16 x 8 by 8 x 8 of tf32, or 16 x 32 by 32 x 8 of bytes, four of them in a register, with the
/// signs of the left and of the right ones.
enum class Numbers : int32_t { F16 = 0, Bf16 = 1, U8U8 = 2, S8U8 = 3, U8S8 = 4, S8S8 = 5, Tf32 = 6 };

/// The four sums of thread `lane` after such a product. Products are exact and added up in f64, which is rounded once;
/// those of bytes in 32 bits, of which what is beyond is lost.
void multiplyMatrices(const WarpRegisters &registers, int32_t lane, Numbers numbers, uint32_t *sums);

/// Whether all that a thread gives are numbers of that kind. How those of tf32 lie in 32 bits is not stated: what no
/// conversion has made is none; of one that the emulator makes the last 13 bits are 0.
bool areNumbers(const WarpRegisters::value_type &registers, Numbers numbers);

} // namespace emulator

#endif
