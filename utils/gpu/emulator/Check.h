// Checks every memory access of kernels for races, uninitialised memory and invalid addresses.
#ifndef CAMEO_UTILS_GPU_EMULATOR_CHECK_H
#define CAMEO_UTILS_GPU_EMULATOR_CHECK_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace emulator {

/// Same numbers as in passes/Codegen/Gpu/CheckAccesses.cpp.
enum AccessKind : int32_t {
  readAccess = 0,
  writeAccess = 1,
  atomicAccess = 2,
  copyFromAccess = 3, ///< a read whose value is only stored elsewhere; the memory may be uninitialised
  copySource = 4,     ///< no access: the source of the value that the next access writes
  copyToAccess = 5,   ///< a write of that value; bytes that are uninitialised in the source become uninitialised
  matrixAccess = 6    ///< a read by a product, which sees writes of threads that have published them
};

/// Whether CAMEO_EMULATOR_CHECK enables checks.
bool isChecking();

/// Begins a launch, which lasts until the next call. Its `residentBlocks` blocks, at most mostResidentBlocks, may wait
/// for each other by counters; 0: none may. A dependent launch may have begun before earlier ones have ended: each
/// thread must wait for them before it accesses other global memory than what is constant, which nothing but the host
/// has written, by copies that return when they are done.
/// Blocks of a cluster, whose number is `clusterBlocks`, run in turns.
constexpr int32_t mostResidentBlocks = 8;
void beginLaunch(int32_t residentBlocks = 0, bool isDependent = false, int32_t clusterBlocks = 1);

/// Begins a block, which makes the next accesses. Its shared memory is private and uninitialised.
void beginBlock(int32_t block, const void *shared, size_t sharedBytes);

/// Continues a resident block or one of a cluster, which makes the next accesses.
void enterBlock(int32_t block);

/// Notes that a block has met the others of its cluster, and begins `phase`, or that the current block has ended.
void noteMeeting(int32_t block, uint32_t phase);
void noteBlockEnd();
/// Called before the current thread reads the shared memory of block number `number` of the cluster, at the place of
/// `address` in its own. Records the first problem of a launch. Returns false if the access cannot be executed.
bool noteNeighbourRead(const void *address, int32_t number, size_t bytes);

/// Sets the thread that makes the next accesses. Accesses of two threads of a block are ordered if a barrier separates
/// their phases.
void setThread(int32_t thread, uint32_t phase);

/// Notes that the current thread has waited for earlier launches, or that it ends.
void noteWait();
void noteEnd();

/// Notes a release: whoever acquires the counter later is ordered after the previous accesses of this thread, and after
/// those of the other threads of its block before the last barrier.
void noteRelease(const void *counter);
/// Notes an acquire: from now on the thread, and after the next barrier its block, is ordered after everything that was
/// released through the counter.
void noteAcquire(const void *counter);

/// Notes that this thread publishes its writes to shared memory to products (fence.proxy.async).
void notePublish();

/// Called before each access; records the first problem of a launch. Returns false if the access cannot be executed.
bool noteAccess(const void *address, size_t bytes, AccessKind kind);

/// Records a problem: the current thread did `what`: "thread 1 of block 0 ...".
void reportProblem(const std::string &what);

/// Checks that the current thread, which `verb` these bytes, has waited for earlier launches if it must. Accesses that
/// are noted need no call: it is for counters, and for asynchronous copies, whose accesses are noted when they arrive.
void checkOrder(const char *verb, const void *address, size_t bytes, bool isRead);

/// Marks the target of an asynchronous copy as uninitialised until the next write.
void markInFlight(const void *address, size_t bytes);

/// Returns the first problem since beginLaunch, or "".
const std::string &problem();

/// Whether all of these bytes were written by the host, a copy or a kernel.
bool isWritten(const void *address, size_t bytes);
void markWritten(const void *address, size_t bytes);
/// Notes that this memory is not constant.
void markChanged(const void *address);
/// Marks the target of a copy: bytes that are uninitialised in the source become uninitialised.
void copyMarks(const void *to, const void *from, size_t bytes);

} // namespace emulator

#endif
