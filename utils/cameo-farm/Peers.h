// Compares this device with others of its key by the sentinel, a fixed computation that the worker times around each
// candidate.
#ifndef CAMEO_FARM_PEERS_H
#define CAMEO_FARM_PEERS_H

#include "Connection.h"

#include <atomic>
#include <deque>

namespace cameo::farm {

class Peers {
public:
  /// Answers other devices of the key that ask for this device's sentinel.
  Failure join(Connection &connection, const std::string &key, const std::string &device);
  /// Adds the sentinels in a worker's lines.
  void add(const std::string &lines);
  /// Returns the problem of this device in one line; empty if its sentinel is close to those of others, or if that is
  /// unknown. Asks a few other devices now and then.
  std::string compare();
  /// Returns the median of the last sentinels in seconds; 0 if there are too few.
  double getSentinel() const { return sentinel; }

private:
  static void answer(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *self);

  Connection *connection = nullptr;
  std::string subject, device;
  Subscription questions;
  std::deque<double> sentinels; ///< seconds
  std::atomic<double> sentinel = 0;
  int64_t compared = 0;
};

} // namespace cameo::farm

#endif
