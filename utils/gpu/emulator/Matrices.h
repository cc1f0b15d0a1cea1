// What the instructions of a warp that load and multiply matrices make of the registers of its threads, as the PTX ISA
// has them ("ldmatrix", "mma.m16n8k16").
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

/// The four sums of thread `lane` after the product of 16 x 16 and 16 x 8 numbers of f16 or, `isBrain`, of bf16.
/// Products are exact and added up in f64, which is rounded once.
void multiplyMatrices(const WarpRegisters &registers, int32_t lane, bool isBrain, uint32_t *sums);

} // namespace emulator

#endif
