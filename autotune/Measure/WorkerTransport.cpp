#include "autotune/Measure/WorkerTransport.h"

using namespace cameo::autotune;

static std::vector<std::string> wordsOf(const WorkerCommand &command) {
  return command.isShell ? std::vector<std::string>{"/bin/sh", "-c", command.text}
                         : std::vector<std::string>{command.text};
}

WorkerTransport::WorkerTransport(WorkerCommand command)
    : leadsAway(command.isShell), channel(wordsOf(command), command.text) {}

llvm::Error WorkerTransport::submit(const MeasurementPackage &package) {
  // The worker enforces time limits itself; this stops a worker that does not.
  if (isBusy)
    channel.stop();
  isBusy = false;
  if (!channel.isOpen())
    if (llvm::Error error = channel.start())
      return error;
  isBusy = channel.send(package.serialize());
  return isBusy ? llvm::Error::success() : channel.fail(" ended without a reply");
}

llvm::Expected<std::vector<MeasurementResult>> WorkerTransport::receive(double seconds) {
  std::vector<MeasurementResult> results;
  double deadline = secondsNow() + seconds;
  while (isBusy) {
    llvm::Expected<std::optional<ResultLine>> line = channel.receiveLine(deadline);
    isBusy = static_cast<bool>(line);
    if (!line)
      return line.takeError();
    if (!*line)
      break;
    if (auto *head = std::get_if<ResultsHead>(&**line); head && !head->refusal.empty()) {
      isBusy = false;
      return channel.fail(": " + head->refusal);
    }
    if (auto *result = std::get_if<MeasurementResult>(&**line))
      results.push_back(std::move(*result));
    isBusy = !std::holds_alternative<ResultsEnd>(**line);
  }
  return results;
}

llvm::Expected<MachineFacts> WorkerTransport::describe(const cameo_package_target &target) {
  // Enough to establish a connection.
  constexpr double describeSeconds = 60;
  if (llvm::Error error = submit(MeasurementPackage(target)))
    return std::move(error);
  llvm::Expected<std::optional<ResultLine>> line = channel.receiveLine(secondsNow() + describeSeconds);
  if (!line)
    return line.takeError();
  auto *head = *line ? std::get_if<ResultsHead>(&**line) : nullptr;
  if (!head)
    return channel.fail(" ended without a reply");
  if (!head->refusal.empty())
    return channel.fail(": " + head->refusal);
  if (llvm::Error error = receive(describeSeconds).takeError())
    return std::move(error);
  return std::move(head->machine);
}
