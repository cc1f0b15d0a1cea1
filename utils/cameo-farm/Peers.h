// Whether this device is like others of its key, by the sentinel: a fixed computation that its worker times around each
// candidate.
#ifndef CAMEO_FARM_PEERS_H
#define CAMEO_FARM_PEERS_H

#include "Connection.h"

#include <atomic>
#include <deque>

namespace cameo::farm {

class Peers {
public:
  /// Tells other devices of the key what it takes here, whenever one of them asks.
  Failure join(Connection &connection, const std::string &key, const std::string &device);
  /// Takes over sentinels from a worker's lines.
  void add(const std::string &lines);
  /// What is wrong with this device, in a line; empty: it takes about what it takes others, or nobody knows. Asks a few
  /// of them, now and then.
  std::string compare();
  /// The median of the last ones in seconds; 0: there are too few.
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
