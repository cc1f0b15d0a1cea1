#include "utils/Driver/Run/MachinePeaks.h"

#include "cameo/runtime.h"

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

using namespace cameo;

// ---- kernels ----

namespace {

/// Receives the results, so that no loop is removed as dead code.
volatile float sink;

/// Number of independent chains of multiply-adds: enough to hide the latency of any processor, few enough for 16
/// registers.
constexpr int chains = 12;
constexpr int64_t chainSteps = 200000;

template <typename Vector> [[gnu::always_inline]] inline void multiplyAdd() {
  constexpr int lanes = sizeof(Vector) / sizeof(float);
  // Read at run time, because constant factors would be folded.
  float start = sink;
  Vector sums[chains], scale = Vector{} + (0.999f + start * 0), addend = Vector{} + (1e-3f + start * 0);
  for (int chain = 0; chain < chains; ++chain)
    sums[chain] = Vector{} + static_cast<float>(chain);
  for (int64_t step = 0; step < chainSteps; ++step) {
    for (Vector &sum : sums)
      sum = sum * scale + addend;
  }
  Vector total = {};
  for (Vector &sum : sums)
    total += sum;
  float result = 0;
  for (int lane = 0; lane < lanes; ++lane)
    result += total[lane];
  sink = result * 0;
}

template <typename Vector> [[gnu::always_inline]] inline void readAll(const float *data, int64_t count) {
  constexpr int64_t lanes = sizeof(Vector) / sizeof(float), unroll = 8;
  Vector sums[unroll] = {};
  for (int64_t at = 0; at + unroll * lanes <= count; at += unroll * lanes)
    for (int64_t i = 0; i < unroll; ++i)
      sums[i] += *reinterpret_cast<const Vector *>(data + at + i * lanes);
  float result = 0;
  for (Vector &sum : sums)
    result += sum[0];
  sink = result * 0;
}

struct Kernels {
  void (*compute)();
  void (*read)(const float *data, int64_t count);
};

using Float4 [[gnu::vector_size(16), gnu::may_alias]] = float;
#if defined(__x86_64__)
using Float8 [[gnu::vector_size(32), gnu::may_alias]] = float;
using Float16 [[gnu::vector_size(64), gnu::may_alias]] = float;

[[gnu::target("avx512f")]] void computeAvx512() { multiplyAdd<Float16>(); }
[[gnu::target("avx512f")]] void readAvx512(const float *data, int64_t count) { readAll<Float16>(data, count); }
[[gnu::target("avx2,fma")]] void computeAvx2() { multiplyAdd<Float8>(); }
[[gnu::target("avx2,fma")]] void readAvx2(const float *data, int64_t count) { readAll<Float8>(data, count); }
#endif
void computeBaseline() { multiplyAdd<Float4>(); }
void readBaseline(const float *data, int64_t count) { readAll<Float4>(data, count); }

struct WidestKernels : Kernels {
  int64_t lanes = 4;
  explicit WidestKernels(int64_t mostLanes) : Kernels{computeBaseline, readBaseline} {
#if defined(__x86_64__)
    if (mostLanes >= 16 && __builtin_cpu_supports("avx512f")) {
      static_cast<Kernels &>(*this) = {computeAvx512, readAvx512};
      lanes = 16;
    } else if (mostLanes >= 8 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      static_cast<Kernels &>(*this) = {computeAvx2, readAvx2};
      lanes = 8;
    }
#endif
  }
};

/// Other processes may disturb some of the rounds, and a processor takes a while to reach its clock rate for wide
/// vectors.
constexpr int computeRounds = 60, readRounds = 8;
constexpr int64_t readFloats = 64 << 20;
/// Large enough that the resolution of the clock does not matter, small enough that other processes disturb few rounds.
constexpr int64_t bytesAtOnce = 16 << 20;

/// Each addition depends on the one before, so it takes one cycle on all processors.
constexpr int64_t cycleSteps = 1 << 16, additionsPerStep = 8;

void countCycles() {
  int64_t sum = 0, addend = 1;
  for (int64_t step = 0; step < cycleSteps; ++step)
#if defined(__x86_64__)
    asm volatile(
        "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0"
        : "+r"(sum)
        : "r"(addend));
#else
    asm volatile("add %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, "
                 "%0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1"
                 : "+r"(sum)
                 : "r"(addend));
#endif
}

/// Zeros, aligned for the widest vector.
using Floats = std::unique_ptr<float[], void (*)(float *)>;

Floats makeFloats(int64_t count) {
  constexpr std::align_val_t alignment{64};
  Floats data(static_cast<float *>(::operator new[](count * sizeof(float), alignment)),
              [](float *memory) { ::operator delete[](memory, alignment); });
  std::fill_n(data.get(), count, 0.0f);
  return data;
}

double operationsOf(const WidestKernels &kernels) { return 2.0 * chains * chainSteps * kernels.lanes; }

struct Seconds {
  double compute, read;
};

/// Returns the shortest times of one thread, while all threads run the same kernel at the same time.
template <typename Barrier> Seconds measureShare(const WidestKernels &kernels, int64_t floats, Barrier &barrier) {
  Floats data = makeFloats(floats); // a multiple of what is read at once
  auto shortest = [&](int rounds, auto work) {
    double best = 1e30;
    for (int round = 0; round < rounds; ++round) {
      barrier.arrive_and_wait();
      uint64_t begin = cameo_now();
      work();
      best = std::min(best, static_cast<double>(cameo_now() - begin) / 1e9);
    }
    return best;
  };
  double compute = shortest(computeRounds, [&] { kernels.compute(); });
  return {compute, shortest(readRounds, [&] { kernels.read(data.get(), floats); })};
}

} // namespace

