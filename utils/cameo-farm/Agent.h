// 'cameo farm agent' represents one device of the farm. It takes one package of its key at a time, lets a worker
// measure it, and publishes the result.
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
  std::optional<TrustedKeys> trusted; ///< nothing: packages of everybody are accepted
  std::unique_ptr<WorkerProcess> worker;
  std::unique_ptr<Connection> connection;
  MachineFacts machine;
  Peers peers;
  int lock = -1;
  std::string awaited; ///< the last tuner that waited for its results, at the time `asked`
  int64_t asked = 0;
  // State that 'status' shows.
  std::string tuner, job;       ///< of the package that is measured; empty: idle
  std::string aside;            ///< reason why no packages are taken; empty if they are
  int64_t since = 0, shown = 0; ///< start of the current state, and last update of the shown one, as steadyNow()
  bool isOutdated = false;      ///< whether the shown state is outdated
  uint64_t measured = 0, failed = 0, refused = 0;
};

} // namespace cameo::farm

#endif
