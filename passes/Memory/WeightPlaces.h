// Assigns offsets to constants in the weights. Equal contents in the same layout are stored once.
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
  /// Returns the offset in bytes of `constant` in the layout `packing`, which may be null. Constants of equal bytes
  /// share an offset: exporters write tied weights twice, and biases are often all zero.
  int64_t offsetOf(mlir::ElementsAttr constant, task::PackingAttr packing);

  llvm::ArrayRef<WeightPlace> getPlaces() const { return places; }
  int64_t getBytes() const { return bytes; }

private:
  std::vector<WeightPlace> places;
  std::vector<task::Weight> weights; ///< per place
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Attribute>, unsigned> known;
  llvm::DenseMap<uint64_t, llvm::SmallVector<unsigned, 1>> similar; ///< by hash of a sample of the bytes
  int64_t bytes = 0;
};

} // namespace cameo

#endif
