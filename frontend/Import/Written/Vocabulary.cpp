#include "frontend/Import/Written/Vocabulary.h"

using namespace mlir;
using namespace cameo;

Vocabulary::Vocabulary(ArrayRef<std::string> texts) : words(texts) {
  llvm::sort(words);
  words.erase(llvm::unique(words), words.end());
}

int64_t Vocabulary::numberOf(StringRef text) const {
  auto *word = llvm::lower_bound(words, text);
  assert(word != words.end() && *word == text && "expected a string of the vocabulary");
  return word - words.begin();
}

SmallVector<int64_t> Vocabulary::numbersOf(ArrayRef<std::string> texts) const {
  return llvm::map_to_vector(texts, [&](const std::string &text) { return numberOf(text); });
}

Value Vocabulary::find(NodeWriter &w, Value texts) const {
  w.expect(w.isText(texts), "expected an input of strings");
  return w.make("FindText", {texts, w.texts(words)});
}
