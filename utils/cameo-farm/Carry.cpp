#include "Carry.h"

#include "autotune/Measure/PackageFormat.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <random>
#include <thread>
#include <unistd.h>
#include <utility>

namespace cameo::farm {

/// Limit of the number of times that a package is sent, if the store loses parts of it.
constexpr unsigned mostTimes = 4;

std::string newTuner() {
  std::random_device random;
  uint8_t bytes[12];
  for (uint8_t &each : bytes)
    each = static_cast<uint8_t>(random());
  return "t" + hexOf(bytes, sizeof(bytes));
}

int Carrier::run(const Arguments &arguments) {
  Carrier carrier;
  signal(SIGPIPE, SIG_IGN);
  // Ctrl-C on the terminal is meant for the tuner only.
  signal(SIGINT, SIG_IGN);
  if (Failure failure = carrier.configure(arguments); !failure.empty()) {
    carrier.refuse(std::string(sizeof(cameo_package), 0), failure);
    return 1;
  }
  std::thread results([&] { carrier.takeResults(); });
  carrier.takePackages();
  carrier.isClosed = true;
  // This also ends the wait for results.
  carrier.leave();
  results.join();
  return 0;
}

Failure Carrier::configure(const Arguments &arguments) {
  key = arguments.get("--key");
  tuner = newTuner();
  isHigh = arguments.has("--high");
  if (!isName(key))
    return "--key: expected a name of letters, digits, '-' and '_', got '" + key + "'";
  if (!arguments.has("--unsigned")) {
    signer.emplace();
    if (Failure failure = SigningKey::read(arguments.get("--signing-key", defaultKeyPath()), *signer); !failure.empty())
      return "--signing-key: " + failure +
             " ('cameo farm keygen' makes one; --unsigned sends packages that only agents with --unsigned run)";
  }
  long patience = 20;
  if (Failure failure = arguments.get("--patience", 1, 1000000, patience); !failure.empty())
    return failure;
  patienceSeconds = static_cast<double>(patience);
  if (Failure failure = Connection::open(arguments, "cameo tune", patienceSeconds, connection); !failure.empty())
    return failure;
  if (Failure failure = connection->addConsumer(jobsStream, jobsConsumerOf(key, isHigh)); !failure.empty())
    return failure;
  return connection->addConsumer(resultsStream, resultsConsumerOf(tuner));
}

/// Waits until a device of the key has recently been present, idle or busy. Returns false after the time limit.
bool Carrier::waitForDevice() {
  for (int64_t deadline = steadyNow() + static_cast<int64_t>(patienceSeconds * 1000); steadyNow() < deadline;
       nats_Sleep(300))
    for (const auto &[name, state] : connection->getAll(devicesBucket))
      if (name.rfind(key + ".", 0) == 0 && state.ageSeconds < goneSeconds)
        return true;
  return false;
}

static bool readAll(void *bytes, size_t count) {
  for (char *at = static_cast<char *>(bytes); count > 0;) {
    ssize_t got = read(STDIN_FILENO, at, count);
    if (got == 0 || (got < 0 && errno != EINTR))
      return false;
    at += got > 0 ? got : 0;
    count -= got > 0 ? static_cast<size_t>(got) : 0;
  }
  return true;
}

void Carrier::takePackages() {
  cameo_package header;
  for (bool isFirst = true; readAll(&header, sizeof(header)); isFirst = false) {
    if (header.magic != CAMEO_PACKAGE_MAGIC || header.bytes < sizeof(header))
      return;
    std::string package(header.bytes, 0);
    std::memcpy(package.data(), &header, sizeof(header));
    if (!readAll(package.data() + sizeof(header), header.bytes - sizeof(header)))
      return;
    if (isFirst && !waitForDevice())
      refuse(package, "no device of key '" + key + "' appeared within " +
                          std::to_string(static_cast<int>(patienceSeconds)) + " s: 'cameo farm agent --key " + key +
                          "' starts one, and 'cameo farm status' lists all");
    else
      submit(std::move(package));
  }
}

void Carrier::submit(std::string package) {
  std::string job = hexOf(digestOf(package).data(), 16);
  unsigned time = 0;
  {
    std::lock_guard lock(guard);
    Job &known = jobs[job];
    known.package = package;
    time = known.times++;
  }
  if (Failure failure = send(job, package, time); !failure.empty()) {
    {
      std::lock_guard lock(guard);
      jobs.erase(job);
    }
    refuse(package, failure);
  }
}

/// Sends a package, and tries until the server has it.
Failure Carrier::send(const std::string &job, const std::string &package, unsigned time) {
  std::string message;
  auto retry = [&](auto action) {
    Failure failure;
    for (bool isFirst = true; !(failure = action()).empty() && !isClosed && !connection->isRefused(); isFirst = false) {
      if (isFirst)
        say("a package waits: " + failure);
      nats_Sleep(300);
    }
    return failure;
  };
  auto put = [&](const Digest &digest, std::string_view bytes) {
    return retry([&] { return connection->putBlob(digest, bytes); });
  };
  if (Failure failure = seal(package, tuner, key, signer ? &*signer : nullptr, connection->mostBytes(), put, message);
      !failure.empty())
    return failure;
  std::string id = tuner + "." + job + "." + std::to_string(time);
  return retry([&] { return connection->publish(jobsSubjectOf(key, tuner, isHigh), message, id); });
}

void Carrier::takeResults() {
  Subscription subscription;
  while (!isClosed) {
    Message message = connection->fetch(subscription, resultsStream, resultsConsumerOf(tuner), 500);
    sendAgain();
    if (!message)
      continue;
    ResultMessage result;
    if (ResultMessage::read({natsMsg_GetData(message.get()), static_cast<size_t>(natsMsg_GetDataLength(message.get()))},
                            result))
      deliver(result);
    natsMsg_Ack(message.get(), nullptr);
  }
}

/// Sends packages again that the server has lost, because the queue was emptied or the server replaced. A job counts as
/// lost if nothing is in the queue at two successive checks and the job had no result before the first one.
void Carrier::sendAgain() {
  if (steadyNow() - checked < static_cast<int64_t>(patienceSeconds * 500))
    return;
  checked = steadyNow();
  std::map<std::string, std::string> missing;
  {
    std::lock_guard lock(guard);
    for (const auto &[job, each] : jobs)
      missing[job] = each.package;
  }
  if (missing.empty() || connection->countJobs(jobsConsumerOf(key, isHigh)) != 0)
    missing.clear();
  std::swap(missing, doubtful);
  bool isRenewed = false;
  for (const auto &[job, package] : missing) {
    unsigned time = 0;
    {
      std::lock_guard lock(guard);
      auto found = jobs.find(job);
      if (!doubtful.count(job) || found == jobs.end())
        continue;
      time = found->second.times++;
    }
    doubtful.erase(job);
    // If a server was killed while its disk was full, it may number messages from below the position of its consumers,
    // which would then wait forever.
    if (!std::exchange(isRenewed, true)) {
      connection->renewConsumer(jobsStream, jobsConsumerOf(key));
      connection->renewConsumer(resultsStream, resultsConsumerOf(tuner));
    }
    say("resending a package that the server lost");
    send(job, package, time);
  }
}

/// Writes the first result of a job. Later ones, and results of unknown jobs, are dropped.
void Carrier::deliver(const ResultMessage &result) {
  // This result is about a copy that was signed by somebody else, or not signed.
  if (result.outcome == Outcome::Refused && signer &&
      result.reason.find(hexOf(signer->getPublicKey())) == std::string::npos)
    return;
  std::string package;
  unsigned time = 0;
  {
    std::lock_guard lock(guard);
    auto found = jobs.find(result.job);
    if (found == jobs.end())
      return;
    time = found->second.times;
    package = found->second.package;
    if (result.outcome == Outcome::Missing && time < mostTimes)
      ++found->second.times;
    else
      jobs.erase(found);
  }
  if (result.outcome == Outcome::Measured) {
    write(result.lines);
  } else if (result.outcome == Outcome::Missing && time < mostTimes) {
    connection->clearKnownBlobs();
    send(result.job, package, time);
  } else {
    refuse(package, "device " + result.device + ": " + result.reason);
  }
}

/// Writes a refusal in the form of a worker. The digest 0 stands for all packages.
void Carrier::refuse(const std::string &package, const std::string &reason) {
  cameo_package header;
  std::memcpy(&header, package.data(), sizeof(header));
  uint8_t digest[8];
  for (int i = 0; i < 8; ++i)
    digest[i] = static_cast<uint8_t>(header.digest >> (56 - 8 * i));
  std::string line = "{\"format\":1,\"package\":\"" + hexOf(digest, 8) + "\",\"refused\":\"";
  for (char each : reason) {
    if (each == '"' || each == '\\')
      line += '\\';
    line += each < ' ' || each > '~' ? '?' : each;
  }
  write(line + "\"}\n");
}

void Carrier::write(std::string_view lines) {
  std::lock_guard lock(guard);
  while (!lines.empty() && isHeard) {
    ssize_t put = ::write(STDOUT_FILENO, lines.data(), lines.size());
    isHeard = put >= 0 || errno == EINTR;
    lines.remove_prefix(put > 0 ? static_cast<size_t>(put) : 0);
  }
}

/// Removes the consumer of this tuner's results, so that devices skip its remaining packages. They are not purged from
/// the queue, because servers (2.9.10) then forget messages for other consumers of the queue.
void Carrier::leave() { js_DeleteConsumer(connection->getJetStream(), resultsStream, tuner.c_str(), nullptr, nullptr); }

} // namespace cameo::farm
