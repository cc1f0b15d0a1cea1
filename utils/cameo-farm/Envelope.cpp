#include "Envelope.h"

#include "autotune/Measure/PackageFormat.h"

#include <algorithm>
#include <cstring>

namespace cameo::farm {

static constexpr char magic[8] = {'C', 'A', 'M', 'E', 'O', 'F', 'R', 'M'};
static constexpr uint32_t version = 1;
/// Smaller blobs are cheaper in the message than as messages of their own.
static constexpr uint64_t fewBytes = 16 << 10;
/// Limit of a package, because an agent allocates memory for it before it has received it.
static constexpr uint64_t mostPackageBytes = uint64_t(4) << 30;

bool isName(const std::string &text, size_t mostCharacters) {
  return !text.empty() && text.size() <= mostCharacters &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
             std::string::npos;
}

static std::string_view statementOf(const EnvelopeHeader &header) {
  return {reinterpret_cast<const char *>(&header), offsetof(EnvelopeHeader, publicKey)};
}

/// Chooses blobs to remove from the package so that at most `mostBytes` remain. Returns them in order.
static Failure chooseParts(std::string_view package, uint64_t mostBytes, std::vector<Part> &parts) {
  cameo_package header;
  std::memcpy(&header, package.data(), sizeof(header));
  std::vector<Part> candidates;
  for (uint32_t i = 0; i < header.blob_count; ++i) {
    cameo_package_blob blob;
    std::memcpy(&blob, package.data() + sizeof(header) + i * sizeof(blob), sizeof(blob));
    if (blob.bytes >= fewBytes && blob.offset <= package.size() && blob.bytes <= package.size() - blob.offset)
      candidates.push_back({{}, blob.offset, blob.bytes});
  }
  std::sort(candidates.begin(), candidates.end(), [](const Part &a, const Part &b) { return a.bytes > b.bytes; });
  uint64_t left = package.size();
  for (const Part &each : candidates) {
    if (left + parts.size() * sizeof(Part) <= mostBytes)
      break;
    parts.push_back(each);
    left -= each.bytes;
  }
  std::sort(parts.begin(), parts.end(), [](const Part &a, const Part &b) { return a.offset < b.offset; });
  return left + parts.size() * sizeof(Part) > mostBytes ? "the package is too large for this server's messages" : "";
}

Failure seal(std::string_view package, const std::string &tuner, const std::string &key, const SigningKey *signer,
             size_t mostBytes, const PutPart &put, std::string &message) {
  EnvelopeHeader header = {};
  std::memcpy(header.magic, magic, sizeof(magic));
  header.version = version;
  header.packageBytes = package.size();
  header.digest = digestOf(package);
  std::memcpy(header.tuner, tuner.data(), std::min(tuner.size(), sizeof(header.tuner) - 1));
  std::memcpy(header.key, key.data(), std::min(key.size(), sizeof(header.key) - 1));
  if (signer) {
    header.publicKey = signer->getPublicKey();
    header.signature = signer->sign(statementOf(header));
  }
  std::vector<Part> parts;
  if (package.size() + sizeof(header) > mostBytes)
    if (Failure failure = chooseParts(package, mostBytes - sizeof(header), parts); !failure.empty())
      return failure;
  header.partCount = parts.size();
  for (Part &part : parts) {
    std::string_view bytes = package.substr(part.offset, part.bytes);
    part.digest = digestOf(bytes);
    if (Failure failure = put(part.digest, bytes); !failure.empty())
      return failure;
  }
  message.assign(reinterpret_cast<const char *>(&header), sizeof(header));
  message.append(reinterpret_cast<const char *>(parts.data()), parts.size() * sizeof(Part));
  uint64_t at = 0;
  for (const Part &part : parts) {
    message.append(package.substr(at, part.offset - at));
    at = part.offset + part.bytes;
  }
  message.append(package.substr(at));
  return "";
}

Failure Envelope::open(std::string_view message, Envelope &result) {
  EnvelopeHeader &header = result.header;
  if (message.size() < sizeof(header))
    return "expected a package of a tuner, got something else";
  std::memcpy(&header, message.data(), sizeof(header));
  message.remove_prefix(sizeof(header));
  if (std::memcmp(header.magic, magic, sizeof(magic)) != 0)
    return "expected a package of a tuner, got something else";
  // Names must be zero-terminated and valid.
  if (header.version != version || header.tuner[sizeof(header.tuner) - 1] != 0 ||
      header.key[sizeof(header.key) - 1] != 0 || !isName(header.tuner) || !isName(header.key) ||
      header.packageBytes > mostPackageBytes)
    return "expected a package of this version of cameo";
  if (header.partCount > message.size() / sizeof(Part))
    return isAltered;
  result.parts.resize(header.partCount);
  if (!result.parts.empty())
    std::memcpy(result.parts.data(), message.data(), header.partCount * sizeof(Part));
  result.rest = message.substr(header.partCount * sizeof(Part));
  uint64_t at = 0, inParts = 0;
  for (const Part &part : result.parts) {
    if (part.offset < at || part.offset > header.packageBytes || part.bytes > header.packageBytes - part.offset)
      return isAltered;
    at = part.offset + part.bytes;
    inParts += part.bytes;
  }
  return inParts + result.rest.size() == header.packageBytes ? "" : isAltered;
}

Failure Envelope::check(const TrustedKeys *trusted) const {
  if (!trusted)
    return "";
  if (header.publicKey == PublicKey{})
    return "the package is not signed";
  if (!trusted->contains(header.publicKey))
    return "the package is signed by a key that is not trusted here: ed25519 " + hexOf(header.publicKey);
  return isSignedBy(header.publicKey, header.signature, statementOf(header)) ? "" : isAltered;
}

Failure Envelope::assemble(const GetPart &get, std::string &package) const {
  package.clear();
  package.reserve(header.packageBytes);
  size_t used = 0;
  for (const Part &part : parts) {
    size_t between = part.offset - package.size();
    package.append(rest, used, between);
    used += between;
    std::string bytes;
    if (Failure failure = get(part.digest, part.bytes, bytes); !failure.empty())
      return failure;
    package += bytes;
  }
  package.append(rest, used);
  return digestOf(package) == header.digest ? "" : isAltered;
}

} // namespace cameo::farm
