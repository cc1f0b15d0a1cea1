// Each byte of memory has a cell that remembers who wrote it last and who has read it since. Reads of a launch are
// remembered as far as a later write must know: the last two threads of one block, and whether several blocks read.
#include "Check.h"

#include "Memory.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <optional>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace emulator {
namespace {

constexpr int32_t nobody = -1;

struct Reader {
  int32_t thread;
  uint32_t phase;
};

/// All zeros: nobody has been there. What is of another launch does not count.
struct Cell {
  bool isWritten, hasWriter, hasReader, isReadByBlocks, isAtomic;
  uint32_t launch;
  int32_t writeBlock, writeThread;
  uint32_t writePhase;
  int32_t readBlock;
  Reader readers[2]; ///< of readBlock, the last one first
};

/// The cells of an allocation; the host gives pages as they are touched.
class Cells {
public:
  explicit Cells(size_t bytes) : size(bytes * sizeof(Cell)) {
    void *mapping = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
      abort();
    first = static_cast<Cell *>(mapping);
  }
  Cells(Cells &&other) noexcept : first(std::exchange(other.first, nullptr)), size(other.size) {}
  ~Cells() {
    if (first)
      munmap(first, size);
  }
  Cell *at(size_t byte) { return first + byte; }

private:
  Cell *first;
  size_t size;
};

std::map<uintptr_t, std::pair<uint64_t, Cells>> global; ///< by begin of an allocation, with its number
std::vector<Cell> sharedCells;
const char *shared = nullptr;
uint32_t launch = 0;
int32_t block = 0, thread = 0;
uint32_t phase = 0;
const void *source = nullptr; ///< of the next copy
std::string first;            ///< problem

/// What is known of `address`, and how many bytes of its memory are from there on; none where nothing is.
struct Known {
  Cell *cell = nullptr;
  size_t bytes = 0, begin = 0, all = 0;
  const char *where = nullptr;
};

Known find(const void *address) {
  const auto *byte = static_cast<const char *>(address);
  if (shared && byte >= shared && byte < shared + sharedCells.size()) {
    auto begin = static_cast<size_t>(byte - shared);
    return {&sharedCells[begin], sharedCells.size() - begin, begin, sharedCells.size(), "shared memory"};
  }
  std::optional<FoundMemory> memory = findMemory(address);
  if (!memory || memory->isFreed)
    return {};
  auto start = reinterpret_cast<uintptr_t>(memory->begin);
  auto found = global.find(start);
  // Other memory may have been there.
  if (found != global.end() && found->second.first != memory->number)
    found = (global.erase(found), global.end());
  if (found == global.end())
    found = global.emplace(start, std::pair(memory->number, Cells(memory->bytes))).first;
  size_t begin = reinterpret_cast<uintptr_t>(address) - start;
  return {found->second.second.at(begin), memory->bytes - begin, begin, memory->bytes, "an allocation"};
}

/// Whether a table of the image is at `address`: it is on the device with the code, and no allocation.
bool isTable(const void *address) {
  Dl_info of, image;
  return shared && dladdr(address, &of) && dladdr(shared, &image) && of.dli_fbase == image.dli_fbase;
}

void note(const char *verb, size_t bytes, const Known &known, const std::string &what) {
  std::string text = verb + (" " + std::to_string(bytes) + " bytes");
  if (known.cell)
    text += " at byte " + std::to_string(known.begin) + " of " + known.where + " of " + std::to_string(known.all) +
            " bytes";
  noteProblem(text + what);
}

std::string otherThread(int32_t other, const char *did) {
  return " that thread " + std::to_string(other) + " has " + did + ", with no barrier between them";
}
std::string otherBlock(int32_t other, const char *did) {
  return " that block " + std::to_string(other) + " of the launch has " + did;
}

/// What another thread did that this access is in no order with; empty where there is none.
std::string findRace(const Cell &cell, AccessKind kind) {
  bool bothAtomic = kind == atomicAccess && cell.isAtomic;
  if (cell.hasWriter && !bothAtomic && cell.writeBlock != block)
    return otherBlock(cell.writeBlock, "written");
  if (cell.hasWriter && !bothAtomic && cell.writeThread != thread && cell.writePhase == phase)
    return otherThread(cell.writeThread, "written");
  if (kind == readAccess || !cell.hasReader)
    return "";
  if (cell.isReadByBlocks || cell.readBlock != block)
    return otherBlock(cell.readBlock, "read");
  for (const Reader &reader : cell.readers)
    if (reader.thread != nobody && reader.thread != thread && reader.phase == phase)
      return otherThread(reader.thread, "read");
  return "";
}

void remember(Cell &cell, AccessKind kind) {
  if (kind != readAccess) {
    cell.isWritten = cell.hasWriter = true;
    cell.isAtomic = kind == atomicAccess;
    cell.writeBlock = block;
    cell.writeThread = thread;
    cell.writePhase = phase;
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

static void noteOne(Cell &cell, size_t bytes, const Known &known, AccessKind kind, const char *verb) {
  if (cell.launch != launch) {
    cell.launch = launch;
    cell.hasWriter = cell.hasReader = cell.isReadByBlocks = cell.isAtomic = false;
  }
  if ((kind == readAccess || kind == atomicAccess) && !cell.isWritten)
    note(verb, bytes, known, " that nothing has written");
  bool isRead = kind == readAccess || kind == copyFromAccess;
  AccessKind plain = isRead ? readAccess : kind == atomicAccess ? atomicAccess : writeAccess;
  if (std::string race = findRace(cell, plain); !race.empty())
    note(verb, bytes, known, race);
  remember(cell, plain);
}

bool isChecking() {
  static const bool is = [] {
    const char *value = getenv("CAMEO_EMULATOR_CHECK");
    return value && *value && strcmp(value, "off") != 0;
  }();
  return is;
}

void beginLaunch() {
  ++launch;
  first.clear();
}

void beginBlock(int32_t number, const void *memory, size_t bytes) {
  block = number;
  shared = static_cast<const char *>(memory);
  sharedCells.assign(bytes, Cell{});
}

void setThread(int32_t number, uint32_t passed) {
  thread = number;
  phase = passed;
}

bool noteAccess(const void *address, size_t bytes, AccessKind kind) {
  if (kind == copySource) {
    source = address;
    return true;
  }
  const char *verb = kind == readAccess || kind == copyFromAccess ? "reads"
                     : kind == atomicAccess                       ? "changes"
                                                                  : "writes";
  Known known = find(address);
  if (!known.cell && kind == readAccess && isTable(address))
    return true;
  if (!known.cell) {
    std::optional<FoundMemory> memory = findMemory(address);
    note(verb, bytes, known, memory ? " of memory that was freed" : " where there is no memory");
    return false;
  }
  if (bytes > known.bytes) {
    note(verb, bytes, known, ", and leaves it");
    return false;
  }
  Known copied = kind == copyToAccess ? find(source) : Known();
  for (size_t byte = 0; byte < bytes; ++byte) {
    bool isUnwritten = copied.cell && byte < copied.bytes && !copied.cell[byte].isWritten;
    noteOne(known.cell[byte], bytes, known, kind, verb);
    known.cell[byte].isWritten &= !isUnwritten;
  }
  return true;
}

void markInFlight(const void *address, size_t bytes) {
  Known known = find(address);
  for (size_t byte = 0; known.cell && byte < bytes && byte < known.bytes; ++byte)
    known.cell[byte].isWritten = false;
}

const std::string &problem() { return first; }

void noteProblem(const std::string &what) {
  if (first.empty())
    first = "thread " + std::to_string(thread) + " of block " + std::to_string(block) + " " + what;
}

bool isWritten(const void *address, size_t bytes) {
  Known known = find(address);
  for (size_t byte = 0; known.cell && byte < bytes && byte < known.bytes; ++byte)
    if (!known.cell[byte].isWritten)
      return false;
  return true;
}

void markWritten(const void *address, size_t bytes) {
  Known known = find(address);
  for (size_t byte = 0; known.cell && byte < bytes && byte < known.bytes; ++byte)
    known.cell[byte].isWritten = true;
}

} // namespace emulator
