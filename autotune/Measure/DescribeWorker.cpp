#include "autotune/Measure/DescribeWorker.h"

#include "passes/Target/CpuFeatures.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/JSON.h"
#include "llvm/TargetParser/Triple.h"

namespace cameo::autotune {

/// For a connection to be made.
constexpr double describeSeconds = 60;

static std::string textOf(const llvm::json::Object &facts) {
  std::string text;
  for (llvm::StringRef key : {"cpu", "machine", "system", "governor"})
    if (std::optional<llvm::StringRef> value = facts.getString(key); value && !value->empty())
      text += (text.empty() ? "" : ", ") + value->str();
  return text;
}

llvm::Expected<WorkerFacts> describeWorker(const WorkerCommand &command, const TargetInfo &target) {
  cameo_worker_target wanted = {};
  llvm::Triple triple(target.triple);
  wanted.machine = triple.isAArch64() ? llvm::ELF::EM_AARCH64 : llvm::ELF::EM_X86_64;
  // Of what no program can ask a processor for, who names the processor is sure.
  llvm::Expected<CpuFeatures> features = requiredFeatures(target);
  if (features)
    llvm::copy(*features, wanted.features);
  else
    llvm::consumeError(features.takeError());
  cameo_worker_request request = {};
  request.kind = CAMEO_WORKER_DESCRIBE;
  request.timeout_seconds = describeSeconds;
  WorkerProcess worker(command);
  llvm::Expected<WorkerReply> reply = worker.request(request, {}, llvm::ArrayRef(reinterpret_cast<const char *>(&wanted), sizeof(wanted)));
  if (!reply)
    return reply.takeError();
  if (reply->header.status != CAMEO_WORKER_OK)
    return llvm::createStringError(command.text + ": " + reply->message);
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(reply->message);
  const llvm::json::Object *facts = parsed ? parsed->getAsObject() : nullptr;
  llvm::consumeError(parsed.takeError());
  if (!facts)
    return llvm::createStringError(command.text + ": expected an object that describes the machine, got '" + reply->message + "'");
  auto bytesOf = [&](llvm::StringRef key) { return static_cast<uint64_t>(std::max<int64_t>(facts->getInteger(key).value_or(0), 0)); };
  return WorkerFacts{textOf(*facts), bytesOf("l2_bytes"), bytesOf("l3_bytes")};
}

} // namespace cameo::autotune
