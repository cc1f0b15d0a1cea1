// Sets of Unicode code points.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_CODERANGES_H
#define CAMEO_PASSES_LOWER_FORMULAS_CODERANGES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace cameo::lower {

constexpr uint32_t lastCode = 0x10FFFF;

/// Code points first to last, both included.
struct CodeRange {
  uint32_t first, last;
};

using CodeRanges = std::vector<CodeRange>;

/// The same code points, sorted, in ranges that lie apart from each other.
CodeRanges normalize(CodeRanges ranges);

/// All other code points, normalized.
CodeRanges complement(const CodeRanges &ranges);

/// With all code points that fold to the same one as a code point of `ranges` (simple case folding), normalized.
CodeRanges withVariants(CodeRanges ranges);

/// \d, \s, \w and their complements; nothing for another letter.
std::optional<CodeRanges> perlClass(char letter);

/// [:NAME:]; empty for no name.
CodeRanges posixClass(llvm::StringRef name);

} // namespace cameo::lower

#endif
