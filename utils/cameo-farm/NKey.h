// A user's NKey: an Ed25519 key in the format of NATS, which encodes the seed in base 32 with a prefix and a checksum.
#ifndef CAMEO_FARM_NKEY_H
#define CAMEO_FARM_NKEY_H

#include "Signing.h"

namespace cameo::farm {

class NKey {
public:
  /// Reads the seed of a user from the line of `path` that begins with "SU". The file may have other lines.
  static Failure read(const std::string &path, NKey &result);

  /// Returns the public key in the format of the server's configuration: "U...".
  const std::string &getName() const { return name; }
  Signature sign(std::string_view nonce) const { return key.sign(nonce); }

private:
  SigningKey key;
  std::string name;
};

} // namespace cameo::farm

#endif
