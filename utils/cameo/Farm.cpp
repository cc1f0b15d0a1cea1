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
  line.description("A farm measures candidates of 'cameo tune' on many machines: a NATS server with JetStream "
                   "(Debian's nats-server) has a queue per key, each machine runs an agent that takes one candidate "
                   "at a time from the queue of its key, and tuners anywhere put candidates in and get results out. A "
                   "machine that dies loses nothing: what it had goes to another one.\n"
                   "  keygen   makes a pair of keys, FILE and FILE.pub: tuners sign with the first, and agents have "
                   "the lines of those that they trust in a file. Default: $XDG_CONFIG_HOME/cameo/farm.key\n"
                   "  start    runs a server on this machine, for trying out, that keeps what it has in DIR; prints "
                   "the URL, which is in DIR/url, too. Ends with Ctrl-C\n"
                   "  stop     ends the server of DIR\n"
                   "  agent    makes this machine a device of the farm, until Ctrl-C. It runs only what is signed by a "
                   "key that it trusts, in a sandbox without network, with file systems that cannot be "
                   "written to, and with limits of memory and processes\n"
                   "  status   shows devices, what each has and for how long, and queues");
  line.positional("ACTION", "What to do.", action, {"keygen", "start", "stop", "agent", "status"});
  line.positional("[DIR|FILE]", "For start and stop: the server's folder. For keygen: the file of the key.", path);
  line.group("options");
  line.text("--server", "URL",
            "For agent and status: the server, nats://HOST:4222 or tls://HOST:4222, or a file that has the URL.",
            server, Completes::File);
  access.declare(line);
  line.flag("--json", "For status: as JSON (docs/json.md).", isJson);
  line.group("start");
  line.integer(
      "--port", "N",
      "Port that the server listens on, of this machine alone; 0: a free one. Default: that of the last time, or 4222.",
      port, 0, 65535);
  line.integer("--patience", "SECONDS",
               "For so long the server may say nothing about a stream; then it hangs, and is started again. "
               "Default: 30.",
               patience, 1, 1000000);
  line.flag("--detach", "Return as soon as the server answers; 'cameo farm stop DIR' ends it.", isDetached);
  line.group("agent");
  line.text("--key", "KEY", "Queue to serve: one for machines that are equal, such as rk3588 or zen4. Required.", key);
  line.text("--trust", "FILE",
            "Keys whose packages run here, a line of a .pub file each. Default: the .pub file of keygen's default.",
            trust, Completes::File);
  line.flag("--unsigned", "Run what anybody sends who reaches the server. Only for a network that nobody else is in.",
            isUnsigned);
  line.text("--device", "NAME", "Name of this device in the farm. Default: the machine's name and the key.", device);
  line.text("--lock", "FILE",
            "File that says that the device is taken: of agents with the same, one serves, and others wait for its "
            "end. One for each device, where a machine has several. Default: /tmp/cameo-farm.lock.",
            lock, Completes::File);
  line.text("--worker", "COMMAND",
            "A command of the shell that starts cameo-worker, such as 'qemu-aarch64 .../cameo-worker'. Default: the "
            "one beside this program.",
            worker);
  line.flag("--gpu",
            "Candidates run on the first GPU that the worker finds (CUDA_VISIBLE_DEVICES chooses another one): the key "
            "is of machines with such a GPU, and what its driver does is not kept from candidates.",
            hasGpu);
  line.flag("--mixed",
            "Serve although this machine is not like the first one of the key: costs of both stand side by side in "
            "records then.",
            isMixed);
  line.integer("--memory", "MB",
               "Address space that a process of the worker may have. Default: half of the machine's memory.", memory,
               64, 1 << 24);
  line.integer("--processes", "N", "Processes and threads that the worker may have. Default: 256.", processes, 8,
               1 << 20);
  line.flag("--no-sandbox",
            "Let candidates do what this user may do. For a device that the sandbox keeps the worker from.", isOpen);
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
