#include "SharedMemories.h"

#include <cstring>

namespace emulator {

SharedMemories::SharedMemories(SharedMemory memory, int32_t blocks)
    : memory(memory), kept(static_cast<size_t>(blocks), std::string(memory.bytes, '\xff')) {}

void SharedMemories::enter(int32_t block) {
  if (current == block || memory.bytes == 0)
    return;
  if (current >= 0)
    memcpy(kept[current].data(), memory.begin, memory.bytes);
  memcpy(memory.begin, kept[block].data(), memory.bytes);
  current = block;
}

const void *SharedMemories::find(const void *address, int32_t block) const {
  const auto *byte = static_cast<const char *>(address);
  if (block < 0 || static_cast<size_t>(block) >= kept.size() || byte < memory.begin ||
      byte >= memory.begin + memory.bytes)
    return nullptr;
  return block == current ? byte : kept[block].data() + (byte - memory.begin);
}

} // namespace emulator
