// cameo farm: describes the options of cameo-farm, and runs it. This program links neither NATS nor OpenSSL.
#include "utils/Driver/FindMachine.h"
#include "utils/Driver/Tune/TuneModel.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/cameo/FarmAccess.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace cameo;
using llvm::StringRef;

namespace {

class FarmCommand : public Command {
public:
  void declare(CommandLine &line) override;
  int run() override;

private:
  std::vector<std::string> arguments() const;
  llvm::Error check() const;

  std::string action, path, server, key, device, worker, trust, lock;
  int64_t port = -1, patience = 0, memory = 0, processes = 0;
  bool isDetached = false, isJson = false, isUnsigned = false, isMixed = false, isOpen = false, hasGpu = false;
  FarmAccess access;
};

} // namespace

void FarmCommand::declare(CommandLine &line) {
  line.description(
      "A farm measures candidates of 'cameo tune' on many machines. A NATS server with JetStream (Debian's "
      "nats-server) has a queue per key. Each machine runs an agent, which takes one package of candidates at a time "
      "from the queue of its key. Tuners anywhere put packages in and get results back. If a machine dies, its package "
      "goes to another one.\n  keygen   makes a pair of keys, FILE and FILE.pub. Tuners sign with FILE; agents get the "
      "line of FILE.pub in their list of trusted keys. Default: $XDG_CONFIG_HOME/cameo/farm.key\n  start    runs a "
      "server on this machine for trials, with its data in DIR. Prints the URL, which is also in DIR/url. Ends with "
      "Ctrl-C\n  stop     ends the server of DIR\n  agent    makes this machine a device of the farm, until Ctrl-C. It "
      "runs only packages that are signed by a trusted key, in a sandbox: no network, read-only file systems, limited "
      "memory and number of processes\n  status   shows the devices, what each one measures and for how long, and the "
      "queues");
  line.positional("ACTION", "What to do.", action, {"keygen", "start", "stop", "agent", "status"});
  line.positional("[DIR|FILE]", "For start and stop: the folder of the server. For keygen: the file of the key.", path);
  line.group("options");
  line.text("--server", "URL",
            "For agent and status: the server, nats://HOST:4222 or tls://HOST:4222, or a file that contains the URL.",
            server, Completes::File);
  access.declare(line);
  line.flag("--json", "For status: as JSON (docs/json.md).", isJson);
  line.group("start");
  line.integer(
      "--port", "N",
      "Port of the server, on this machine only; 0: any free port. Default: the port of the last time, or 4222.", port,
      0, 65535);
  line.integer(
      "--patience", "SECONDS",
      "Seconds without an answer about a stream after which the server counts as hung and is restarted. Default: 30.",
      patience, 1, 1000000);
  line.flag("--detach", "Return as soon as the server answers; 'cameo farm stop DIR' ends it.", isDetached);
  line.group("agent");
  line.text("--key", "KEY",
            "Queue to serve. Use one key for machines that are equal, such as rk3588 or zen4. Required.", key);
  line.text("--trust", "FILE",
            "File with the trusted keys, one line of a .pub file each. Default: the default .pub file of keygen.",
            trust, Completes::File);
  line.flag("--unsigned",
            "Run packages of anyone who reaches the server. Only for a network that you share with nobody.",
            isUnsigned);
  line.text("--device", "NAME", "Name of this device in the farm. Default: the name of the machine and the key.",
            device);
  line.text("--lock", "FILE",
            "Lock file of the device. Of several agents with the same file one serves, and the others wait until it "
            "ends. Use a file per device if a machine has several. Default: /tmp/cameo-farm.lock.",
            lock, Completes::File);
  line.text("--worker", "COMMAND",
            "Shell command that starts cameo-worker, such as 'qemu-aarch64 .../cameo-worker'. Default: cameo-worker "
            "beside this program.",
            worker);
  line.flag("--gpu",
            "Run candidates on the first GPU that the worker finds; CUDA_VISIBLE_DEVICES selects another one. The key "
            "stands for machines with this GPU. The sandbox does not protect the driver from candidates.",
            hasGpu);
  line.flag("--mixed",
            "Serve even if this machine differs from the first one of the key. The records then mix costs of both.",
            isMixed);
  line.integer("--memory", "MB",
               "Limit for the address space of a worker process. Default: half of the machine's memory.", memory, 64,
               1 << 24);
  line.integer("--processes", "N", "Processes and threads that the worker may have. Default: 256.", processes, 8,
               1 << 20);
  line.flag("--no-sandbox", "Run candidates without the sandbox. For devices on which the worker cannot run inside it.",
            isOpen);
  line.example("cameo farm keygen", "Once, for whoever tunes.");
  line.example("cameo farm start farm --detach", "A server for trying out; 'farm/url' is its address.");
  line.example("cameo farm agent --key desk --server farm/url", "This machine measures.");
  line.example("cameo farm agent --key h100 --server farm/url --gpu", "Its GPU does.");
  line.example("cameo tune net.onnx --records net.jsonl --measure farm:farm/url --key desk", "And this tunes on it.");
}

