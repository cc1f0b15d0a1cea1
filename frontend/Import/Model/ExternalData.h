// Files that hold weights. Parts are read, or mapped if they can be used in place.
#ifndef CAMEO_FRONTEND_IMPORT_MODEL_EXTERNALDATA_H
#define CAMEO_FRONTEND_IMPORT_MODEL_EXTERNALDATA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace cameo {

/// Bytes and the owner that keeps them alive.
struct HeldBytes {
  llvm::ArrayRef<char> bytes;
  std::shared_ptr<const void> owner;
};

class DataFile {
public:
  static llvm::Expected<std::shared_ptr<DataFile>> open(llvm::StringRef path);
  /// Returns a file in memory. `bytes` must outlive everything that is read.
  static std::shared_ptr<DataFile> ofBytes(llvm::StringRef bytes);
  ~DataFile();
  DataFile(const DataFile &) = delete;
  DataFile &operator=(const DataFile &) = delete;

  uint64_t getSizeBytes() const { return sizeBytes; }

  /// Returns a copy of a part of the file, aligned for any element type.
  llvm::Expected<HeldBytes> read(uint64_t offset, uint64_t size) const;

  /// Returns the part of the file in place if it is aligned to `alignment` bytes, otherwise a copy.
  llvm::Expected<HeldBytes> map(uint64_t offset, uint64_t size, uint64_t alignment);

  /// Maps the whole file.
  llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> mapAll();
  /// Releases the mapping. Parts that have other owners stay.
  void unmap();

private:
  DataFile(std::string path, int descriptor, uint64_t sizeBytes)
      : path(std::move(path)), descriptor(descriptor), sizeBytes(sizeBytes) {}

  std::string path;
  int descriptor; ///< -1 if the bytes are in memory, in `mapping`
  uint64_t sizeBytes;
  std::shared_ptr<llvm::MemoryBuffer> mapping;
};

/// The files that the tensors of a model name, each opened once. They must be in the folder of the model.
class ExternalFiles {
public:
  explicit ExternalFiles(llvm::StringRef modelPath) : modelPath(modelPath) {}

  /// Fails for a path outside of the model's folder.
  llvm::Expected<std::shared_ptr<DataFile>> open(llvm::StringRef location);

  /// Returns the paths of all opened files, in no particular order.
  std::vector<std::string> getPaths() const;

private:
  std::string pathOf(llvm::StringRef location) const;

  std::string modelPath;
  llvm::StringMap<std::shared_ptr<DataFile>> files;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_EXTERNALDATA_H
