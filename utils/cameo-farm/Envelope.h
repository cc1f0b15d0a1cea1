// The message with a measurement package: its tuner, its key of machines, and the signature. Large blobs are in a store
// beside the queue, addressed by their digests.
#ifndef CAMEO_FARM_ENVELOPE_H
#define CAMEO_FARM_ENVELOPE_H

#include "Signing.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cameo::farm {

/// The start of a message, which is little-endian. `partCount` Parts follow, and then the bytes of the package that are
/// in no part. The signature covers the fields before `publicKey`. It need not cover the parts, because `digest` covers
/// all bytes of the package.
struct EnvelopeHeader {
  char magic[8];
  uint32_t version;
  uint32_t reserved;
  uint64_t packageBytes;
  Digest digest;           ///< of the package
  char tuner[40], key[64]; ///< zero-terminated names
  PublicKey publicKey;
  Signature signature; ///< zero, like the key, if the message is not signed
  uint64_t partCount;
};
static_assert(sizeof(EnvelopeHeader) == 264, "read by other programs: what changes needs another version");

/// A range of the package's bytes that is in the store.
struct Part {
  Digest digest;
  uint64_t offset, bytes;
};

/// Stores bytes unless the store has them.
using PutPart = std::function<Failure(const Digest &, std::string_view)>;
using GetPart = std::function<Failure(const Digest &, uint64_t bytes, std::string &)>;

/// Makes a message of at most `mostBytes` bytes. Moves blobs from the package to the store, the largest first, until it
/// fits. If `signer` is null, the message is not signed.
Failure seal(std::string_view package, const std::string &tuner, const std::string &key, const SigningKey *signer,
             size_t mostBytes, const PutPart &put, std::string &message);

/// The failure if a message differs from what its tuner sent. The tuner may send it again.
inline const Failure isAltered = "the package is cut off or altered";

/// A message whose header was read. Nothing in it may be used before check() has accepted it.
class Envelope {
public:
  static Failure open(std::string_view message, Envelope &result);
  /// Returns the reason why an agent must not run it; empty if it may. If `trusted` is null, unsigned packages may run.
  Failure check(const TrustedKeys *trusted) const;
  /// Puts the whole package together. Fails with isAltered if its digest is another one.
  Failure assemble(const GetPart &get, std::string &package) const;

  std::string getTuner() const { return header.tuner; }
  std::string getKey() const { return header.key; }
  /// Returns the id of the job, which is equal for equal packages of a tuner.
  std::string getJob() const { return hexOf(header.digest.data(), 16); }
  uint64_t getPackageBytes() const { return header.packageBytes; }

private:
  EnvelopeHeader header = {};
  std::vector<Part> parts;
  std::string rest;
};

/// Whether `text` can be the name of a key, a device or a tuner: letters, digits, "-" and "_", which subjects of NATS
/// allow.
bool isName(const std::string &text, size_t mostCharacters = 63);

} // namespace cameo::farm

#endif
