// The part of Cameo that uses NATS: servers for experiments, devices, and the transport of packages and results.
// Started by 'cameo farm' and 'cameo tune --measure=farm:'.
#include "Agent.h"
#include "Carry.h"
#include "MeasureBroker.h"
#include "Server.h"
#include "SharedRecords.h"
#include "Status.h"

#include <csignal>
#include <cstdio>

using namespace cameo::farm;

static const char usage[] =
    "usage: cameo-farm start DIR [--port N] [--detach]\n"
    "       cameo-farm stop DIR\n"
    "       cameo-farm keygen [FILE]\n"
    "       cameo-farm agent --key KEY --server URL [--trust FILE] [--worker COMMAND] [--device NAME]\n"
    "       cameo-farm status --server URL [--json]\n\n"
    "What 'cameo farm' does, for machines without a compiler; 'cameo farm --help' explains it.\n";

int cameo::farm::fail(const Failure &failure) {
  std::fprintf(stderr, "cameo: error: farm: %s\n", failure.c_str());
  return 1;
}

void cameo::farm::say(const std::string &text) { std::fprintf(stderr, "cameo farm: %s\n", text.c_str()); }

static int makeKey(const Arguments &arguments) {
  if (arguments.getRest().size() > 1)
    return fail("keygen: expected one file at most");
  std::string path = arguments.getRest().empty() ? defaultKeyPath() : arguments.getRest().front();
  if (Failure failure = generateKey(path); !failure.empty())
    return fail("keygen: " + failure);
  std::printf("%s: signs packages; keep it to yourself\n%s.pub: a line for the files that agents have as --trust\n",
              path.c_str(), path.c_str());
  return 0;
}

int main(int argc, char **argv) {
  // Makes a write beyond the limit of file sizes (ulimit -f) an error, which names the file.
  signal(SIGXFSZ, SIG_IGN);
  Arguments arguments;
  if (Failure failure = Arguments::parse(argc, argv, arguments); !failure.empty())
    return fail(failure);
  const std::string &action = arguments.getAction();
  if (arguments.has("--help")) {
    std::fputs(usage, stdout);
    return 0;
  }
  if (action == "start")
    return startServer(arguments);
  if (action == "stop")
    return stopServer(arguments);
  if (action == "keygen")
    return makeKey(arguments);
  if (action == "agent")
    return Agent::run(arguments);
  if (action == "status")
    return showStatus(arguments);
  if (action == "carry")
    return Carrier::run(arguments);
  if (action == "records-get")
    return getRecords(arguments);
  if (action == "records-put")
    return putRecords(arguments);
  if (action == "measure-broker")
    return measureBroker(arguments);
  return fail(action.empty() ? "expected an action: start, stop, keygen, agent or status"
                             : "expected start, stop, keygen, agent or status, got '" + action + "'");
}
