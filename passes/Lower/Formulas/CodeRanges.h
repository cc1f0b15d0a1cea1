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

/// Returns the same code points as sorted ranges that neither overlap nor touch.
CodeRanges normalize(CodeRanges ranges);

/// Returns all other code points, normalized.
CodeRanges complement(const CodeRanges &ranges);

/// Returns `ranges` and all code points with the same simple case folding as one of them, normalized.
CodeRanges withVariants(CodeRanges ranges);

/// Returns \d, \s, \w and their complements; nothing for another letter.
std::optional<CodeRanges> perlClass(char letter);

/// Returns [:NAME:]; empty for an unknown name.
CodeRanges posixClass(llvm::StringRef name);

} // namespace cameo::lower

#endif