/// Checks the options of cameo-farm here, so that errors have the form of those of other commands.
llvm::Error FarmCommand::check() const {
  bool takesPath = action == "start" || action == "stop" || action == "keygen", isAgent = action == "agent",
       hasServer = isAgent || action == "status";
  if (!takesPath && !path.empty())
    return llvm::createStringError("farm " + action + ": unexpected argument '" + path + "'");
  if (takesPath && action != "keygen" && path.empty())
    return llvm::createStringError("farm " + action + ": expected DIR, the folder of the server");
  if (hasServer && server.empty())
    return llvm::createStringError("farm " + action + ": expected --server URL");
  if (isAgent && key.empty())
    return llvm::createStringError("farm agent: expected --key KEY");
  if (!hasServer && !server.empty())
    return llvm::createStringError("farm " + action + ": unexpected --server");
  if (action != "start" && patience > 0)
    return llvm::createStringError("farm " + action + ": unexpected --patience");
  return llvm::Error::success();
}

std::vector<std::string> FarmCommand::arguments() const {
  std::vector<std::string> given = {action};
  if (!path.empty())
    given.push_back(path);
  for (auto [name, value] : {std::pair("--server", &server), std::pair("--key", &key), std::pair("--device", &device),
                             std::pair("--worker", &worker), std::pair("--trust", &trust), std::pair("--lock", &lock)})
    if (!value->empty())
      given.insert(given.end(), {name, *value});
  for (auto [name, value, none] :
       {std::tuple("--port", port, int64_t(-1)), std::tuple("--patience", patience, int64_t(0)),
        std::tuple("--memory", memory, int64_t(0)), std::tuple("--processes", processes, int64_t(0))})
    if (value != none)
      given.insert(given.end(), {name, std::to_string(value)});
  for (auto [name, isGiven] :
       {std::pair("--detach", isDetached), std::pair("--json", isJson), std::pair("--unsigned", isUnsigned),
        std::pair("--mixed", isMixed), std::pair("--no-sandbox", isOpen), std::pair("--gpu", hasGpu)})
    if (isGiven)
      given.push_back(name);
  for (const std::string &each : access.arguments())
    given.push_back(each);
  return given;
}

int FarmCommand::run() {
  if (llvm::Error error = check())
    return fail(std::move(error));
  llvm::Expected<std::string> program = findFarmProgram();
  if (!program)
    return fail(program.takeError());
  std::vector<std::string> words = arguments();
  std::vector<char *> pointers = {program->data()};
  for (std::string &each : words)
    pointers.push_back(each.data());
  pointers.push_back(nullptr);
  // Replaces this process, so that signals reach cameo-farm.
  execv(pointers[0], pointers.data());
  reportError(*program + ": " + std::strerror(errno));
  return 1;
}

std::unique_ptr<Command> cameo::createFarmCommand() { return std::make_unique<FarmCommand>(); }
