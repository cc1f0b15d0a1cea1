// Reads the subset of UBJSON (https://ubjson.org) that XGBoost writes: a sequence of values, each with a letter for its
// type, and with big-endian numbers.
#include "autotune/CostModel/DecisionTrees.h"

#include <bit>
#include <string>

namespace cameo::autotune {
namespace {

class TreeReader {
public:
  explicit TreeReader(std::string_view bytes) : left(bytes) {}

  std::vector<DecisionTrees::Columns> read() {
    readValue(take(), "");
    return isBroken ? std::vector<DecisionTrees::Columns>() : std::move(trees);
  }

private:
  char peek() const { return left.empty() ? '\0' : left.front(); }

  char take() {
    char taken = peek();
    isBroken |= left.empty();
    left.remove_prefix(left.empty() ? 0 : 1);
    return taken;
  }

  std::string_view take(uint64_t count) {
    isBroken |= count > left.size();
    std::string_view taken = left.substr(0, isBroken ? 0 : count);
    left.remove_prefix(taken.size());
    return taken;
  }

  static unsigned bytesOf(char type) {
    switch (type) {
    case 'i':
    case 'U':
      return 1;
    case 'I':
      return 2;
    case 'l':
    case 'd':
      return 4;
    case 'L':
    case 'D':
      return 8;
    default:
      return 0;
    }
  }

  /// Returns the bits of a number, sign-extended.
  int64_t takeBits(char type) {
    unsigned count = bytesOf(type);
    isBroken |= count == 0;
    uint64_t bits = 0;
    for (char byte : take(count))
      bits = bits << 8 | static_cast<unsigned char>(byte);
    unsigned unused = 64 - 8 * count;
    return count == 0 || type == 'U' ? static_cast<int64_t>(bits) : static_cast<int64_t>(bits << unused) >> unused;
  }

  uint64_t takeCount() {
    int64_t count = takeBits(take());
    isBroken |= count < 0;
    return isBroken ? 0 : static_cast<uint64_t>(count);
  }

  void readValue(char type, std::string_view key) {
    if (isBroken || depth > deepest) {
      isBroken = true;
    } else if (type == '{') {
      ++depth;
      readObject(key);
      --depth;
    } else if (type == '[') {
      ++depth;
      readArray(key);
      --depth;
    } else if (type == 'S') {
      take(takeCount());
    } else if (type != 'T' && type != 'F' && type != 'Z') {
      takeBits(type);
    }
  }

  void readObject(std::string_view key) {
    bool isTree = key == "trees";
    if (isTree)
      trees.emplace_back();
    while (!isBroken && peek() != '}') {
      std::string_view name = take(takeCount());
      readValue(take(), name);
    }
    take();
  }

  /// Reads an array. Its values get the key of the array, so each tree has the key of the array of trees.
  void readArray(std::string_view key) {
    char type = '\0';
    if (peek() == '$') {
      take();
      type = take();
    }
    if (peek() != '#') {
      while (!isBroken && peek() != ']')
        readValue(take(), key);
      take();
      return;
    }
    take();
    uint64_t count = takeCount();
    for (uint64_t number = 0; number < count && !isBroken; ++number)
      if (type == 'd' && key == "split_conditions" && !trees.empty())
        trees.back().splits.push_back(std::bit_cast<float>(static_cast<uint32_t>(takeBits(type))));
      else if (std::vector<int32_t> *column = columnOf(key); column && bytesOf(type) > 0 && type != 'd' && type != 'D')
        column->push_back(static_cast<int32_t>(takeBits(type)));
      else
        readValue(type ? type : take(), key);
  }

  std::vector<int32_t> *columnOf(std::string_view key) {
    if (trees.empty())
      return nullptr;
    DecisionTrees::Columns &tree = trees.back();
    return key == "left_children"    ? &tree.left
           : key == "right_children" ? &tree.right
           : key == "split_indices"  ? &tree.features
                                     : nullptr;
  }

  static constexpr unsigned deepest = 32;
  std::string_view left;
  bool isBroken = false;
  unsigned depth = 0;
  std::vector<DecisionTrees::Columns> trees;
};

} // namespace

std::vector<DecisionTrees::Columns> readTrees(std::string_view bytes) { return TreeReader(bytes).read(); }

} // namespace cameo::autotune
