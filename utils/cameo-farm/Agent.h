// 'cameo farm agent': one device of the farm. It takes a package of its key at a time, has a worker measure it, and
// says what came out.
#ifndef CAMEO_FARM_AGENT_H
#define CAMEO_FARM_AGENT_H

#include "Connection.h"
#include "MachineFacts.h"
#include "Peers.h"
#include "ResultMessage.h"
#include "WorkerProcess.h"

#include <optional>

namespace cameo::farm {

class Agent {
public:
  static int run(const Arguments &arguments);

private:
  Failure configure(const Arguments &arguments);
  Failure takeDevice(const Arguments &arguments);
  Failure meetKey(bool mayDiffer);
  void serve();
  void waitAside(const std::string &reason);
  void handle(natsMsg *message);
  bool isAwaited(const std::string &name);
  ResultMessage answer(natsMsg *message, const Envelope &envelope);
  ResultMessage measure(natsMsg *message, const Envelope &envelope, const std::string &package);
  void publish(natsMsg *message, const Envelope &envelope, const ResultMessage &result);
  void showState(bool isUrgent);

  std::string key, device;
  std::optional<TrustedKeys> trusted; ///< none: everybody
  std::unique_ptr<WorkerProcess> worker;
  std::unique_ptr<Connection> connection;
  MachineFacts machine;
  Peers peers;
  int lock = -1;
  std::string awaited; ///< a tuner that waited for its results when that was `asked`
  int64_t asked = 0;
  // What 'status' shows.
  std::string tuner, job;       ///< empty: it waits
  std::string aside;            ///< why it takes nothing; empty: it does
  int64_t since = 0, shown = 0; ///< of steadyNow()
  bool isOutdated = false;      ///< what it shows
  uint64_t measured = 0, failed = 0, refused = 0;
};

} // namespace cameo::farm

#endif
