// Options for access to the server of a farm, which several commands share.
#ifndef CAMEO_UTILS_CAMEO_FARMACCESS_H
#define CAMEO_UTILS_CAMEO_FARMACCESS_H

#include "utils/cameo/CommandLine/CommandLine.h"

namespace cameo {

class FarmAccess {
public:
  void declare(CommandLine &line);
  /// Returns the same options as arguments of cameo-farm.
  std::vector<std::string> arguments() const;

private:
  std::string credentials, nkey, authority, certificate, privateKey;
};

} // namespace cameo

#endif
