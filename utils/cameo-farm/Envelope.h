// A measurement package on its way through the farm: who wants it measured, on which machines, and who answers for it.
// Large blobs lie in a store beside the queue, by what they contain.
#ifndef CAMEO_FARM_ENVELOPE_H
#define CAMEO_FARM_ENVELOPE_H

#include "Signing.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cameo::farm {

/// The bytes of a message, little-endian: this, then `partCount` Parts, then what of the package is in no part. What is
/// in front of `publicKey` is signed: not the parts, since `digest` is that of all.
struct EnvelopeHeader {
  char magic[8];
  uint32_t version;
  uint32_t reserved;
  uint64_t packageBytes;
  Digest digest;           ///< of the package
  char tuner[40], key[64]; ///< names, and zeros
  PublicKey publicKey;
  Signature signature; ///< zeros, as the key: nobody signed
  uint64_t partCount;
};
static_assert(sizeof(EnvelopeHeader) == 264, "read by other programs: what changes needs another version");

/// Bytes of the package that the store has.
struct Part {
  Digest digest;
  uint64_t offset, bytes;
};

/// Puts bytes into the store, unless it has them.
using PutPart = std::function<Failure(const Digest &, std::string_view)>;
using GetPart = std::function<Failure(const Digest &, uint64_t bytes, std::string &)>;

/// A message of at most `mostBytes` bytes: blobs leave the package for the store, the largest first, until it fits.
/// `signer` null: nobody answers for it.
Failure seal(std::string_view package, const std::string &tuner, const std::string &key, const SigningKey *signer,
             size_t mostBytes, const PutPart &put, std::string &message);

/// What failures say of a message that is not as its tuner sent it. It may send it again.
inline const Failure isAltered = "the package is cut off or altered";

/// What is read of a message before anything in it is used.
class Envelope {
public:
  static Failure open(std::string_view message, Envelope &result);
  /// Why an agent must not run it; `trusted` null: it runs what nobody signed.
  Failure check(const TrustedKeys *trusted) const;
  /// All of the package. It is altered, if its digest is another one.
  Failure assemble(const GetPart &get, std::string &package) const;

  std::string getTuner() const { return header.tuner; }
  std::string getKey() const { return header.key; }
  /// The same package of the same tuner has the same one.
  std::string getJob() const { return hexOf(header.digest.data(), 16); }
  uint64_t getPackageBytes() const { return header.packageBytes; }

private:
  EnvelopeHeader header = {};
  std::vector<Part> parts;
  std::string rest;
};

/// Names of keys, devices and tuners: letters, digits, "-" and "_", as subjects of NATS have them.
bool isName(const std::string &text, size_t mostCharacters = 63);

} // namespace cameo::farm

#endif
