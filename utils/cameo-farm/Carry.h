// 'cameo-farm carry', which 'cameo tune --measure=farm:URL' starts: packages come through standard input, as to
// cameo-worker, go to devices of a key, and the lines of their results leave through standard output.
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
    std::string package; ///< for another time
    unsigned times = 0;  ///< that it was sent
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
  bool isHigh = false;              ///< its packages go before those of others
  std::optional<SigningKey> signer; ///< none: nobody answers for what it sends
  std::unique_ptr<Connection> connection;
  double patienceSeconds = 0;
  std::atomic<bool> isClosed = false;
  int64_t checked = 0;                         ///< when sendAgain() looked, of steadyNow()
  std::map<std::string, std::string> doubtful; ///< packages of jobs that were in no queue then
  std::mutex guard;                            ///< of the two below
  std::map<std::string, Job> jobs;             ///< without a result
  bool isHeard = true;                         ///< somebody reads what it writes
};

/// A name that no other tuner has.
std::string newTuner();

} // namespace cameo::farm

#endif
