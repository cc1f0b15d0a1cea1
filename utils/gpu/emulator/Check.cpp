// Each byte of memory has a cell that records its last writer and its readers since then. Of the reads in a launch, a
// cell keeps what a later write needs: the last two reading threads of one block, and whether several blocks read.
// Counters order blocks: each block has a vector clock (Flanagan and Freund, FastTrack, PLDI 2009), which holds for
// each other block the phase up to which this block is ordered after it. In a persistent launch, each byte has a second
// cell with the last read of every block.
#include "Check.h"

#include "AllocationCells.h"
#include "Memory.h"
#include "SharedCells.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace emulator {
namespace {

constexpr int32_t nobody = -1;

/// The part of a block's accesses that another one is ordered after: all phases before `phase`, and the accesses of
/// `thread` in that phase.
struct Moment {
  uint32_t phase = 0;
  int32_t thread = nobody;
  bool covers(uint32_t otherPhase, int32_t otherThread) const {
    return otherPhase < phase || (otherPhase == phase && thread != nobody && otherThread == thread);
  }
};
/// By block. A block without an entry is not ordered.
using Clock = std::map<int32_t, Moment>;

void join(Clock &into, const Clock &other) {
  for (auto [block, moment] : other) {
    Moment &known = into[block];
    if (moment.phase > known.phase || (moment.phase == known.phase && known.thread == nobody))
      known = moment;
  }
}

bool covers(const Clock &clock, int32_t block, uint32_t phase, int32_t thread) {
  auto found = clock.find(block);
  return found != clock.end() && found->second.covers(phase, thread);
}

struct BlockState {
  SharedCells shared;
  Clock known;                              ///< known to all threads
  std::map<int32_t, Clock> acquired;        ///< acquired by threads since the last barrier
  uint32_t phase = 0;                       ///< phase of the threads in `acquired`
  std::map<int32_t, uint32_t> publications; ///< number of times that threads have published their writes
  std::set<int32_t> waited;                 ///< threads that have waited for earlier launches
  /// In a cluster: the phase behind the last meeting, what others have read of the shared memory since then, and
  /// whether the block has ended.
  uint32_t metPhase = 0;
  struct NeighbourRead {
    size_t begin, end;
    int32_t block;
  };
  std::vector<NeighbourRead> read;
  bool hasEnded = false;
};

std::map<uintptr_t, AllocationCells> global; ///< by start address of the allocation
std::vector<BlockState> blocks(1);           ///< the running block, or all resident ones
BlockState *own = blocks.data();             ///< state of the current block
bool isResident = false, isDependent = false;
int32_t inCluster = 1; ///< blocks of a cluster
std::map<const void *, Clock> counters;
const char *shared = nullptr;
uint32_t launch = 0;
int32_t block = 0, thread = 0;
uint32_t phase = 0;
const void *source = nullptr; ///< source of the next copy
std::string first;            ///< the first problem

/// The cell of an address, and the number of bytes from there to the end of its memory. `cell` is null if there is no
/// memory.
struct Known {
  Cell *cell = nullptr;
  Reads *reads = nullptr; ///< null for shared memory
  size_t bytes = 0, begin = 0, all = 0;
  const char *where = nullptr;
  AllocationCells *allocation = nullptr; ///< null for shared memory
};

/// A byte of an allocation. `cells` is null if there is none.
struct Place {
  AllocationCells *cells = nullptr;
  size_t begin = 0, all = 0; ///< number of the byte, and bytes of the allocation
  size_t atMost(size_t count) const { return std::min(count, all - begin); }
};

Place findAllocation(const void *address) {
  std::optional<FoundMemory> memory = findMemory(address);
  if (!memory || memory->isFreed)
    return {};
  auto start = reinterpret_cast<uintptr_t>(memory->begin);
  auto found = global.find(start);
  // The address may have belonged to another allocation before.
  if (found != global.end() && found->second.number != memory->number)
    found = (global.erase(found), global.end());
  if (found == global.end())
    found = global.try_emplace(start, memory->number, memory->bytes).first;
  return {&found->second, reinterpret_cast<uintptr_t>(address) - start, memory->bytes};
}

/// The cells of up to `count` bytes from `address` on.
Known find(const void *address, size_t count) {
  const auto *byte = static_cast<const char *>(address);
  if (shared && byte >= shared && byte < shared + own->shared.size()) {
    auto begin = static_cast<size_t>(byte - shared);
    size_t all = own->shared.size();
    return {own->shared.access(begin, count), nullptr, all - begin, begin, all, "shared memory"};
  }
  Place place = findAllocation(address);
  if (!place.cells)
    return {};
  auto [allocation, begin, all] = place;
  allocation->fill(begin, place.atMost(count));
  return {
      allocation->cells.at(begin), allocation->reads.at(begin), all - begin, begin, all, "an allocation", allocation};
}

/// Whether a constant table of the image is at `address`. It is loaded with the code, and is no allocation.
bool isTable(const void *address) {
  Dl_info of, image;
  return shared && dladdr(address, &of) && dladdr(shared, &image) && of.dli_fbase == image.dli_fbase;
}

void note(const char *verb, size_t bytes, const Known &known, const std::string &what) {
  std::string text = verb + (" " + std::to_string(bytes) + " bytes");
  if (known.cell)
    text += " at byte " + std::to_string(known.begin) + " of " + known.where + " of " + std::to_string(known.all) +
            " bytes";
  reportProblem(text + what);
}

std::string otherThread(int32_t other, const char *did) {
  return " that thread " + std::to_string(other) + " has " + did + ", with no barrier between them";
}
std::string otherBlock(int32_t other, const char *did) {
  return " that block " + std::to_string(other) + " of the launch has " + did +
         (isResident || !counters.empty() ? ", with no counter between them" : "");
}

/// Whether a counter orders the current thread after an access of another block.
bool isBehind(int32_t other, int32_t otherThread, uint32_t otherPhase) {
  auto found = own->acquired.find(thread);
  return covers(own->known, other, otherPhase, otherThread) ||
         (found != own->acquired.end() && covers(found->second, other, otherPhase, otherThread));
}

/// Describes a read of another block that the current access is not ordered after; empty if there is none.
std::string findReadingBlock(const Cell &cell, const Reads *reads) {
  if (!isResident)
    return cell.isReadByBlocks || cell.readBlock != block ? otherBlock(cell.readBlock, "read") : "";
  for (int32_t other = 0; reads && other < mostResidentBlocks; ++other)
    if (other != block && reads->behind[other] > 0 && !isBehind(other, nobody, reads->behind[other] - 1))
      return otherBlock(other, "read");
  return "";
}

/// Describes an access of another thread that races with the current one; empty if there is none.
std::string findRace(const Cell &cell, const Reads *reads, AccessKind kind) {
  bool bothAtomic = kind == atomicAccess && cell.isAtomic;
  if (cell.hasWriter && !bothAtomic && cell.writeBlock != block &&
      !isBehind(cell.writeBlock, cell.writeThread, cell.writePhase))
    return otherBlock(cell.writeBlock, "written");
  if (cell.hasWriter && !bothAtomic && cell.writeBlock == block && cell.writeThread != thread &&
      cell.writePhase == phase)
    return otherThread(cell.writeThread, "written");
  if (kind == readAccess || !cell.hasReader)
    return "";
  if (std::string race = findReadingBlock(cell, reads); !race.empty() || cell.readBlock != block)
    return race;
  for (const Reader &reader : cell.readers)
    if (reader.thread != nobody && reader.thread != thread && reader.phase == phase)
      return otherThread(reader.thread, "read");
  return "";
}

/// Reports an access to memory that an earlier launch may still access.
void checkOrder(const char *verb, size_t bytes, const Known &known, bool isRead) {
  if (isDependent && known.allocation && !own->waited.count(thread) && !(isRead && known.allocation->isConstant))
    note(verb, bytes, known, " before it waits for earlier launches");
}

void recordAccess(Cell &cell, Reads *reads, AccessKind kind) {
  if (isResident && reads && kind == readAccess)
    reads->behind[block] = phase + 1;
  if (kind != readAccess) {
    cell.isWritten = cell.hasWriter = true;
    cell.isAtomic = kind == atomicAccess;
    cell.writeBlock = block;
    cell.writeThread = thread;
    cell.writePhase = phase;
    cell.publications = own->publications[thread];
    return;
  }
  cell.isReadByBlocks |= cell.hasReader && cell.readBlock != block;
  if (!cell.hasReader || cell.readBlock != block)
    cell.readers[0] = cell.readers[1] = {nobody, 0};
  cell.hasReader = true;
  cell.readBlock = block;
  if (cell.readers[0].thread != thread && cell.readers[0].thread != nobody)
    cell.readers[1] = cell.readers[0];
  cell.readers[0] = {thread, phase};
}

} // namespace

