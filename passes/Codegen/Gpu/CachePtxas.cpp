#include "passes/Codegen/Gpu/CachePtxas.h"

#include "passes/Codegen/Gpu/UniqueFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/Signals.h"

using namespace llvm;

namespace cameo {
namespace {

constexpr uint64_t mostBytes = uint64_t(256) << 20;

/// First bytes of an entry. The length of the report follows, then the report, then the code.
constexpr StringLiteral magic = "cameo-ptxas-1\n";

/// Returns the file name of an entry. The hash includes time and size of the program because another version may have
/// the same path. The name has the prefix that LLVM's pruneCache looks for.
std::string nameOf(StringRef program, StringRef ptx, StringRef architecture) {
  sys::fs::file_status status;
  SHA256 hash;
  auto add = [&](StringRef part) {
    hash.update(part);
    hash.update(ArrayRef<uint8_t>(0));
  };
  (void)sys::fs::status(program, status);
  add(program);
  add(utostr(status.getSize()) + "," + itostr(status.getLastModificationTime().time_since_epoch().count()));
  add(architecture);
  add(ptx);
  return "llvmcache-" + toHex(hash.final(), /*LowerCase=*/true);
}

std::optional<Assembled> readEntry(StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return std::nullopt;
  StringRef bytes = (*file)->getBuffer();
  if (!bytes.consume_front(magic) || bytes.size() < sizeof(uint64_t))
    return std::nullopt;
  uint64_t reportBytes = support::endian::read64le(bytes.data());
  bytes = bytes.drop_front(sizeof(uint64_t));
  if (bytes.size() < reportBytes)
    return std::nullopt;
  Assembled result;
  result.report = bytes.take_front(reportBytes).str();
  readReport(result.report, result);
  result.binary.append(bytes.begin() + reportBytes, bytes.end());
  // Pruning goes by the time of the last use.
  int descriptor = 0;
  if (!sys::fs::openFileForReadWrite(path, descriptor, sys::fs::CD_OpenExisting, sys::fs::OF_None)) {
    (void)sys::fs::setLastAccessAndModificationTime(descriptor, std::chrono::system_clock::now());
    (void)sys::Process::SafelyCloseFileDescriptor(descriptor);
  }
  return result;
}

/// Writes to a temporary name and renames the file, since other processes may read the entry at the same time.
void writeEntry(StringRef path, const Assembled &made) {
  Expected<UniqueFile> file = createUniqueFile(path + ".");
  if (!file)
    return consumeError(file.takeError());
  raw_fd_ostream os(file->descriptor, /*shouldClose=*/true);
  char length[sizeof(uint64_t)];
  support::endian::write64le(length, made.report.size());
  os << magic << StringRef(length, sizeof length) << made.report << StringRef(made.binary.data(), made.binary.size());
  os.close();
  bool isWhole = !os.has_error();
  os.clear_error();
  if (!isWhole || sys::fs::rename(file->path, path))
    (void)sys::fs::remove(file->path);
  sys::DontRemoveFileOnSignal(file->path);
}

} // namespace

std::string findPtxasCache() {
  if (std::optional<std::string> stated = sys::Process::GetEnv("CAMEO_CACHE"); stated && !stated->empty())
    return *stated == "off" ? "" : *stated;
  SmallString<128> folder;
  if (!sys::path::cache_directory(folder))
    return "";
  sys::path::append(folder, "cameo");
  return std::string(folder);
}

Expected<Assembled> runPtxasCached(StringRef program, StringRef ptx, StringRef architecture, StringRef folder) {
  if (folder.empty())
    return runPtxas(program, ptx, architecture);
  SmallString<128> path(folder);
  sys::path::append(path, nameOf(program, ptx, architecture));
  if (std::optional<Assembled> found = readEntry(path))
    return std::move(*found);
  Expected<Assembled> made = runPtxas(program, ptx, architecture);
  if (!made || sys::fs::create_directories(folder))
    return made;
  writeEntry(path, *made);
  CachePruningPolicy policy;
  policy.Interval = std::chrono::seconds(0);
  policy.Expiration = std::chrono::seconds(0);
  policy.MaxSizePercentageOfAvailableSpace = 0;
  policy.MaxSizeBytes = mostBytes;
  pruneCache(folder, policy);
  return made;
}

} // namespace cameo
