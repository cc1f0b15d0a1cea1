// Texts that an operator knows when the model is compiled, as numbers: what follows compares integers.
#ifndef CAMEO_FRONTEND_IMPORT_WRITTEN_VOCABULARY_H
#define CAMEO_FRONTEND_IMPORT_WRITTEN_VOCABULARY_H

#include "frontend/Import/Written/NodeWriter.h"

namespace cameo {

/// Distinct texts have the numbers from 0 on, in the order of their bytes.
class Vocabulary {
public:
  explicit Vocabulary(llvm::ArrayRef<std::string> texts);

  int64_t size() const { return words.size(); }
  /// Of one of the texts.
  int64_t numberOf(llvm::StringRef text) const;
  llvm::SmallVector<int64_t> numbersOf(llvm::ArrayRef<std::string> texts) const;
  /// The number of each element of a tensor of texts, size() for others: found by the run, in as many comparisons as
  /// size() has bits.
  mlir::Value find(NodeWriter &w, mlir::Value texts) const;

private:
  llvm::SmallVector<std::string> words;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_WRITTEN_VOCABULARY_H
