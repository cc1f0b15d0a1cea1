// Compiles regular expressions to automata that the runtime executes.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_PATTERNAUTOMATON_H
#define CAMEO_PASSES_LOWER_FORMULAS_PATTERNAUTOMATON_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace cameo::lower {

/// Returns the automaton for cameo_text_matches (cameo/text.h) that accepts the UTF-8 strings which the pattern
/// (PatternSyntax.h) matches as a whole. Word characters are ASCII, as in RE2. Fails with a message if the pattern is
/// invalid or the automaton would be too large.
llvm::Expected<std::string> compilePattern(llvm::StringRef pattern);

} // namespace cameo::lower

#endif
