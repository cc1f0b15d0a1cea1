// Parses regular expressions in RE2's syntax to trees.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_PATTERNSYNTAX_H
#define CAMEO_PASSES_LOWER_FORMULAS_PATTERNSYNTAX_H

#include "passes/Lower/Formulas/CodeRanges.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace cameo::lower {

/// An assertion about the position between two bytes.
enum class Assertion { TextBegin, TextEnd, LineBegin, LineEnd, WordBoundary, NoWordBoundary };

struct PatternNode {
  enum class Kind {
    Codes,     ///< one code point out of `ranges`
    AnyByte,   ///< \C
    Assert,    ///< the empty string where `assertion` holds
    Sequence,  ///< the children in order; the empty string if there are none
    Choice,    ///< one of the children
    Repetition ///< the child, `least` to `most` times; unbounded if `most` is negative
  };
  Kind kind;
  CodeRanges ranges; ///< sorted, neither overlapping nor touching; empty if nothing matches
  Assertion assertion = Assertion::TextBegin;
  std::vector<std::unique_ptr<PatternNode>> children;
  int least = 0, most = 0;
};

/// Parses RE2's syntax (https://github.com/google/re2/wiki/Syntax) with RE2's default options. Groups do not capture,
/// and greedy and lazy operators are the same, because the whole string is matched. Fails with a message if the pattern
/// is invalid or not supported: Unicode classes (\pN), and what RE2 does not support either (backreferences,
/// look-around assertions).
llvm::Expected<std::unique_ptr<PatternNode>> parsePattern(llvm::StringRef pattern);

} // namespace cameo::lower

#endif
