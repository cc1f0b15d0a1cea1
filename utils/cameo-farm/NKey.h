// A user's NKey: an Ed25519 key as servers of NATS know it, by a seed in base 32 with a prefix and a checksum.
#ifndef CAMEO_FARM_NKEY_H
#define CAMEO_FARM_NKEY_H

#include "Signing.h"

namespace cameo::farm {

class NKey {
public:
  /// The seed of a user in `path`: a line that begins with "SU", beside others.
  static Failure read(const std::string &path, NKey &result);

  /// As the server's configuration has it: "U" and more.
  const std::string &getName() const { return name; }
  Signature sign(std::string_view nonce) const { return key.sign(nonce); }

private:
  SigningKey key;
  std::string name;
};

} // namespace cameo::farm

#endif
