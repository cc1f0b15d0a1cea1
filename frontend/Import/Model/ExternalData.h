// Files that hold weights: read piece by piece, or mapped where a piece may be used in place.
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

/// Bytes and what keeps them alive.
struct HeldBytes {
  llvm::ArrayRef<char> bytes;
  std::shared_ptr<const void> owner;
};

class DataFile {
public:
  static llvm::Expected<std::shared_ptr<DataFile>> open(llvm::StringRef path);
  /// A file that is in memory, which outlives everything that is read.
  static std::shared_ptr<DataFile> ofBytes(llvm::StringRef bytes);
  ~DataFile();
  DataFile(const DataFile &) = delete;
  DataFile &operator=(const DataFile &) = delete;

  uint64_t getSizeBytes() const { return sizeBytes; }

  /// A copy of a part of the file, aligned for any element.
  llvm::Expected<HeldBytes> read(uint64_t offset, uint64_t size) const;

  /// The part of the file in place, when it is aligned to `alignment`; a copy otherwise.
  llvm::Expected<HeldBytes> map(uint64_t offset, uint64_t size, uint64_t alignment);

  /// All of the file, in place.
  llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> mapAll();
  /// Lets go of that; what others still hold stays.
  void unmap();

private:
  DataFile(std::string path, int descriptor, uint64_t sizeBytes)
      : path(std::move(path)), descriptor(descriptor), sizeBytes(sizeBytes) {}

  std::string path;
  int descriptor; ///< -1: the bytes are in memory, which `mapping` shows
  uint64_t sizeBytes;
  std::shared_ptr<llvm::MemoryBuffer> mapping;
};

/// The files that a model's tensors name, each opened once. They must lie in the folder of the model.
class ExternalFiles {
public:
  explicit ExternalFiles(llvm::StringRef modelPath) : modelPath(modelPath) {}

  /// Fails for a name that leads out of the model's folder.
  llvm::Expected<std::shared_ptr<DataFile>> open(llvm::StringRef location);

  /// The paths of those that were opened, in no order.
  std::vector<std::string> getPaths() const;

private:
  std::string pathOf(llvm::StringRef location) const;

  std::string modelPath;
  llvm::StringMap<std::shared_ptr<DataFile>> files;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_EXTERNALDATA_H
