#include "Agent.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cameo::farm {

/// Limit of deliveries: a package that this many devices did not answer probably ends their workers.
constexpr uint64_t mostDeliveries = 16;
/// Time between two updates of the shown state.
constexpr int64_t beatMilliseconds = 2500;
/// Time during which a device that differs from its peers takes no packages.
constexpr int64_t asideMilliseconds = 60000;

static volatile sig_atomic_t isStopped = 0;

int Agent::run(const Arguments &arguments) {
  Agent agent;
  if (Failure failure = agent.configure(arguments); !failure.empty())
    return fail(failure);
  signal(SIGPIPE, SIG_IGN);
  for (int each : {SIGINT, SIGTERM})
    signal(each, [](int) { isStopped = 1; });
  if (Failure failure = agent.takeDevice(arguments); !failure.empty())
    return fail(failure);
  if (Failure failure = MachineFacts::ask(*agent.worker, agent.machine); !failure.empty())
    return fail("--worker: " + failure);
  if (arguments.has("--gpu") && agent.machine.gpu.empty())
    return fail("--gpu: the worker finds no GPU");
  if (!agent.worker->getMissing().empty())
    say("sandbox: " + agent.worker->getMissing());
  long patience = 0;
  if (Failure failure = arguments.get("--patience", 0, 1000000, patience); !failure.empty())
    return fail(failure);
  if (Failure failure = Connection::open(arguments, "cameo farm agent " + agent.device, static_cast<double>(patience),
                                         agent.connection);
      !failure.empty())
    return fail(failure);
  if (Failure failure = agent.meetKey(arguments.has("--mixed")); !failure.empty())
    return fail(failure);
  if (Failure failure = agent.peers.join(*agent.connection, agent.key, agent.device); !failure.empty())
    return fail(failure);
  say("device " + agent.device + " of key " + agent.key + " at " + agent.connection->getServer() + ": " +
      agent.machine.identity);
  agent.serve();
  return 0;
}

/// Returns the worker's command: CAMEO_WORKER, or the program beside this one.
static std::string findWorker() {
  if (const char *named = std::getenv("CAMEO_WORKER"))
    return named;
  char self[4096];
  ssize_t size = readlink("/proc/self/exe", self, sizeof(self) - 1);
  std::string path(self, size > 0 ? static_cast<size_t>(size) : 0);
  return "'" + path.substr(0, path.rfind('/') + 1) + "cameo-worker'";
}

Failure Agent::configure(const Arguments &arguments) {
  char host[65] = "";
  gethostname(host, sizeof(host) - 1);
  std::string name;
  for (const char *each = host; *each; ++each)
    name += isName(std::string(1, *each)) ? *each : '-';
  key = arguments.get("--key");
  device = arguments.get("--device", (name.empty() ? "device" : name) + "-" + key);
  if (!arguments.getRest().empty())
    return "unexpected argument '" + arguments.getRest().front() + "'";
  if (!isName(key))
    return "--key: expected a name of letters, digits, '-' and '_', got '" + key + "'";
  if (!isName(device))
    return "--device: expected a name of letters, digits, '-' and '_', got '" + device + "'";
  if (arguments.has("--unsigned") && arguments.has("--trust"))
    return "--unsigned: packages need no signature then; leave out --trust";
  if (!arguments.has("--unsigned")) {
    std::string path = arguments.get("--trust", defaultKeyPath() + ".pub");
    trusted.emplace();
    if (Failure failure = TrustedKeys::read(path, *trusted); !failure.empty())
      return "--trust: " + failure + " (keys of those whose packages run here; 'cameo farm keygen' makes one)";
  } else {
    say("warning: --unsigned: anyone with access to the server can run any code on this machine");
  }
  return "";
}

