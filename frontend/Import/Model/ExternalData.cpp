#include "frontend/Import/Model/ExternalData.h"

#include "dialects/Files/RegularFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <new>

using namespace llvm;
using namespace cameo;

namespace {

// The alignment is enough for any vector instruction that reads weights while they are packed.
constexpr std::align_val_t kAlignment{64};

Error fail(const Twine &message) { return createStringError(inconvertibleErrorCode(), message); }

std::string parentOf(StringRef path) {
  SmallString<128> real;
  if (sys::fs::real_path(path, real))
    return "";
  return sys::path::parent_path(real).str();
}

/// Whether `file` lies in `folder`; both are real paths.
bool isInFolder(StringRef file, StringRef folder) {
  return !folder.empty() && file.consume_front(folder) && (folder.ends_with("/") || file.starts_with("/"));
}

} // namespace

Expected<std::shared_ptr<DataFile>> DataFile::open(StringRef path) {
  Expected<RegularFile> file = openRegularFile(path);
  if (!file)
    return fail("cannot open: " + toString(file.takeError()));
  return std::shared_ptr<DataFile>(new DataFile(path.str(), file->descriptor, file->sizeBytes));
}

std::shared_ptr<DataFile> DataFile::ofBytes(StringRef bytes) {
  std::shared_ptr<DataFile> file(new DataFile("", -1, bytes.size()));
  file->mapping = MemoryBuffer::getMemBuffer(bytes, "", /*RequiresNullTerminator=*/false);
  return file;
}

DataFile::~DataFile() {
  if (descriptor < 0)
    return;
  sys::fs::file_t file = sys::fs::convertFDToNativeFile(descriptor);
  (void)sys::fs::closeFile(file);
}

void DataFile::unmap() {
  if (descriptor >= 0)
    mapping.reset();
}

Expected<HeldBytes> DataFile::read(uint64_t offset, uint64_t size) const {
  if (offset > sizeBytes || size > sizeBytes - offset)
    return fail("expected " + Twine(size) + " bytes at offset " + Twine(offset) + ", got a file of " +
                Twine(sizeBytes) + " bytes");
  std::shared_ptr<char> buffer(static_cast<char *>(::operator new(std::max<uint64_t>(size, 1), kAlignment)),
                               [](char *memory) { ::operator delete(memory, kAlignment); });
  if (descriptor < 0) {
    llvm::copy(mapping->getBuffer().substr(offset, size), buffer.get());
    return HeldBytes{ArrayRef(buffer.get(), size), buffer};
  }
  for (uint64_t done = 0; done < size;) {
    Expected<size_t> count = sys::fs::readNativeFileSlice(
        sys::fs::convertFDToNativeFile(descriptor), MutableArrayRef(buffer.get() + done, size - done), offset + done);
    if (!count)
      return count.takeError();
    if (*count == 0)
      return fail("expected " + Twine(size) + " bytes at offset " + Twine(offset) + ", got " + Twine(done));
    done += *count;
  }
  return HeldBytes{ArrayRef(buffer.get(), size), buffer};
}

Expected<std::shared_ptr<MemoryBuffer>> DataFile::mapAll() {
  if (!mapping) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
        MemoryBuffer::getOpenFile(sys::fs::convertFDToNativeFile(descriptor), path, sizeBytes,
                                  /*RequiresNullTerminator=*/false);
    if (!buffer)
      return fail("cannot read: " + buffer.getError().message());
    mapping = std::move(*buffer);
  }
  return mapping;
}

Expected<HeldBytes> DataFile::map(uint64_t offset, uint64_t size, uint64_t alignment) {
  if (offset > sizeBytes || size > sizeBytes - offset)
    return read(offset, size);
  Expected<std::shared_ptr<MemoryBuffer>> all = mapAll();
  if (!all)
    return all.takeError();
  const char *begin = (*all)->getBufferStart() + offset;
  if (reinterpret_cast<uintptr_t>(begin) % alignment != 0)
    return read(offset, size);
  return HeldBytes{ArrayRef(begin, size), *all};
}

std::string ExternalFiles::pathOf(StringRef location) const {
  SmallString<128> path(sys::path::parent_path(modelPath));
  sys::path::append(path, location);
  return std::string(path);
}

std::vector<std::string> ExternalFiles::getPaths() const {
  std::vector<std::string> paths;
  for (const auto &[location, file] : files)
    if (file)
      paths.push_back(pathOf(location));
  return paths;
}

Expected<std::shared_ptr<DataFile>> ExternalFiles::open(StringRef location) {
  auto [it, isNew] = files.try_emplace(location);
  if (!isNew && it->second)
    return it->second;
  // The system would ignore everything after a zero byte in the path.
  if (location.empty() || location.contains('\0') || sys::path::is_absolute(location) ||
      is_contained(make_range(sys::path::begin(location), sys::path::end(location)), StringRef("..")))
    return fail("expected a file in the folder of the model");
  std::string path = pathOf(location);
  Expected<std::shared_ptr<DataFile>> file = DataFile::open(path);
  if (!file)
    return file;
  SmallString<128> real;
  if (std::error_code code = sys::fs::real_path(path, real))
    return fail("cannot open: " + code.message());
  // The model and its weights may be symbolic links into a store of files, so the folder of the linked model counts
  // too.
  SmallString<128> folder;
  StringRef parent = sys::path::parent_path(modelPath);
  if (sys::fs::real_path(parent.empty() ? "." : parent, folder))
    folder.clear();
  if (!isInFolder(real, folder) && !isInFolder(real, parentOf(modelPath)))
    return fail("expected a file in the folder of the model, got a link to '" + real + "'");
  it->second = *file;
  return file;
}
