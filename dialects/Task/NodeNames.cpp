#include "dialects/Task/NodeNames.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

static void collectNames(Location loc, SmallVectorImpl<StringRef> &names) {
  if (auto name = dyn_cast<NameLoc>(loc))
    names.push_back(name.getName());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      collectNames(part, names);
}

std::string cameo::task::nodeNames(Location loc) {
  SmallVector<StringRef> names;
  collectNames(loc, names);
  return llvm::join(names, "+");
}
