// Regular expressions in RE2's syntax as trees.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_PATTERNSYNTAX_H
#define CAMEO_PASSES_LOWER_FORMULAS_PATTERNSYNTAX_H

#include "passes/Lower/Formulas/CodeRanges.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace cameo::lower {

/// What holds between two bytes.
enum class Assertion { TextBegin, TextEnd, LineBegin, LineEnd, WordBoundary, NoWordBoundary };

struct PatternNode {
  enum class Kind {
    Codes,     ///< one code point out of `ranges`
    AnyByte,   ///< \C
    Assert,    ///< nothing, where `assertion` holds
    Sequence,  ///< the children one behind the other; nothing without any
    Choice,    ///< one of the children
    Repetition ///< the child, `least` to `most` times; without bound where `most` is below 0
  };
  Kind kind;
  CodeRanges ranges; ///< sorted, apart from each other; none for what nothing matches
  Assertion assertion = Assertion::TextBegin;
  std::vector<std::unique_ptr<PatternNode>> children;
  int least = 0, most = 0;
};

/// Parses RE2's syntax (https://github.com/google/re2/wiki/Syntax) as RE2 does by default. Groups match without being
/// remembered, and greedy or not is the same for a whole text. An error says what is wrong, or that it is not
/// supported: Unicode classes (\pN), besides what RE2 has not (references back, assertions that look around).
llvm::Expected<std::unique_ptr<PatternNode>> parsePattern(llvm::StringRef pattern);

} // namespace cameo::lower

#endif
