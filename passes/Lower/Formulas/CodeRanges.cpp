// Character classes of RE2's syntax, and case variants from LLVM's Unicode tables.
#include "passes/Lower/Formulas/CodeRanges.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Unicode.h"

#include <map>

using llvm::StringRef;

namespace cameo::lower {

CodeRanges normalize(CodeRanges ranges) {
  llvm::sort(ranges, [](CodeRange a, CodeRange b) { return a.first < b.first; });
  CodeRanges result;
  for (CodeRange range : ranges)
    if (!result.empty() && range.first <= result.back().last + 1)
      result.back().last = std::max(result.back().last, range.last);
    else
      result.push_back(range);
  return result;
}

CodeRanges complement(const CodeRanges &ranges) {
  CodeRanges result;
  uint32_t next = 0;
  for (CodeRange range : normalize(ranges)) {
    if (range.first > next)
      result.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= lastCode)
    result.push_back({next, lastCode});
  return result;
}

namespace {

/// Returns, for each code point that has case variants, all code points with the same simple case folding.
const std::multimap<uint32_t, uint32_t> &caseVariants() {
  static const std::multimap<uint32_t, uint32_t> variants = [] {
    constexpr uint32_t lastLetter = 0x1FFFF;
    std::map<uint32_t, std::vector<uint32_t>> orbits;
    for (uint32_t code = 0; code <= lastLetter; ++code)
      if (uint32_t folded = llvm::sys::unicode::foldCharSimple(code); folded != code)
        orbits[folded].push_back(code);
    std::multimap<uint32_t, uint32_t> result;
    for (auto &[folded, codes] : orbits) {
      codes.push_back(folded);
      for (uint32_t code : codes)
        for (uint32_t other : codes)
          if (other != code)
            result.emplace(code, other);
    }
    return result;
  }();
  return variants;
}

} // namespace

CodeRanges withVariants(CodeRanges ranges) {
  CodeRanges result = ranges;
  for (CodeRange range : ranges)
    for (auto it = caseVariants().lower_bound(range.first), end = caseVariants().upper_bound(range.last); it != end;
         ++it)
      result.push_back({it->second, it->second});
  return normalize(result);
}

std::optional<CodeRanges> perlClass(char letter) {
  CodeRanges ranges;
  switch (llvm::toLower(letter)) {
  case 'd':
    ranges = {{'0', '9'}};
    break;
  case 's':
    ranges = {{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};
    break;
  case 'w':
    ranges = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    break;
  default:
    return std::nullopt;
  }
  return llvm::isUpper(letter) ? complement(ranges) : ranges;
}

CodeRanges posixClass(StringRef name) {
  return llvm::StringSwitch<CodeRanges>(name)
      .Case("alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}})
      .Case("alpha", {{'A', 'Z'}, {'a', 'z'}})
      .Case("ascii", {{0, 0x7F}})
      .Case("blank", {{'\t', '\t'}, {' ', ' '}})
      .Case("cntrl", {{0, 0x1F}, {0x7F, 0x7F}})
      .Case("digit", {{'0', '9'}})
      .Case("graph", {{'!', '~'}})
      .Case("lower", {{'a', 'z'}})
      .Case("print", {{' ', '~'}})
      .Case("punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}})
      .Case("space", {{'\t', '\r'}, {' ', ' '}})
      .Case("upper", {{'A', 'Z'}})
      .Case("word", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}})
      .Case("xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}})
      .Default({});
}

} // namespace cameo::lower
