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
  void *mapping;
  size_t mappingBytes;
};

std::map<uintptr_t, Allocation> allocations; ///< by their begin

/// What the driver promises; what is allocated ends that far in front of the page at most.
constexpr size_t alignment = 256;

size_t roundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

} // namespace

void *allocate(size_t bytes) {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)), rounded = roundUp(bytes, alignment), mappingBytes = roundUp(rounded, page) + page;
  void *mapping = mmap(nullptr, mappingBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return nullptr;
  char *guard = static_cast<char *>(mapping) + mappingBytes - page, *begin = guard - rounded;
  mprotect(guard, page, PROT_NONE);
  memset(begin, 0xff, rounded);
  allocations[reinterpret_cast<uintptr_t>(begin)] = {bytes, mapping, mappingBytes};
  return begin;
}

bool release(void *memory) {
  auto found = allocations.find(reinterpret_cast<uintptr_t>(memory));
  if (found == allocations.end())
    return false;
  munmap(found->second.mapping, found->second.mappingBytes);
  allocations.erase(found);
  return true;
}

bool isInside(const void *begin, size_t bytes) {
  auto address = reinterpret_cast<uintptr_t>(begin);
  auto behind = allocations.upper_bound(address);
  if (behind == allocations.begin())
    return false;
  auto [start, allocation] = *std::prev(behind);
  return address + bytes <= start + allocation.bytes;
}

} // namespace emulator
