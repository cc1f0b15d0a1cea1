// A measurement package in memory: what is sent to a machine, by whatever way, to be measured there.
#ifndef CAMEO_AUTOTUNE_MEASURE_MEASUREMENTPACKAGE_H
#define CAMEO_AUTOTUNE_MEASURE_MEASUREMENTPACKAGE_H

#include "autotune/Measure/PackageFormat.h"
#include "passes/Target/TargetInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace cameo::autotune {

/// What machines have to have that run candidates for `target`.
cameo_package_target packageTarget(const TargetInfo &target);

class MeasurementPackage {
public:
  explicit MeasurementPackage(const cameo_package_target &target) : target(target) {}

  /// The number of a blob with these contents; equal ones are held once.
  uint32_t add(llvm::ArrayRef<char> contents);
  /// The number of the item.
  uint32_t add(const cameo_package_item &item);
  /// Of the items; the number of another one, which it refers to, stays what it is.
  llvm::ArrayRef<cameo_package_item> getItems() const { return items; }
  uint64_t blobBytes() const { return bytes; }

  /// As PackageFormat.h has it.
  std::vector<char> serialize() const;

private:
  cameo_package_target target;
  std::vector<cameo_package_item> items;
  std::vector<std::vector<char>> blobs;
  llvm::DenseMap<uint64_t, uint32_t> byDigest;
  uint64_t bytes = 0;
};

/// The digest and the items of a package, or of the one at the end of a bundle; an error says that the bytes are none.
struct PackageContents {
  uint64_t digest = 0;
  std::vector<uint64_t> ids;
};
llvm::Expected<PackageContents> readPackageContents(llvm::ArrayRef<char> bytes);

} // namespace cameo::autotune

#endif
