// The history of ONNX's operators: which version of an operator a model of some operator set means.
#ifndef CAMEO_FRONTEND_IMPORT_VERSIONS_OPERATORVERSIONS_H
#define CAMEO_FRONTEND_IMPORT_VERSIONS_OPERATORVERSIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace cameo {

/// The operator sets of the default domain that are understood.
constexpr int64_t kFirstOpset = 7;
constexpr int64_t kLastOpset = 28;

/// The operator sets that brought in or changed the operator, ascending; a negative one took it away. Empty for an
/// operator that ONNX does not have.
llvm::ArrayRef<int> getOperatorVersions(llvm::StringRef opType);

/// The version that holds in an operator set: the newest one not above it, negative when the operator is gone. Nothing
/// when the operator came later, or never.
std::optional<int> getVersionInOpset(llvm::StringRef opType, int64_t opset);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_VERSIONS_OPERATORVERSIONS_H
