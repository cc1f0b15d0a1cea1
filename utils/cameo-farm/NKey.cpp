#include "NKey.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

namespace cameo::farm {

static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/// The type of a key, in its first five bits. A seed has the type of its key in the next ones.
static constexpr uint8_t userPrefix = 20 << 3, seedPrefix = 18 << 3;

static std::string encode(const std::vector<uint8_t> &bytes) {
  std::string text;
  unsigned bits = 0, count = 0;
  for (uint8_t each : bytes) {
    bits = bits << 8 | each;
    for (count += 8; count >= 5; count -= 5)
      text += letters[bits >> (count - 5) & 31];
  }
  return count ? text + letters[bits << (5 - count) & 31] : text;
}

/// Decodes base 32. Returns no bytes for invalid text.
static std::vector<uint8_t> decode(const std::string &text) {
  std::vector<uint8_t> bytes;
  unsigned bits = 0, count = 0;
  for (char each : text) {
    const char *letter = std::strchr(letters, each);
    if (!letter || !each)
      return {};
    bits = bits << 5 | static_cast<unsigned>(letter - letters);
    if ((count += 5) >= 8)
      bytes.push_back(static_cast<uint8_t>(bits >> (count -= 8)));
  }
  return bytes;
}

/// Returns the CRC-16/XMODEM.
static uint16_t checksum(const uint8_t *bytes, size_t count) {
  uint16_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    sum = static_cast<uint16_t>(sum ^ bytes[i] << 8);
    for (int bit = 0; bit < 8; ++bit)
      sum = static_cast<uint16_t>(sum & 0x8000 ? sum << 1 ^ 0x1021 : sum << 1);
  }
  return sum;
}

Failure NKey::read(const std::string &path, NKey &result) {
  std::ifstream file(path);
  if (!file)
    return path + ": " + std::strerror(errno);
  std::string line;
  for (std::string each; line.empty() && std::getline(file, each);)
    if (each.rfind("SU", 0) == 0)
      line = each.substr(0, each.find_last_not_of(" \t\r") + 1);
  // Two bytes with the prefixes, the seed, and the checksum of these.
  std::array<uint8_t, 32> seed;
  size_t checked = 2 + seed.size();
  std::vector<uint8_t> bytes = decode(line);
  if (bytes.size() != checked + 2 || (bytes[0] & 0xf8) != seedPrefix ||
      ((bytes[0] & 7) << 5 | bytes[1] >> 3) != userPrefix)
    return path + ": expected the seed of a user's NKey, a line of 58 letters and digits that begins with SU";
  if (checksum(bytes.data(), checked) != (bytes[checked] | bytes[checked + 1] << 8))
    return path + ": the checksum of the seed is wrong";
  std::copy_n(bytes.begin() + 2, seed.size(), seed.begin());
  if (Failure failure = SigningKey::fromSeed(seed, result.key); !failure.empty())
    return path + ": " + failure;
  std::vector<uint8_t> named = {userPrefix};
  named.insert(named.end(), result.key.getPublicKey().begin(), result.key.getPublicKey().end());
  uint16_t sum = checksum(named.data(), named.size());
  named.insert(named.end(), {static_cast<uint8_t>(sum), static_cast<uint8_t>(sum >> 8)});
  result.name = encode(named);
  return "";
}

} // namespace cameo::farm
