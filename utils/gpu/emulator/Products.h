// The products of groups of warps that are under way: until they were waited for, nobody may write to their matrices.
#ifndef CAMEO_UTILS_GPU_EMULATOR_PRODUCTS_H
#define CAMEO_UTILS_GPU_EMULATOR_PRODUCTS_H

#include "Matrices.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emulator {

/// Threads of a group of warps.
constexpr int32_t groupThreads = 4 * warpThreads;

/// A part of shared memory that a product reads.
struct ReadPart {
  const char *begin, *end;
};

/// The products of one thread that are under way, and its sums, which nobody else may read until then.
class ThreadProducts {
public:
  /// Adds a product to `registers`, the sums of the thread, and keeps the result. Sums of products that are under way
  /// are those that were kept.
  void multiply(const GroupMatrix &left, const GroupMatrix &right, int32_t thread, Numbers numbers, float *registers,
                int32_t count, ReadHook noteRead);
  void commit() { ++groups; }
  /// Ends all products but those of the `pending` newest groups, and puts the sums into `registers`. Returns false if
  /// there are some, and some products are still under way.
  bool await(int32_t pending, float *registers, int32_t count);
  /// Whether a product that is under way reads any of these bytes.
  bool reads(const void *address, size_t bytes) const;

private:
  struct Product {
    int32_t group;
    std::vector<ReadPart> parts;
  };
  std::vector<float> sums;
  std::vector<Product> underWay;
  int32_t groups = 0; ///< that the thread has committed
};

} // namespace emulator

#endif