static void noteOne(size_t byte, size_t bytes, const Known &known, AccessKind kind, const char *verb) {
  Cell &cell = known.cell[byte];
  Reads *reads = known.reads ? known.reads + byte : nullptr;
  if (cell.launch != launch) {
    cell.launch = launch;
    if (isResident && reads)
      *reads = {};
    cell.hasWriter = cell.hasReader = cell.isReadByBlocks = cell.isAtomic = false;
  }
  if ((kind == readAccess || kind == atomicAccess || kind == matrixAccess) && !cell.isWritten)
    note(verb, bytes, known, " that were never written");
  bool isRead = kind == readAccess || kind == copyFromAccess || kind == matrixAccess;
  if (kind == matrixAccess && cell.hasWriter && cell.writeBlock == block &&
      cell.publications == own->publications[cell.writeThread])
    note(verb, bytes, known,
         " that thread " + std::to_string(cell.writeThread) + " has written, with no fence between it and the product");
  AccessKind plain = isRead ? readAccess : kind == atomicAccess ? atomicAccess : writeAccess;
  if (std::string race = findRace(cell, reads, plain); !race.empty())
    note(verb, bytes, known, race);
  recordAccess(cell, reads, plain);
}

bool isChecking() {
  static const bool is = [] {
    const char *value = getenv("CAMEO_EMULATOR_CHECK");
    return value && *value && strcmp(value, "off") != 0;
  }();
  return is;
}