/// Takes the device, which only one agent at a time may use. All processes of a worker hold the file open, so the next
/// agent waits until the last of them has ended.
Failure Agent::takeDevice(const Arguments &arguments) {
  std::string path = arguments.get("--lock", "/tmp/cameo-farm.lock");
  // Opened read-only, because candidates inherit it. O_CREAT comes second, because the system refuses it for other
  // users' files in /tmp.
  lock = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  bool isThere = lock >= 0 || errno != ENOENT;
  if (!isThere && (lock = open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0644)) >= 0)
    // Other users' agents must be able to open it, whatever the umask of this user.
    fchmod(lock, 0644);
  if (lock < 0)
    return "--lock: " + path + ": " + std::strerror(errno) +
           (isThere ? ": it belongs to another user and is not readable; agents with different --lock FILE do not wait "
                      "for each other"
                    : "");
  for (bool isFirst = true; flock(lock, LOCK_EX | LOCK_NB) != 0; isFirst = false) {
    if (isFirst)
      say("waiting for another agent to end, which measures on this machine: " + path);
    if (isStopped)
      return "stopped";
    usleep(100000);
  }
  SandboxLimits limits;
  if (Failure failure = arguments.get("--memory", 64, 1 << 24, limits.memoryMb); !failure.empty())
    return failure;
  if (Failure failure = arguments.get("--processes", 8, 1 << 20, limits.processes); !failure.empty())
    return failure;
  for (const char *each : {"--server", "--credentials", "--nkey", "--tls-key"})
    if (std::string file = arguments.get(each); access(file.c_str(), F_OK) == 0)
      limits.hidden.push_back(file);
  limits.isOff = arguments.has("--no-sandbox");
  limits.hasGpu = arguments.has("--gpu");
  if (limits.isOff)
    say("warning: --no-sandbox: what candidates do to this machine is not contained");
  worker = std::make_unique<WorkerProcess>(arguments.get("--worker", findWorker()), limits, lock);
  return "";
}

/// Fails if this machine differs from the first one of its key, because costs of different machines do not compare.
Failure Agent::meetKey(bool mayDiffer) {
  std::string identity;
  connection->create(machinesBucket, key, machine.identity);
  if (mayDiffer || !connection->get(machinesBucket, key, identity) || identity == machine.identity)
    return "";
  return "key '" + key + "' is for machines that are " + identity + "; this one is " + machine.identity +
         ": give it another key, or add --mixed if its costs may be mixed with theirs";
}

void Agent::serve() {
  Subscription usual, high;
  while (!isStopped) {
    showState(isOutdated);
    if (std::string reason = peers.compare(); !reason.empty())
      waitAside(reason);
    Message message = connection->fetch(high, jobsStream, jobsConsumerOf(key, /*isHigh=*/true), 0);
    if (!message)
      message = connection->fetch(usual, jobsStream, jobsConsumerOf(key), 1000);
    if (message)
      handle(message.get());
  }
  say("stopped after " + std::to_string(measured) + " packages");
}

/// Stops taking packages for a while: the costs of this device would be mixed with those of its peers.
void Agent::waitAside(const std::string &reason) {
  say("set aside for " + std::to_string(asideMilliseconds / 1000) + " s: " + reason);
  aside = reason;
  for (int64_t end = steadyNow() + asideMilliseconds; !isStopped && steadyNow() < end; nats_Sleep(200))
    showState(/*isUrgent=*/false);
  aside = "";
}

void Agent::handle(natsMsg *message) {
  Envelope envelope;
  std::string_view bytes(natsMsg_GetData(message), static_cast<size_t>(natsMsg_GetDataLength(message)));
  if (Failure failure = Envelope::open(bytes, envelope); !failure.empty()) {
    // The tuner is unknown, so nobody gets a result.
    ++refused;
    say("refused: " + failure);
    natsMsg_Term(message, nullptr);
    return;
  }
  if (envelope.getKey() != key) {
    // The tuner did not put it into this queue, so nobody gets a result.
    ++refused;
    say("refused " + envelope.getJob() + " of tuner " + envelope.getTuner() + ": the package is for machines of key '" +
        envelope.getKey() + "', this one is of '" + key + "'");
    natsMsg_Term(message, nullptr);
    return;
  }
  if (!isAwaited(envelope.getTuner())) {
    say("left out " + envelope.getJob() + ": tuner " + envelope.getTuner() + " no longer waits for it");
    natsMsg_Term(message, nullptr);
    return;
  }
  tuner = envelope.getTuner();
  job = envelope.getJob();
  since = steadyNow();
  showState(/*isUrgent=*/true);
  ResultMessage result = answer(message, envelope);
  if (isStopped && result.outcome == Outcome::Lost) {
    // Another device gets the package at once.
    natsMsg_Nak(message, nullptr);
  } else {
    publish(message, envelope, result);
  }
  tuner = job = "";
  showState(/*isUrgent=*/true);
}

/// Whether the tuner still waits for results. The answer is kept for a while, so a tuner that has just ended may cost a
/// package or two.
bool Agent::isAwaited(const std::string &name) {
  constexpr int64_t believedMilliseconds = 2000;
  if (name == awaited && steadyNow() - asked < believedMilliseconds)
    return true;
  awaited = connection->isWaiting(name) ? name : "";
  asked = steadyNow();
  return !awaited.empty();
}

