// Divides a serialized model into its structure and its weights, so that protobuf only parses the structure: weights
// are read once, where they are needed, and a model can be checked without reading them.
#ifndef CAMEO_FRONTEND_IMPORT_MODEL_SPLITWEIGHTS_H
#define CAMEO_FRONTEND_IMPORT_MODEL_SPLITWEIGHTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cameo {

/// The payload of one data field of a TensorProto in the file.
struct WeightRange {
  int field; // number of the field in TensorProto: 9 is raw_data
  uint64_t offset;
  uint64_t sizeBytes;
};

struct SplitModel {
  /// A serialised ModelProto without the payloads of large tensors. Each tensor that lost its payload carries the
  /// unknown varint field `kWeightField` with the number of its range, counted from 1.
  std::string structure;
  std::vector<WeightRange> weights;
};

/// Payloads up to this size stay in the structure.
constexpr uint64_t kMaxInlineBytes = 1024;
constexpr int kWeightField = 1999;

/// Fails with a message if the bytes are not a protobuf message of a model.
llvm::Expected<SplitModel> splitWeights(llvm::StringRef file);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_SPLITWEIGHTS_H
