// Offsets of constants in the weights, each content and layout once.
#ifndef CAMEO_PASSES_MEMORY_WEIGHTPLACES_H
#define CAMEO_PASSES_MEMORY_WEIGHTPLACES_H

#include "dialects/Task/SameWeights.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace cameo {

struct WeightPlace {
  mlir::ElementsAttr constant;
  task::PackingAttr packing; ///< may be null
  int64_t offset, bytes;
};

class WeightPlaces {
public:
  /// Where `constant`, laid out by `packing`, lies. Constants of equal bytes share a place: exporters write tied
  /// weights twice, and biases are often all zero.
  int64_t offsetOf(mlir::ElementsAttr constant, task::PackingAttr packing);

  llvm::ArrayRef<WeightPlace> getPlaces() const { return places; }
  int64_t getBytes() const { return bytes; }

private:
  std::vector<WeightPlace> places;
  std::vector<task::Weight> weights; ///< of the places
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Attribute>, unsigned> known;
  llvm::DenseMap<uint64_t, llvm::SmallVector<unsigned, 1>> similar; ///< by hash of a sample
  int64_t bytes = 0;
};

} // namespace cameo

#endif
