#include "Signing.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace cameo::farm {

Digest digestOf(std::string_view bytes) {
  Digest digest = {};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  return digest;
}

std::string hexOf(const uint8_t *bytes, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += "0123456789abcdef"[bytes[i] >> 4];
    text += "0123456789abcdef"[bytes[i] & 15];
  }
  return text;
}

std::string defaultKeyPath() {
  const char *config = std::getenv("XDG_CONFIG_HOME"), *home = std::getenv("HOME");
  std::string folder = config && *config ? config : std::string(home ? home : "") + "/.config";
  return folder + "/cameo/farm.key";
}

static Failure failOf(const std::string &path, const std::string &what) { return path + ": " + what; }

/// Creates the missing folders of `path`.
static void makeFolders(const std::string &path) {
  for (size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
    mkdir(path.substr(0, end).c_str(), 0777);
}

Failure generateKey(const std::string &path) {
  std::shared_ptr<evp_pkey_st> key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), EVP_PKEY_free);
  PublicKey publicKey;
  size_t size = publicKey.size();
  if (!key || EVP_PKEY_get_raw_public_key(key.get(), publicKey.data(), &size) != 1)
    return "OpenSSL makes no Ed25519 key";
  std::string ofPublic = path + ".pub";
  if (access(ofPublic.c_str(), F_OK) == 0)
    return failOf(ofPublic, "already exists; keys are not replaced, because agents may trust them");
  makeFolders(path);
  int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0)
    return failOf(path, errno == EEXIST ? "already exists; keys are not replaced, because agents may trust them"
                                        : std::strerror(errno));
  std::FILE *file = fdopen(descriptor, "w");
  errno = 0;
  bool isWritten = PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1;
  isWritten &= std::fclose(file) == 0;
  char host[65] = "";
  gethostname(host, sizeof(host) - 1);
  const char *user = std::getenv("USER");
  std::ofstream out(ofPublic);
  out << "ed25519 " << hexOf(publicKey) << ' ' << (user ? user : "tuner") << '@' << host << '\n';
  out.close();
  if (isWritten && out)
    return "";
  int error = errno;
  unlink(path.c_str());
  unlink(ofPublic.c_str());
  return failOf(path, error != 0 ? std::strerror(error) : "cannot be written");
}

Failure SigningKey::read(const std::string &path, SigningKey &result) {
  std::FILE *file = std::fopen(path.c_str(), "r");
  if (!file)
    return failOf(path, std::strerror(errno));
  // Never ask for a password, because there may be no terminal.
  result.key.reset(
      PEM_read_PrivateKey(file, nullptr, [](char *, int, int, void *) { return -1; }, nullptr), EVP_PKEY_free);
  std::fclose(file);
  size_t size = result.publicKey.size();
  if (!result.key || EVP_PKEY_get_id(result.key.get()) != EVP_PKEY_ED25519 ||
      EVP_PKEY_get_raw_public_key(result.key.get(), result.publicKey.data(), &size) != 1)
    return failOf(path, "expected a key of 'cameo farm keygen'");
  return "";
}

Failure SigningKey::fromSeed(const std::array<uint8_t, 32> &seed, SigningKey &result) {
  result.key.reset(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()), EVP_PKEY_free);
  size_t size = result.publicKey.size();
  bool isKey = result.key && EVP_PKEY_get_raw_public_key(result.key.get(), result.publicKey.data(), &size) == 1;
  return isKey ? "" : "OpenSSL makes no Ed25519 key";
}

Signature SigningKey::sign(std::string_view statement) const {
  Signature signature = {};
  size_t size = signature.size();
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX *)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1)
    EVP_DigestSign(context.get(), signature.data(), &size, reinterpret_cast<const uint8_t *>(statement.data()),
                   statement.size());
  return signature;
}

bool isSignedBy(const PublicKey &key, const Signature &signature, std::string_view statement) {
  std::shared_ptr<evp_pkey_st> raw(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.data(), key.size()),
                                   EVP_PKEY_free);
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX *)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  return raw && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, raw.get()) == 1 &&
         EVP_DigestVerify(context.get(), signature.data(), signature.size(),
                          reinterpret_cast<const uint8_t *>(statement.data()), statement.size()) == 1;
}

Failure TrustedKeys::read(const std::string &path, TrustedKeys &result) {
  std::ifstream file(path);
  if (!file)
    return failOf(path, std::strerror(errno));
  std::string line;
  for (size_t number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line);
    std::string kind, hex;
    if (!(words >> kind) || kind[0] == '#')
      continue;
    words >> hex;
    PublicKey key = {};
    bool isKey = kind == "ed25519" && hex.size() == 2 * key.size() &&
                 hex.find_first_not_of("0123456789abcdef") == std::string::npos;
    for (size_t i = 0; isKey && i < key.size(); ++i)
      key[i] = static_cast<uint8_t>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
    if (!isKey)
      return failOf(path, "line " + std::to_string(number) +
                              ": expected 'ed25519', 64 hexadecimal digits and a name, as in the file of 'cameo farm "
                              "keygen' that ends in .pub");
    result.keys.insert(key);
  }
  return result.keys.empty() ? failOf(path, "expected a key that is trusted, got none") : "";
}

} // namespace cameo::farm
