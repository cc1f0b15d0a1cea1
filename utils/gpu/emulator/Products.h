// The products of groups of warps that are under way: until they were waited for, nobody may write to their matrices.
#ifndef CAMEO_UTILS_GPU_EMULATOR_PRODUCTS_H
#define CAMEO_UTILS_GPU_EMULATOR_PRODUCTS_H

#include "Matrices.h"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace emulator {

/// Threads of a group of warps.
constexpr int32_t groupThreads = 4 * warpThreads;

/// Bytes of a vector of shared memory, of which products read whole ones, and vectors that a descriptor can address.
constexpr size_t vectorBytes = 16, mostVectors = 1 << 14;

/// The products of one thread that are under way, and its sums, which nobody else may read until then.
class ThreadProducts {
public:
  /// Adds a product of matrices in the shared memory from `shared` on to `registers`, the sums of the thread, and keeps
  /// the result. Sums of products that are under way are those that were kept. Returns what is wrong, or null.
  const char *multiply(const char *shared, const Descriptor &left, const Descriptor &right, int32_t thread,
                       Numbers numbers, float *registers, int32_t count, ReadHook noteRead);
  /// Orders all accesses to registers before the next products ("wgmma.fence").
  void fence() { isFenced = true; }
  void commit() { ++groups; }
  /// Ends all products but those of the `pending` newest groups, and puts the sums into `registers`. Returns false if
  /// there are some, and some products are still under way.
  bool await(int32_t pending, float *registers, int32_t count);
  /// Whether a product that is under way reads any of these bytes of the shared memory from `shared` on.
  bool reads(const char *shared, const void *address, size_t bytes) const;
  /// Returns the number of products that the thread has started.
  size_t count() const { return started; }

private:
  struct Product {
    int32_t group;
    std::bitset<mostVectors> vectors; ///< that it reads
  };
  std::vector<float> sums;
  std::vector<Product> underWay;
  int32_t groups = 0; ///< that the thread has committed
  size_t started = 0;
  bool isFenced = false;
};

} // namespace emulator

#endif
