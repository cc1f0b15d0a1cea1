// A measurement package in memory, to be sent to a machine and measured there.
#ifndef CAMEO_AUTOTUNE_MEASURE_MEASUREMENTPACKAGE_H
#define CAMEO_AUTOTUNE_MEASURE_MEASUREMENTPACKAGE_H

#include "autotune/Measure/PackageFormat.h"
#include "passes/Target/TargetInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace cameo::autotune {

/// Returns the properties that a machine needs to run candidates for `target`.
cameo_package_target packageTarget(const TargetInfo &target);

class MeasurementPackage {
public:
  explicit MeasurementPackage(const cameo_package_target &target) : target(target) {}

  /// Adds a blob unless an equal one is there. Returns its number.
  uint32_t add(llvm::ArrayRef<char> contents);
  /// Adds an item. Returns its number.
  uint32_t add(const cameo_package_item &item);
  /// Returns all items. An item refers to another one by its index here.
  llvm::ArrayRef<cameo_package_item> getItems() const { return items; }
  uint64_t blobBytes() const { return bytes; }

  /// Returns the bytes of the package, see PackageFormat.h.
  std::vector<char> serialize() const;

private:
  cameo_package_target target;
  std::vector<cameo_package_item> items;
  std::vector<std::vector<char>> blobs;
  llvm::DenseMap<uint64_t, uint32_t> byDigest;
  uint64_t bytes = 0;
};

/// The digest and the items of a package, or of the package at the end of a bundle. Fails if the bytes are neither.
struct PackageContents {
  uint64_t digest = 0;
  std::vector<uint64_t> ids;
};
llvm::Expected<PackageContents> readPackageContents(llvm::ArrayRef<char> bytes);

} // namespace cameo::autotune

#endif
