#include "Memory.h"

#include <cstdint>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace emulator {
namespace {

struct Allocation {
  size_t bytes;
  uint64_t number;
  bool isFreed;
  void *mapping;
  size_t mappingBytes;
};

std::map<uintptr_t, Allocation> allocations; ///< by start address, including those that were freed
uint64_t count = 0;

/// Alignment that the driver guarantees. An allocation ends less than this before its guard page.
constexpr size_t alignment = 256;

size_t roundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

} // namespace

void *allocate(size_t bytes) {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)), rounded = roundUp(bytes, alignment),
         mappingBytes = roundUp(rounded, page) + page;
  void *mapping =
      mmap(nullptr, mappingBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return nullptr;
  char *guard = static_cast<char *>(mapping) + mappingBytes - page, *begin = guard - rounded;
  mprotect(guard, page, PROT_NONE);
  memset(begin, 0xff, rounded);
  allocations[reinterpret_cast<uintptr_t>(begin)] = {bytes, ++count, false, mapping, mappingBytes};
  return begin;
}

bool release(void *memory) {
  auto found = allocations.find(reinterpret_cast<uintptr_t>(memory));
  if (found == allocations.end() || found->second.isFreed)
    return false;
  // Keeps the addresses reserved, so that an access to freed memory is recognised.
  found->second.isFreed = true;
  return mmap(found->second.mapping, found->second.mappingBytes, PROT_NONE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
}

std::optional<FoundMemory> findMemory(const void *address) {
  auto place = reinterpret_cast<uintptr_t>(address);
  auto behind = allocations.upper_bound(place);
  if (behind == allocations.begin())
    return std::nullopt;
  auto [start, allocation] = *std::prev(behind);
  if (place >= start + allocation.bytes)
    return std::nullopt;
  return FoundMemory{reinterpret_cast<void *>(start), allocation.bytes, allocation.number, allocation.isFreed};
}

bool isInside(const void *begin, size_t bytes) {
  if (bytes == 0)
    return true;
  std::optional<FoundMemory> memory = findMemory(begin);
  return memory && !memory->isFreed &&
         reinterpret_cast<uintptr_t>(begin) + bytes <= reinterpret_cast<uintptr_t>(memory->begin) + memory->bytes;
}

} // namespace emulator