void beginLaunch(int32_t residentBlocks, bool isDependentLaunch, int32_t clusterBlocks) {
  ++launch;
  isDependent = isDependentLaunch;
  first.clear();
  isResident = residentBlocks > 0;
  inCluster = clusterBlocks;
  blocks.resize(static_cast<size_t>(std::max({residentBlocks, clusterBlocks, 1})));
  own = blocks.data();
  counters.clear();
}

void beginBlock(int32_t number, const void *memory, size_t bytes) {
  enterBlock(number);
  shared = static_cast<const char *>(memory);
  SharedCells cells = std::move(own->shared);
  cells.clear(bytes);
  *own = {std::move(cells)};
}

void enterBlock(int32_t number) {
  block = number;
  own = &blocks[isResident ? number : number % inCluster];
}

void noteMeeting(int32_t number, uint32_t begun) {
  BlockState &met = blocks[number % inCluster];
  met.read.clear();
  met.metPhase = begun;
}

void noteBlockEnd() { own->hasEnded = true; }

bool noteNeighbourRead(const void *address, int32_t number, size_t bytes) {
  BlockState &other = blocks[number];
  auto begin = static_cast<size_t>(static_cast<const char *>(address) - shared);
  int32_t otherNumber = block - block % inCluster + number;
  std::string what = "reads " + std::to_string(bytes) + " bytes at byte " + std::to_string(begin) +
                     " of shared memory of block " + std::to_string(otherNumber);
  if (begin + bytes > other.shared.size()) {
    reportProblem(what + ", beyond its end");
    return false;
  }
  if (other.hasEnded) {
    reportProblem(what + ", which has ended");
    return false;
  }
  Cell *cells = other.shared.access(begin, bytes);
  for (size_t byte = 0; byte < bytes; ++byte)
    if (!cells[byte].isWritten)
      reportProblem(what + " that were never written");
    else if (cells[byte].writePhase >= other.metPhase)
      reportProblem(what + " that it has written, with no meeting of the cluster between them");
  if (&other != own)
    other.read.push_back({begin, begin + bytes, block});
  return true;
}

