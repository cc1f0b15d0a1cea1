#include "autotune/CostModel/ModelFile.h"

#include "autotune/Features/FeatureVector.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>

namespace cameo::autotune {

static constexpr const char *const firstLine = "cameo cost model, features %u, hash %16" SCNx64 "\n";
static constexpr size_t hashDigits = 16;

/// FNV-1a.
static uint64_t hashOf(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

std::string writeModelFile(const std::string &path, std::string_view trees) {
  char hash[hashDigits + 1];
  std::snprintf(hash, sizeof hash, "%016" PRIx64, hashOf(trees));
  std::ofstream os(path, std::ios::binary);
  os << "cameo cost model, features " << featureVersion << ", hash " << hash << '\n' << trees;
  os.close();
  return os ? "" : path + ": cannot be written";
}

std::variant<std::string_view, ModelFileError> treesOf(const std::string &name, std::string_view bytes) {
  size_t end = bytes.substr(0, 80).find('\n');
  std::string line(bytes.substr(0, end == std::string_view::npos ? 0 : end + 1));
  unsigned version = 0;
  uint64_t hash = 0;
  if (std::sscanf(line.c_str(), firstLine, &version, &hash) != 2)
    return ModelFileError{name + ": expected a cost model as 'cameo records train' writes"};
  if (version != featureVersion)
    return ModelFileError{name + ": expected a model for version " + std::to_string(featureVersion) + " of the features, got " +
                          std::to_string(version)};
  std::string_view trees = bytes.substr(end + 1);
  if (hashOf(trees) != hash)
    return ModelFileError{name + ": expected the bytes that its first line describes: the file is damaged"};
  return trees;
}

} // namespace cameo::autotune
