// 'cameo-farm carry' is started by 'cameo tune --measure=farm:URL'. It reads packages from standard input, as
// cameo-worker does, sends them to devices of a key, and writes the lines of their results to standard output.
#ifndef CAMEO_FARM_CARRY_H
#define CAMEO_FARM_CARRY_H

#include "Connection.h"
#include "ResultMessage.h"

#include <atomic>
#include <mutex>
#include <optional>

namespace cameo::farm {

class Carrier {
public:
  static int run(const Arguments &arguments);

private:
  struct Job {
    std::string package; ///< kept so that it can be sent again
    unsigned times = 0;  ///< number of times that it was sent
  };

  Failure configure(const Arguments &arguments);
  bool waitForDevice();
  void takePackages();
  void takeResults();
  void sendAgain();
  void submit(std::string package);
  Failure send(const std::string &job, const std::string &package, unsigned time);
  void deliver(const ResultMessage &result);
  void refuse(const std::string &package, const std::string &reason);
  void write(std::string_view lines);
  void leave();

  std::string key, tuner;
  bool isHigh = false;              ///< whether its packages precede those of others
  std::optional<SigningKey> signer; ///< nothing: packages are not signed
  std::unique_ptr<Connection> connection;
  double patienceSeconds = 0;
  std::atomic<bool> isClosed = false;
  int64_t checked = 0;                         ///< when sendAgain() checked the queue, as steadyNow()
  std::map<std::string, std::string> doubtful; ///< packages of jobs that were in no queue at that time
  std::mutex guard;                            ///< guards `jobs` and `isHeard`
  std::map<std::string, Job> jobs;             ///< jobs without a result
  bool isHeard = true;                         ///< whether the reader of standard output is still there
};

/// Returns a name that no other tuner has.
std::string newTuner();

} // namespace cameo::farm

#endif