// ---- measurement ----

double MachinePeaks::leastSeconds(double flops, double bytes) const {
  return std::max(flops / (gflops * 1e9), bytes / (readGbs * 1e9));
}

double cameo::multiplyAddOnce(int64_t mostLanes) {
  const WidestKernels kernels(mostLanes);
  kernels.compute();
  return operationsOf(kernels);
}

CoreRates cameo::measureCore(int64_t mostLanes, const ReadBlocks &blocks) {
  WidestKernels kernels(mostLanes);
  auto secondsOf = [](auto work) {
    uint64_t begin = cameo_now();
    work();
    return static_cast<double>(cameo_now() - begin) / 1e9;
  };
  // The clock rate depends on the preceding work, so it is measured after each round. The median counts, because other
  // processes may disturb either measurement.
  auto cyclesOf = [&](auto work) {
    std::vector<double> cycles;
    for (int round = 0; round < computeRounds; ++round) {
      double seconds = secondsOf(work), clock = secondsOf(countCycles) / (cycleSteps * additionsPerStep);
      cycles.push_back(seconds / clock);
    }
    std::nth_element(cycles.begin(), cycles.begin() + computeRounds / 2, cycles.end());
    return cycles[computeRounds / 2];
  };
  // A large block is read in parts, so that another process on the core disturbs only one of them.
  auto bytesPerCycle = [&](int64_t blockBytes) {
    int64_t part = std::min(blockBytes, bytesAtOnce) / static_cast<int64_t>(sizeof(float)) / 128 * 128,
            parts = std::max<int64_t>(1, blockBytes / bytesAtOnce);
    int64_t passes = std::max<int64_t>(1, bytesAtOnce / blockBytes), next = 0;
    Floats data = makeFloats(part * parts);
    double cycles = cyclesOf([&] {
      for (int64_t pass = 0; pass < passes; ++pass)
        kernels.read(data.get() + part * (next++ % parts), part);
    });
    return static_cast<double>(passes * part * sizeof(float)) / cycles;
  };
  CoreRates rates;
  double multiplyAdds = operationsOf(kernels) / 2 / static_cast<double>(kernels.lanes);
  rates.multiplyAdds = multiplyAdds / cyclesOf([&] { kernels.compute(); });
  rates.nearBytes = bytesPerCycle(blocks.nearBytes);
  rates.farBytes = bytesPerCycle(blocks.farBytes);
  rates.memoryBytes = bytesPerCycle(blocks.memoryBytes);
  return rates;
}

MachinePeaks cameo::measurePeaks(int threads) {
  WidestKernels kernels(std::numeric_limits<int64_t>::max());
  int64_t share = readFloats / threads / 128 * 128;
  std::barrier barrier(threads);
  std::vector<Seconds> times(threads);
  std::vector<std::thread> others;
  for (int number = 1; number < threads; ++number)
    others.emplace_back([&, number] { times[number] = measureShare(kernels, share, barrier); });
  times[0] = measureShare(kernels, share, barrier);
  for (std::thread &other : others)
    other.join();
  MachinePeaks peaks;
  for (const Seconds &time : times) {
    peaks.gflops += operationsOf(kernels) / time.compute / 1e9;
    peaks.readGbs += share * sizeof(float) / time.read / 1e9;
  }
  return peaks;
}
