// Patterns as automata that the runtime walks.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_PATTERNAUTOMATON_H
#define CAMEO_PASSES_LOWER_FORMULAS_PATTERNAUTOMATON_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace cameo::lower {

/// The automaton for cameo_text_matches (cameo/text.h) that accepts the texts in UTF-8 which the pattern
/// (PatternSyntax.h) matches as a whole. Words are of ASCII, as in RE2. An error says what is wrong with the pattern,
/// or that the automaton would be too large.
llvm::Expected<std::string> compilePattern(llvm::StringRef pattern);

} // namespace cameo::lower

#endif
