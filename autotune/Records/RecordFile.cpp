#include "autotune/Records/RecordFile.h"

#include "dialects/Files/RegularFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cameo::autotune;
using llvm::StringRef;

/// Limit for files, which are read completely; it suffices for millions of records.
static constexpr uint64_t largestBytes = uint64_t(4) << 30;

llvm::Expected<RecordFile> cameo::autotune::readRecords(StringRef path) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readRegularFile(path, largestBytes, /*mayChange=*/true);
  if (!buffer)
    return buffer.takeError();
  RecordFile file;
  StringRef rest = (*buffer)->getBuffer();
  for (unsigned number = 1; !rest.empty(); ++number) {
    bool isWhole = rest.contains('\n');
    auto [line, after] = rest.split('\n');
    rest = after;
    line = line.trim();
    if (line.empty() || line.starts_with("#"))
      continue;
    llvm::Expected<TuningRecord> record = parseRecord(line);
    if (record) {
      (record->isSeed ? file.seeds : record->isBorder() ? file.borders : file.records).push_back(std::move(*record));
    } else if (!isWhole) {
      llvm::consumeError(record.takeError());
      file.endsTorn = true;
    } else {
      return llvm::createStringError(path + ":" + llvm::Twine(number) + ": " + llvm::toString(record.takeError()));
    }
  }
  return file;
}

// ---- writing ----

namespace {

/// Excludes other writers during its lifetime.
class FileLock {
public:
  explicit FileLock(int descriptor) : descriptor(descriptor) {
    while ((isHeld = flock(descriptor, LOCK_EX) == 0) == false && errno == EINTR) {
    }
  }
  ~FileLock() {
    if (isHeld)
      flock(descriptor, LOCK_UN);
  }
  bool isHeld;

private:
  int descriptor;
};

} // namespace

/// Returns the size of the file up to the end of its last complete line.
static off_t wholeBytes(int descriptor, off_t size) {
  char part[4096];
  while (size > 0) {
    off_t begin = size > static_cast<off_t>(sizeof part) ? size - static_cast<off_t>(sizeof part) : 0;
    ssize_t got = pread(descriptor, part, static_cast<size_t>(size - begin), begin);
    if (got <= 0)
      return size;
    for (ssize_t i = got; i > 0; --i)
      if (part[i - 1] == '\n')
        return begin + i;
    size = begin;
  }
  return 0;
}

llvm::Error RecordWriter::fail(StringRef what) const {
  std::error_code code(errno, std::generic_category());
  return llvm::createStringError(code, path + ": " + what + ": " + code.message());
}

llvm::Expected<std::unique_ptr<RecordWriter>> RecordWriter::open(StringRef path, Sync sync) {
  int descriptor = ::open(path.str().c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  std::unique_ptr<RecordWriter> writer(new RecordWriter(path.str(), descriptor, sync));
  if (descriptor < 0)
    return writer->fail("cannot be opened for writing");
  if (llvm::Error error = writer->appendLocked(""))
    return std::move(error);
  return std::move(writer);
}

RecordWriter::~RecordWriter() {
  if (descriptor >= 0)
    close(descriptor);
}

llvm::Error RecordWriter::appendLocked(StringRef line) {
  FileLock lock(descriptor);
  struct stat info;
  if (!lock.isHeld || fstat(descriptor, &info) != 0)
    return fail("cannot be locked");
  // Devices such as /dev/null need no repair.
  bool isFile = S_ISREG(info.st_mode);
  off_t whole = isFile ? wholeBytes(descriptor, info.st_size) : 0;
  if (isFile && whole < info.st_size) {
    // The last line may lack only its newline.
    std::string last(static_cast<size_t>(info.st_size - whole), '\0');
    bool isRecord = pread(descriptor, last.data(), last.size(), whole) == static_cast<ssize_t>(last.size()) &&
                    !llvm::errorToBool(parseRecord(last).takeError());
    bool mended = isRecord ? ::write(descriptor, "\n", 1) == 1 : ftruncate(descriptor, whole) == 0;
    if (!mended)
      return fail("its incomplete last line cannot be completed or removed");
  }
  if (line.empty())
    return llvm::Error::success();
  ssize_t put;
  while ((put = ::write(descriptor, line.data(), line.size())) < 0 && errno == EINTR) {
  }
  if (put == static_cast<ssize_t>(line.size()))
    return llvm::Error::success();
  if (put >= 0)
    errno = ENOSPC;
  llvm::Error error = fail("cannot be written");
  // Removes a partially written line; if that fails, the next writer does it.
  if (put > 0 && isFile && ftruncate(descriptor, info.st_size) != 0)
    errno = 0;
  return error;
}

llvm::Error RecordWriter::append(const TuningRecord &record) { return appendLocked(toJsonLine(record) + "\n"); }

llvm::Error RecordWriter::flush() {
  if (sync == Sync::EachRound && fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS)
    return fail("cannot be written to the disk");
  return llvm::Error::success();
}
