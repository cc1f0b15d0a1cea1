#include "autotune/Measure/FarmTransport.h"

using namespace cameo::autotune;

/// Long enough to wait for the packages of other tuners, and for a server that is temporarily down.
constexpr double describeSeconds = 3600;

llvm::Error FarmTransport::submit(const MeasurementPackage &package) {
  if (!channel.isOpen()) {
    underWay.clear();
    if (llvm::Error error = channel.start())
      return error;
  }
  std::vector<char> bytes = package.serialize();
  PackageContents contents = llvm::cantFail(readPackageContents(bytes), "it was made here");
  underWay[contents.digest] = std::move(contents.ids);
  if (channel.send(bytes))
    return llvm::Error::success();
  // The process may have printed the reason.
  llvm::Expected<std::vector<MeasurementResult>> rest = receive(/*seconds=*/1);
  return rest ? channel.fail(" ended") : rest.takeError();
}

llvm::Expected<std::vector<MeasurementResult>> FarmTransport::receive(double seconds) {
  std::vector<MeasurementResult> results;
  double deadline = secondsNow() + seconds;
  // Also takes the lines that have already arrived.
  while (channel.isOpen()) {
    llvm::Expected<std::optional<ResultLine>> line = channel.receiveLine(results.empty() ? deadline : 0);
    if (!line)
      return line.takeError();
    if (!*line)
      break;
    if (auto *result = std::get_if<MeasurementResult>(&**line))
      results.push_back(std::move(*result));
    if (auto *end = std::get_if<ResultsEnd>(&**line))
      underWay.erase(end->package);
    auto *head = std::get_if<ResultsHead>(&**line);
    if (!head || head->refusal.empty())
      continue;
    if (head->package == 0)
      return channel.fail(": " + head->refusal);
    for (uint64_t id : underWay[head->package]) {
      MeasurementResult &refused = results.emplace_back();
      refused.id = id;
      refused.error = {ErrorKind::Unknown, head->refusal};
    }
    underWay.erase(head->package);
  }
  return results;
}

llvm::Expected<MachineFacts> FarmTransport::describe(const cameo_package_target &target) {
  if (llvm::Error error = submit(MeasurementPackage(target)))
    return std::move(error);
  llvm::Expected<std::optional<ResultLine>> line = channel.receiveLine(secondsNow() + describeSeconds);
  if (!line)
    return line.takeError();
  auto *head = *line ? std::get_if<ResultsHead>(&**line) : nullptr;
  if (!head)
    return llvm::createStringError("no device answered");
  if (!head->refusal.empty())
    return llvm::createStringError(head->refusal);
  return std::move(head->machine);
}
