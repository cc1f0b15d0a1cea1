#include "frontend/Import/Versions/OperatorVersions.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <initializer_list>

using namespace llvm;

namespace {

struct OperatorHistory {
  const char *name;
  std::initializer_list<int> versions;
};

// The array refers to the lists, which therefore have static storage.
#define OPERATOR(name, ...) {#name, {__VA_ARGS__}},
constexpr OperatorHistory kOperators[] = {
#include "frontend/Import/Versions/OperatorVersions.inc"
};
#undef OPERATOR

} // namespace

ArrayRef<int> cameo::getOperatorVersions(StringRef opType) {
  const OperatorHistory *found =
      partition_point(kOperators, [&](const OperatorHistory &op) { return op.name < opType; });
  if (found == std::end(kOperators) || found->name != opType)
    return {};
  return ArrayRef<int>(found->versions.begin(), found->versions.size());
}

std::optional<int> cameo::getVersionInOpset(StringRef opType, int64_t opset) {
  std::optional<int> newest;
  for (int version : getOperatorVersions(opType))
    if (std::abs(version) <= opset)
      newest = version;
  return newest;
}
