// The values that nodes of a graph can name.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_NAMEDVALUES_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_NAMEDVALUES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringMap.h"

namespace cameo {

/// Values by their names. A body has those around it, too, which are not copied: a graph may have many bodies, and a
/// loop as many as it has rounds.
class NamedValues {
public:
  NamedValues() = default;
  /// `around` must outlive this.
  explicit NamedValues(const NamedValues *around) : around(around) {}

  /// Null for a name that is taken by no value, or by none at all.
  mlir::Value lookup(llvm::StringRef name) const {
    const mlir::Value *found = find(name);
    return found ? *found : mlir::Value();
  }
  bool contains(llvm::StringRef name) const { return find(name); }

  /// What has the name in the graph itself, where it hides what has it around.
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
