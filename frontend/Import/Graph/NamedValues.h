// The values that nodes of a graph can refer to by name.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_NAMEDVALUES_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_NAMEDVALUES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringMap.h"

namespace cameo {

/// Values by name. A subgraph also sees the values around it, which are not copied: a graph may have many subgraphs,
/// and an unrolled loop one per iteration.
class NamedValues {
public:
  NamedValues() = default;
  /// `around` must outlive this.
  explicit NamedValues(const NamedValues *around) : around(around) {}

  /// Returns null for an unknown name and for the name of a missing value.
  mlir::Value lookup(llvm::StringRef name) const {
    const mlir::Value *found = find(name);
    return found ? *found : mlir::Value();
  }
  bool contains(llvm::StringRef name) const { return find(name); }

  /// The value with this name in the graph itself, which hides one around it.
  mlir::Value &operator[](llvm::StringRef name) { return own[name]; }

private:
  const mlir::Value *find(llvm::StringRef name) const {
    for (const NamedValues *values = this; values; values = values->around)
      if (auto it = values->own.find(name); it != values->own.end())
        return &it->second;
    return nullptr;
  }

  llvm::StringMap<mlir::Value> own;
  const NamedValues *around = nullptr;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_NAMEDVALUES_H
