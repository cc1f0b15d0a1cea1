// What a device says of a package: a line about the job, and the lines of its worker.
#ifndef CAMEO_FARM_RESULTMESSAGE_H
#define CAMEO_FARM_RESULTMESSAGE_H

#include <string>
#include <string_view>

namespace cameo::farm {

enum class Outcome {
  Measured, ///< there are lines
  Refused,  ///< not to be run by this device; `reason` says why
  Missing,  ///< the store has lost a part of it, or it came altered: to be sent again
  Lost      ///< devices died of it, or their workers
};

struct ResultMessage {
  std::string job, device;
  Outcome outcome = Outcome::Measured;
  std::string reason;
  std::string lines;

  std::string write() const;
  /// False: it is none.
  static bool read(std::string_view text, ResultMessage &result);
};

} // namespace cameo::farm

#endif
