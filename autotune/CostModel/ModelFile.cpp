#include "autotune/CostModel/ModelFile.h"

#include "autotune/Features/FeatureVector.h"

#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace cameo::autotune {

static constexpr const char *const firstLine = "cameo cost model, features %u, hash %16" SCNx64 "\n";
static constexpr size_t hashDigits = 16;

/// Returns the FNV-1a hash.
static uint64_t hashOf(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

std::string writeModelFile(const std::string &path, const std::vector<std::string> &ensembles) {
  std::string trees;
  for (const std::string &each : ensembles)
    trees += (ensembles.size() > 1 ? std::to_string(each.size()) + '\n' : "") + each;
  char hash[hashDigits + 1];
  std::snprintf(hash, sizeof hash, "%016" PRIx64, hashOf(trees));
  errno = 0;
  std::ofstream os(path, std::ios::binary);
  os << "cameo cost model, features " << featureVersion << ", hash " << hash << '\n' << trees;
  os.close();
  return os ? "" : path + ": " + std::strerror(errno != 0 ? errno : EIO);
}

/// Returns the ensembles; none if the lengths are wrong. A single ensemble begins with a brace. Each of several
/// ensembles follows its number of bytes, which begins with a digit.
static std::vector<std::string_view> split(std::string_view trees) {
  if (trees.empty() || trees.front() < '0' || trees.front() > '9')
    return {trees};
  std::vector<std::string_view> ensembles;
  while (!trees.empty()) {
    size_t count = 0;
    auto [end, error] = std::from_chars(trees.data(), trees.data() + trees.size(), count);
    trees.remove_prefix(static_cast<size_t>(end - trees.data()));
    if (error != std::errc() || trees.empty() || trees.front() != '\n' || count > trees.size() - 1)
      return {};
    ensembles.push_back(trees.substr(1, count));
    trees.remove_prefix(count + 1);
  }
  return ensembles;
}

std::variant<std::vector<std::string_view>, ModelFileError> treesOf(const std::string &name, std::string_view bytes) {
  size_t end = bytes.substr(0, 80).find('\n');
  std::string line(bytes.substr(0, end == std::string_view::npos ? 0 : end + 1));
  unsigned version = 0;
  uint64_t hash = 0;
  if (std::sscanf(line.c_str(), firstLine, &version, &hash) != 2)
    return ModelFileError{name + ": expected a cost model written by 'cameo records train'"};
  if (version != featureVersion)
    return ModelFileError{name + ": expected a model for version " + std::to_string(featureVersion) +
                          " of the features, got " + std::to_string(version)};
  std::string_view trees = bytes.substr(end + 1);
  std::vector<std::string_view> ensembles = split(trees);
  if (hashOf(trees) != hash || ensembles.empty())
    return ModelFileError{name + ": expected data that matches the first line: the file is damaged"};
  return ensembles;
}

} // namespace cameo::autotune
