// Controls who may run code on devices: packages are signed with Ed25519 keys, and agents have a list of trusted keys.
#ifndef CAMEO_FARM_SIGNING_H
#define CAMEO_FARM_SIGNING_H

#include "Failure.h"

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace cameo::farm {

using Digest = std::array<uint8_t, 32>;
using PublicKey = std::array<uint8_t, 32>;
using Signature = std::array<uint8_t, 64>;

/// Returns the SHA-256 digest.
Digest digestOf(std::string_view bytes);
std::string hexOf(const uint8_t *bytes, size_t count);
template <size_t count> std::string hexOf(const std::array<uint8_t, count> &bytes) {
  return hexOf(bytes.data(), count);
}

/// Returns the path where 'keygen' stores a key by default and where tuners search for it:
/// $XDG_CONFIG_HOME/cameo/farm.key. The file of the public key has ".pub" appended.
std::string defaultKeyPath();

/// Creates a key pair: `path`, which only its owner may read, and `path`.pub, a line for the lists of agents. Fails if
/// one of the files exists.
Failure generateKey(const std::string &path);

class SigningKey {
public:
  static Failure read(const std::string &path, SigningKey &result);
  static Failure fromSeed(const std::array<uint8_t, 32> &seed, SigningKey &result);
  Signature sign(std::string_view statement) const;
  const PublicKey &getPublicKey() const { return publicKey; }

private:
  std::shared_ptr<evp_pkey_st> key;
  PublicKey publicKey = {};
};

/// The keys in a file with one line per key, as in FILE.pub: "ed25519 HEX NAME". "#" begins a comment.
class TrustedKeys {
public:
  static Failure read(const std::string &path, TrustedKeys &result);
  void add(const PublicKey &key) { keys.insert(key); }
  bool contains(const PublicKey &key) const { return keys.count(key) > 0; }
  size_t size() const { return keys.size(); }

private:
  std::set<PublicKey> keys;
};

bool isSignedBy(const PublicKey &key, const Signature &signature, std::string_view statement);

} // namespace cameo::farm

#endif
