// How commands are let in by the server of a farm: options that those have in common.
#ifndef CAMEO_UTILS_CAMEO_FARMACCESS_H
#define CAMEO_UTILS_CAMEO_FARMACCESS_H

#include "utils/cameo/CommandLine/CommandLine.h"

namespace cameo {

class FarmAccess {
public:
  void declare(CommandLine &line);
  /// The same for cameo-farm.
  std::vector<std::string> arguments() const;

private:
  std::string credentials, nkey, authority, certificate, privateKey;
};

} // namespace cameo

#endif