ResultMessage Agent::answer(natsMsg *message, const Envelope &envelope) {
  ResultMessage result{envelope.getJob(), device, Outcome::Refused, "", ""};
  result.reason = envelope.check(trusted ? &*trusted : nullptr);
  std::string package;
  if (result.reason.empty()) {
    result.reason = envelope.assemble(
        [&](const Digest &digest, uint64_t count, std::string &part) {
          natsMsg_InProgress(message, nullptr);
          Failure failure = connection->getBlob(digest, count, part);
          result.outcome = failure.empty() ? Outcome::Refused : Outcome::Missing;
          return failure;
        },
        package);
  }
  if (!result.reason.empty()) {
    ++refused;
    say("refused " + result.job + " of tuner " + envelope.getTuner() + ": " + result.reason);
    // The tuner itself did not alter it, and can send it again.
    if (result.reason == isAltered)
      result.outcome = Outcome::Missing;
    return result;
  }
  jsMsgMetaData *meta = nullptr;
  uint64_t deliveries = natsMsg_GetMetaData(&meta, message) == NATS_OK ? meta->NumDelivered : 1;
  jsMsgMetaData_Destroy(meta);
  if (deliveries > 1)
    say("measures " + result.job + " of tuner " + envelope.getTuner() + ", which was given to " +
        std::to_string(deliveries - 1) + " before");
  if (deliveries <= mostDeliveries)
    return measure(message, envelope, package);
  ++failed;
  result.outcome = Outcome::Lost;
  result.reason = "given to " + std::to_string(mostDeliveries) + " devices, of which none answered";
  say("gave up " + result.job + " of tuner " + envelope.getTuner() + ": " + result.reason);
  return result;
}

ResultMessage Agent::measure(natsMsg *message, const Envelope &envelope, const std::string &package) {
  ResultMessage result{envelope.getJob(), device, Outcome::Measured, "", ""};
  int64_t beat = steadyNow();
  auto meanwhile = [&] {
    if (steadyNow() - beat >= beatMilliseconds) {
      beat = steadyNow();
      natsMsg_InProgress(message, nullptr);
      showState(/*isUrgent=*/false);
    }
    return !isStopped;
  };
  Failure failure = worker->measure(package, secondsOf(package), meanwhile, result.lines);
  ++(failure.empty() ? measured : failed);
  if (failure.empty()) {
    peers.add(result.lines);
    // Adds the device to the first line, which begins with a brace.
    result.lines.insert(1, "\"device\":\"" + device + "\",");
    // Processes that a failed candidate has left running end with the worker.
    if (result.lines.find("\"error\":\"runtime\"") != std::string::npos ||
        result.lines.find("\"error\":\"run-timeout\"") != std::string::npos)
      worker->stop();
    return result;
  }
  result.outcome = Outcome::Lost;
  result.reason = failure;
  if (!isStopped)
    say("failed " + result.job + " of tuner " + envelope.getTuner() + ": " + failure);
  return result;
}

/// Publishes the result, and tries until the server has it. Meanwhile the package is kept from other devices, as far as
/// possible.
void Agent::publish(natsMsg *message, const Envelope &envelope, const ResultMessage &result) {
  std::string text = result.write(),
              id = envelope.getTuner() + "." + result.job +
                   (result.outcome == Outcome::Measured ? "" : "." + device + std::to_string(steadyNow()));
  for (bool isFirst = true; !isStopped; isFirst = false) {
    Failure failure = connection->publish("cameo.results." + envelope.getTuner(), text, id);
    if (failure.empty())
      break;
    if (isFirst || connection->isRefused())
      say("result waits: " + failure);
    if (connection->isRefused())
      return;
    natsMsg_InProgress(message, nullptr);
    nats_Sleep(300);
  }
  natsMsg_Ack(message, nullptr);
}

void Agent::showState(bool isUrgent) {
  // With short packages, updates of the state would otherwise outnumber results.
  constexpr int64_t urgentMilliseconds = 1000;
  int64_t now = steadyNow();
  isOutdated |= isUrgent;
  if (now - shown < (isOutdated ? urgentMilliseconds : beatMilliseconds))
    return;
  shown = now;
  isOutdated = false;
  std::string text = "key=" + key + "\ndevice=" + device + "\ncpu=" + machine.cpu + "\nmachine=" + machine.machine +
                     "\ntuner=" + tuner + "\njob=" + job + "\naside=" + aside;
  text += "\nsentinel_us=" + std::to_string(peers.getSentinel() * 1e6);
  text += "\nbusy_ms=" + std::to_string(job.empty() ? 0 : now - since);
  for (auto [name, value] :
       {std::pair("measured", measured), std::pair("failed", failed), std::pair("refused", refused)})
    text += std::string("\n") + name + '=' + std::to_string(value);
  connection->put(devicesBucket, key + "." + device, text);
}

} // namespace cameo::farm
