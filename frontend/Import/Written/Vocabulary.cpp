#include "frontend/Import/Written/Vocabulary.h"

using namespace mlir;
using namespace cameo;

Vocabulary::Vocabulary(ArrayRef<std::string> strings) : words(strings) {
  llvm::sort(words);
  words.erase(llvm::unique(words), words.end());
}

int64_t Vocabulary::numberOf(StringRef string) const {
  auto *word = llvm::lower_bound(words, string);
  assert(word != words.end() && *word == string && "expected a string of the vocabulary");
  return word - words.begin();
}

SmallVector<int64_t> Vocabulary::numbersOf(ArrayRef<std::string> strings) const {
  return llvm::map_to_vector(strings, [&](const std::string &string) { return numberOf(string); });
}

Value Vocabulary::find(NodeWriter &w, Value strings) const {
  w.expect(w.isString(strings), "expected an input of strings");
  return w.make("FindText", {strings, w.strings(words)});
}
