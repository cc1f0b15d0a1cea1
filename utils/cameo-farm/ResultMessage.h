// A device's answer to a package: a line about the job, and the lines of its worker.
#ifndef CAMEO_FARM_RESULTMESSAGE_H
#define CAMEO_FARM_RESULTMESSAGE_H

#include <string>
#include <string_view>

namespace cameo::farm {

enum class Outcome {
  Measured, ///< `lines` holds the results
  Refused,  ///< this device must not run it; `reason` says why
  Missing,  ///< the store has lost a part of it, or it was altered: the tuner must send it again
  Lost      ///< devices or their workers ended while they measured it
};

struct ResultMessage {
  std::string job, device;
  Outcome outcome = Outcome::Measured;
  std::string reason;
  std::string lines;

  std::string write() const;
  /// Parses a message. Returns false if `text` is invalid.
  static bool read(std::string_view text, ResultMessage &result);
};

} // namespace cameo::farm

#endif
