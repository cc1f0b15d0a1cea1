// Maps strings that are known at compile time to numbers, so that later operations compare integers.
#ifndef CAMEO_FRONTEND_IMPORT_WRITTEN_VOCABULARY_H
#define CAMEO_FRONTEND_IMPORT_WRITTEN_VOCABULARY_H

#include "frontend/Import/Written/NodeWriter.h"

namespace cameo {

/// Numbers distinct strings from 0 on, in the order of their bytes.
class Vocabulary {
public:
  explicit Vocabulary(llvm::ArrayRef<std::string> strings);

  int64_t size() const { return words.size(); }
  /// Returns the number of one of the strings.
  int64_t numberOf(llvm::StringRef string) const;
  llvm::SmallVector<int64_t> numbersOf(llvm::ArrayRef<std::string> strings) const;
  /// Returns the number of each element of a tensor of strings, size() for unknown strings. At run time it takes as
  /// many comparisons as size() has bits.
  mlir::Value find(NodeWriter &w, mlir::Value strings) const;

private:
  llvm::SmallVector<std::string> words;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_WRITTEN_VOCABULARY_H
