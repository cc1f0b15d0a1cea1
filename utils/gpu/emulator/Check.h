// Looks at every access of kernels to memory: races, memory that nothing has written, and memory that is not there.
#ifndef CAMEO_UTILS_GPU_EMULATOR_CHECK_H
#define CAMEO_UTILS_GPU_EMULATOR_CHECK_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace emulator {

/// As passes/Codegen/Gpu/CheckAccesses.cpp numbers them.
enum AccessKind : int32_t {
  readAccess = 0,
  writeAccess = 1,
  atomicAccess = 2,
  copyFromAccess = 3, ///< a read of what is only written elsewhere, whether anything has written it or not
  copySource = 4,     ///< no access: names what the next access writes
  copyToAccess = 5    ///< a write of that: what nothing has written stays such
};

/// Whether CAMEO_EMULATOR_CHECK asks for it.
bool isChecking();

/// From here to the next call `residentBlocks` blocks may wait for each other by counters, at most mostResidentBlocks;
/// 0: none may.
constexpr int32_t mostResidentBlocks = 8;
void beginLaunch(int32_t residentBlocks = 0);

/// A block has shared memory of its own, in which nothing has been written. It makes the next accesses.
void beginBlock(int32_t block, const void *shared, size_t sharedBytes);

/// A resident block that has begun makes the next accesses.
void enterBlock(int32_t block);

/// Who makes the next accesses: two threads of a block are in order where a barrier is between their phases.
void setThread(int32_t thread, uint32_t phase);

/// What the thread has done and knows is handed on by a counter to who reads it later: what other threads of its block
/// have done before the last barrier, and it itself until now.
void noteRelease(const void *counter);
/// From here on the thread, and behind the next barrier its block, is behind all that the counter hands on.
void noteAcquire(const void *counter);

/// What a kernel calls before each access: notes the first problem of a launch. False where the access cannot be made
/// at all.
bool noteAccess(const void *address, size_t bytes, AccessKind kind);

/// Notes as such that the thread did `what`: "thread 1 of block 0 ...".
void noteProblem(const std::string &what);

/// A copy is under way there: it counts as unwritten until the next write.
void markInFlight(const void *address, size_t bytes);

/// The first problem since beginLaunch; empty where there is none.
const std::string &problem();

/// Whether something has written all of these bytes: the host, a copy or a kernel.
bool isWritten(const void *address, size_t bytes);
void markWritten(const void *address, size_t bytes);

} // namespace emulator

#endif
