// The operators that functions of the user's program compute.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_EXTERNOPERATORS_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_EXTERNOPERATORS_H

#include "llvm/ADT/Twine.h"

#include <set>
#include <string>

namespace cameo {

struct ExternOperators {
  bool all = false;            ///< whether all otherwise unknown operators are extern
  std::set<std::string> named; ///< `com.acme:Foo`, or `Foo` for an operator of ONNX; may name known operators too

  static std::string key(llvm::StringRef domain, llvm::StringRef opType) {
    return domain.empty() ? opType.str() : (llvm::Twine(domain) + ":" + opType).str();
  }
  bool isNamed(llvm::StringRef domain, llvm::StringRef opType) const {
    return !named.empty() && named.count(key(domain, opType)) != 0;
  }
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_EXTERNOPERATORS_H
