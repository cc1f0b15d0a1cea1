#include "autotune/Measure/BundleTransport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

namespace cameo::autotune {

constexpr llvm::StringLiteral stem = "bundle-", ofResults = ".jsonl";

std::string BundleTransport::pathOf(unsigned number) const {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, stem + llvm::Twine(number));
  return std::string(path);
}

static llvm::Error failOf(const llvm::Twine &path, const llvm::Twine &what) {
  return llvm::createStringError(path + ": " + what);
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(llvm::StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return failOf(path, file.getError().message());
  return std::move(*file);
}

llvm::Expected<std::unique_ptr<BundleTransport>> BundleTransport::open(llvm::StringRef folder, llvm::StringRef worker) {
  std::unique_ptr<BundleTransport> opened(new BundleTransport(folder, worker));
  std::set<unsigned> bundles, withResults;
  std::error_code error;
  if (llvm::sys::fs::exists(folder))
    for (llvm::sys::fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
      llvm::StringRef name = llvm::sys::path::filename(each->path());
      bool isResults = name.consume_back(ofResults);
      unsigned number = 0;
      if (name.consume_front(stem) && !name.getAsInteger(10, number))
        (isResults ? withResults : bundles).insert(number);
    }
  if (error)
    return failOf(folder, error.message());
  for (unsigned number : withResults)
    if (!bundles.count(number))
      return failOf(opened->pathOf(number) + ofResults, "expected the bundle of these results in the same folder");
  for (unsigned number : bundles)
    if (llvm::Error failure = opened->readBundle(number))
      return std::move(failure);
  return opened;
}

llvm::Error BundleTransport::readBundle(unsigned number) {
  last = std::max(last, number);
  std::string path = pathOf(number);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> file = readFile(path);
  if (!file)
    return file.takeError();
  llvm::Expected<PackageContents> contents = readPackageContents({(*file)->getBufferStart(), (*file)->getBufferSize()});
  if (!contents)
    return failOf(path, "expected a bundle of this version of cameo: " + llvm::toString(contents.takeError()));
  if (std::string resultsPath = path + ofResults.str(); llvm::sys::fs::exists(resultsPath))
    return readResults(resultsPath, *contents);
  waitingIds.insert(contents->ids.begin(), contents->ids.end());
  waiting.push_back(std::move(path));
  return llvm::Error::success();
}

llvm::Error BundleTransport::readResults(llvm::StringRef path, const PackageContents &contents) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> file = readFile(path);
  if (!file)
    return file.takeError();
  std::set<uint64_t> ids(contents.ids.begin(), contents.ids.end());
  llvm::SmallVector<llvm::StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/true);
  llvm::StringRef torn = lines.pop_back_val();
  bool hasHead = false, hasEnd = false;
  size_t count = 0;
  std::vector<MeasurementResult> found;
  ResultReader reader;
  for (auto [number, text] : llvm::enumerate(lines)) {
    // A serial console may end lines with CR LF.
    llvm::Expected<ResultLine> line = reader.read(text.rtrim('\r'));
    if (!line)
      return failOf(path + ":" + llvm::Twine(number + 1), llvm::toString(line.takeError()));
    auto *head = std::get_if<ResultsHead>(&*line);
    auto *end = std::get_if<ResultsEnd>(&*line);
    auto *result = std::get_if<MeasurementResult>(&*line);
    if ((head && head->package != contents.digest) || (end && end->package != contents.digest) ||
        (result && !ids.count(result->id)))
      return failOf(path + ":" + llvm::Twine(number + 1),
                    "expected results of the bundle in the same folder, got those of another bundle");
    if (head) {
      hasHead = true;
      machine = head->machine;
    }
    if (end)
      hasEnd = end->results == count;
    if (result) {
      ++count;
      found.push_back(std::move(*result));
    }
  }
  if (!hasHead || !hasEnd || !torn.empty())
    return failOf(path, "expected all results of the bundle, got " + llvm::Twine(count) +
                            " and no line that ends them: run the bundle again");
  // The first result of an id counts, so that the results of earlier runs of the tuner do not change.
  for (MeasurementResult &result : found)
    results.try_emplace(result.id, result);
  return llvm::Error::success();
}

std::optional<MeasurementResult> BundleTransport::recall(uint64_t id) {
  auto found = results.find(id);
  return found == results.end() ? std::nullopt : std::optional(found->second);
}

/// Writes the program at `path` atomically. A partial file has a name that open() ignores. llvm::writeToOutput is not
/// used: it ends the process if the disk is full, and replaces a '%' in the name of the folder.
static std::error_code writeWhole(const std::string &path, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  std::string aside = path + ".partial";
  std::error_code error;
  llvm::raw_fd_ostream os(aside, error);
  if (error)
    return error;
  write(os);
  os.close();
  error = os.error();
  os.clear_error();
  if (!error)
    error = llvm::sys::fs::setPermissions(aside, llvm::sys::fs::all_read | llvm::sys::fs::all_exe |
                                                     llvm::sys::fs::owner_write);
  if (!error)
    error = llvm::sys::fs::rename(aside, path);
  if (error)
    llvm::sys::fs::remove(aside);
  return error;
}

llvm::Error BundleTransport::submit(const MeasurementPackage &package) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> program = readFile(worker);
  if (!program)
    return program.takeError();
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return failOf(folder, error.message());
  std::string path = pathOf(++last);
  std::vector<char> bytes = package.serialize();
  cameo_bundle_end end = {bytes.size(), {}};
  std::memcpy(end.magic, CAMEO_BUNDLE_MAGIC, sizeof(end.magic));
  if (std::error_code error = writeWhole(path, [&](llvm::raw_ostream &os) {
        os << (*program)->getBuffer();
        os.write_zeros(static_cast<unsigned>(llvm::offsetToAlignment((*program)->getBufferSize(), llvm::Align(64))));
        os.write(bytes.data(), bytes.size());
        os.write(reinterpret_cast<const char *>(&end), sizeof(end));
      }))
    return failOf(path, error.message());
  for (const cameo_package_item &item : package.getItems())
    waitingIds.insert(item.id);
  waiting.push_back(std::move(path));
  hasWritten = true;
  return llvm::Error::success();
}

llvm::Expected<std::vector<MeasurementResult>> BundleTransport::receive(double) {
  return std::vector<MeasurementResult>();
}

} // namespace cameo::autotune
