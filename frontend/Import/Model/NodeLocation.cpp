#include "frontend/Import/Model/NodeLocation.h"

using namespace mlir;

Location cameo::getFileLocation(MLIRContext *context, StringRef file) {
  return FileLineColLoc::get(context, file, 0, 0);
}

Location cameo::getValueLocation(MLIRContext *context, StringRef file, StringRef name) {
  return NameLoc::get(StringAttr::get(context, name), getFileLocation(context, file));
}

Location cameo::getNodeLocation(MLIRContext *context, StringRef file, unsigned nodeIndex, StringRef name) {
  return NameLoc::get(StringAttr::get(context, name), FileLineColLoc::get(context, file, nodeIndex + 1, 1));
}

std::string cameo::getNodeName(StringRef name, unsigned nodeIndex, StringRef opType) {
  return name.empty() ? ("#" + Twine(nodeIndex) + ":" + opType).str() : name.str();
}