/// Reports a write of the current block to shared memory that another one has read since the cluster has met.
static void checkNeighbours(size_t begin, size_t bytes) {
  for (const BlockState::NeighbourRead &each : own->read)
    if (begin < each.end && each.begin < begin + bytes)
      reportProblem("writes " + std::to_string(bytes) + " bytes at byte " + std::to_string(begin) +
                    " of shared memory that block " + std::to_string(each.block) +
                    " has read, with no meeting of the cluster between them");
}

/// After a barrier, all threads of the block know what each of them acquired before it.
static void passBarrier() {
  if (own->phase == phase)
    return;
  for (const auto &[thread, clock] : own->acquired)
    join(own->known, clock);
  own->acquired.clear();
  own->phase = phase;
}

void noteRelease(const void *counter) {
  passBarrier();
  Clock mine = own->known;
  if (auto found = own->acquired.find(thread); found != own->acquired.end())
    join(mine, found->second);
  mine[block] = {phase, thread};
  join(counters[counter], mine);
}

void noteAcquire(const void *counter) {
  passBarrier();
  if (auto found = counters.find(counter); found != counters.end())
    join(own->acquired[thread], found->second);
}

void setThread(int32_t number, uint32_t passed) {
  thread = number;
  phase = passed;
}

void notePublish() { ++own->publications[thread]; }

bool noteAccess(const void *address, size_t bytes, AccessKind kind) {
  passBarrier();
  if (kind == copySource) {
    source = address;
    return true;
  }
  const char *verb = kind == readAccess || kind == copyFromAccess || kind == matrixAccess ? "reads"
                     : kind == atomicAccess                                               ? "changes"
                                                                                          : "writes";
  Known known = find(address, bytes);
  if (!known.cell && kind == readAccess && isTable(address))
    return true;
  if (!known.cell) {
    std::optional<FoundMemory> memory = findMemory(address);
    note(verb, bytes, known, memory ? " of memory that was freed" : " outside of allocated memory");
    return false;
  }
  if (bytes > known.bytes) {
    note(verb, bytes, known, ", and reaches beyond its end");
    return false;
  }
  bool isRead = kind == readAccess || kind == copyFromAccess;
  checkOrder(verb, bytes, known, isRead);
  if (known.allocation)
    known.allocation->isConstant &= isRead;
  else if (!isRead && kind != matrixAccess)
    checkNeighbours(known.begin, bytes);
  Known copied = kind == copyToAccess ? find(source, bytes) : Known();
  for (size_t byte = 0; byte < bytes; ++byte) {
    bool isUnwritten = copied.cell && byte < copied.bytes && !copied.cell[byte].isWritten;
    noteOne(byte, bytes, known, kind, verb);
    known.cell[byte].isWritten &= !isUnwritten;
  }
  return true;
}

void noteWait() { own->waited.insert(thread); }

void noteEnd() {
  if (isDependent && !own->waited.count(thread))
    reportProblem("ends before it waits for earlier launches");
}

void checkOrder(const char *verb, const void *address, size_t bytes, bool isRead) {
  checkOrder(verb, bytes, find(address, bytes), isRead);
}

void markInFlight(const void *address, size_t bytes) {
  Known known = find(address, bytes);
  for (size_t byte = 0; known.cell && byte < bytes && byte < known.bytes; ++byte)
    known.cell[byte].isWritten = false;
}

const std::string &problem() { return first; }

void reportProblem(const std::string &what) {
  if (first.empty())
    first = "thread " + std::to_string(thread) + " of block " + std::to_string(block) + " " + what;
}

bool isWritten(const void *address, size_t bytes) {
  Place place = findAllocation(address);
  return !place.cells || place.cells->isWritten(place.begin, place.atMost(bytes));
}

void markWritten(const void *address, size_t bytes) {
  if (Place place = findAllocation(address); place.cells)
    place.cells->markWritten(place.begin, place.atMost(bytes));
}

void markChanged(const void *address) {
  if (Place place = findAllocation(address); place.cells)
    place.cells->isConstant = false;
}

void copyMarks(const void *to, const void *from, size_t bytes) {
  Place target = findAllocation(to), source = findAllocation(from);
  if (target.cells && source.cells)
    target.cells->copyMarks(target.begin, *source.cells, source.begin,
                            std::min(target.atMost(bytes), source.atMost(bytes)));
}

} // namespace emulator
