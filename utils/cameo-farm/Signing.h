// Who may have machines run code: packages are signed by Ed25519 keys, and agents have a list of those that they trust.
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

/// SHA-256.
Digest digestOf(std::string_view bytes);
std::string hexOf(const uint8_t *bytes, size_t count);
template <size_t count> std::string hexOf(const std::array<uint8_t, count> &bytes) {
  return hexOf(bytes.data(), count);
}

/// Where 'keygen' puts a key that nobody named, and where tuners look for it: $XDG_CONFIG_HOME/cameo/farm.key. Its
/// public half has ".pub" behind.
std::string defaultKeyPath();

/// Makes a pair of keys: `path`, which only its owner may read, and `path`.pub, a line for the lists of agents. Neither
/// may be there.
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

/// A file with a line per key, as in FILE.pub: "ed25519 HEX NAME"; "#" begins a remark.
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
