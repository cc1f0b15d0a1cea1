#include "autotune/Measure/MeasurementPackage.h"

#include "passes/Target/CpuFeatures.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Triple.h"

#include <cstddef>
#include <cstring>

namespace cameo::autotune {

static_assert(sizeof(cameo_package) == 72 && offsetof(cameo_package, blob_count) == CAMEO_PACKAGE_DIGESTED_FROM &&
                  sizeof(cameo_package_blob) == 16 && sizeof(cameo_package_item) == 192 &&
                  sizeof(cameo_package_input) == 16,
              "packages are read by other programs: what changes needs another version");

constexpr uint64_t blobAlignment = 64;

cameo_package_target packageTarget(const TargetInfo &target) {
  cameo_package_target wanted = {};
  wanted.machine = llvm::Triple(target.triple).isAArch64() ? llvm::ELF::EM_AARCH64 : llvm::ELF::EM_X86_64;
  // Features that programs cannot detect are not required: whoever names the processor is responsible for them.
  llvm::Expected<CpuFeatures> features = requiredFeatures(target);
  if (features)
    llvm::copy(*features, wanted.features);
  else
    llvm::consumeError(features.takeError());
  return wanted;
}

uint32_t MeasurementPackage::add(llvm::ArrayRef<char> contents) {
  uint64_t digest =
      llvm::xxh3_64bits(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(contents.data()), contents.size())) >>
      2; // no key of the map's own
  auto [found, isNew] = byDigest.try_emplace(digest, static_cast<uint32_t>(blobs.size()));
  if (!isNew && contents.equals(blobs[found->second]))
    return found->second;
  blobs.push_back(contents.vec());
  bytes += contents.size();
  return static_cast<uint32_t>(blobs.size() - 1);
}

uint32_t MeasurementPackage::add(const cameo_package_item &item) {
  items.push_back(item);
  return static_cast<uint32_t>(items.size() - 1);
}

std::vector<char> MeasurementPackage::serialize() const {
  cameo_package header = {};
  header.magic = CAMEO_PACKAGE_MAGIC;
  header.version = CAMEO_PACKAGE_VERSION;
  header.target = target;
  header.blob_count = static_cast<uint32_t>(blobs.size());
  header.item_count = static_cast<uint32_t>(items.size());
  header.bytes = sizeof(header) + blobs.size() * sizeof(cameo_package_blob) + items.size() * sizeof(cameo_package_item);
  std::vector<cameo_package_blob> places;
  for (const std::vector<char> &blob : blobs) {
    places.push_back({llvm::alignTo(header.bytes, blobAlignment), blob.size()});
    header.bytes = places.back().offset + blob.size();
  }
  std::vector<char> result(header.bytes);
  char *at = result.data() + sizeof(header);
  auto put = [&](const auto &table) {
    if (!table.empty())
      std::memcpy(at, table.data(), table.size() * sizeof(table.front()));
    at += table.size() * sizeof(table.front());
  };
  put(places);
  put(items);
  for (auto [place, blob] : llvm::zip_equal(places, blobs))
    if (!blob.empty())
      std::memcpy(result.data() + place.offset, blob.data(), blob.size());
  std::memcpy(result.data(), &header, sizeof(header));
  header.digest =
      cameo_package_digest(result.data() + CAMEO_PACKAGE_DIGESTED_FROM, header.bytes - CAMEO_PACKAGE_DIGESTED_FROM);
  std::memcpy(result.data(), &header, sizeof(header));
  return result;
}

llvm::Expected<PackageContents> readPackageContents(llvm::ArrayRef<char> bytes) {
  cameo_bundle_end end;
  if (bytes.size() > sizeof(end)) {
    std::memcpy(&end, bytes.take_back(sizeof(end)).data(), sizeof(end));
    if (std::memcmp(end.magic, CAMEO_BUNDLE_MAGIC, sizeof(end.magic)) == 0 &&
        end.package_bytes <= bytes.size() - sizeof(end))
      bytes = bytes.drop_back(sizeof(end)).take_back(end.package_bytes);
  }
  cameo_package header;
  if (bytes.size() < sizeof(header))
    return llvm::createStringError("expected a measurement package");
  std::memcpy(&header, bytes.data(), sizeof(header));
  uint64_t tables = sizeof(header) + header.blob_count * uint64_t(sizeof(cameo_package_blob)) +
                    header.item_count * uint64_t(sizeof(cameo_package_item));
  if (header.magic != CAMEO_PACKAGE_MAGIC || header.version != CAMEO_PACKAGE_VERSION || header.bytes != bytes.size() ||
      tables > bytes.size())
    return llvm::createStringError("expected a measurement package of this version");
  PackageContents contents{header.digest, {}};
  const char *items = bytes.data() + sizeof(header) + header.blob_count * sizeof(cameo_package_blob);
  for (uint32_t i = 0; i < header.item_count; ++i) {
    cameo_package_item item;
    std::memcpy(&item, items + i * sizeof(item), sizeof(item));
    contents.ids.push_back(item.id);
  }
  return contents;
}

} // namespace cameo::autotune
