#include "autotune/Measure/RunCandidate.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace cameo::autotune {

static MeasureError errorOf(const WorkerReply &reply) {
  switch (static_cast<cameo_worker_status>(reply.header.status)) {
  case CAMEO_WORKER_OK:
    return {};
  case CAMEO_WORKER_BAD_IMAGE:
    return {ErrorKind::CompileHost, "the candidate cannot be loaded: " + reply.message};
  case CAMEO_WORKER_REFUSED:
    return {ErrorKind::Runtime, "run failed: " + reply.message};
  case CAMEO_WORKER_CRASHED:
    return {ErrorKind::Runtime, "crashed: " + reply.message};
  case CAMEO_WORKER_TIMED_OUT:
    return {ErrorKind::RunTimeout, "still running when its time was over"};
  case CAMEO_WORKER_NO_MEMORY:
    return {ErrorKind::Runtime, reply.message};
  case CAMEO_WORKER_FAILED:
    break;
  }
  return {ErrorKind::Unknown, "cameo-worker: " + reply.message};
}

uint64_t rotationBytes(const MeasurementPolicy &policy, const TaskSource &task, const CandidateImage &image) {
  double growth = std::max(1.0, static_cast<double>(image.weightBytes) / static_cast<double>(std::max<uint64_t>(task.constantBytes, 1)));
  double bytes = std::min(static_cast<double>(policy.rotationBytes) * growth, static_cast<double>(policy.largestRotationBytes));
  return llvm::alignTo(static_cast<uint64_t>(bytes), CAMEO_ALIGNMENT);
}

cameo_worker_request CandidateRunner::makeRequest(const TaskSource &task, const CandidateImage &image) const {
  cameo_worker_request request = {};
  request.random_bytes = task.inputBytes + image.weightBytes;
  request.memory_bytes = policy.memoryBytes;
  request.timeout_seconds = policy.runTimeoutSeconds;
  request.threads = task.threads;
  request.cpu = policy.cpu;
  request.weights_type = task.weightsType;
  return request;
}

RunResult CandidateRunner::time(const TaskSource &task, const CandidateImage &image, unsigned repeats,
                                double bestSeconds) {
  cameo_worker_request request = makeRequest(task, image);
  request.rotation_bytes = rotationBytes(policy, task, image);
  request.min_repeat_seconds = policy.minRepeatSeconds;
  request.best_seconds = bestSeconds;
  request.stop_margin = policy.stopMargin;
  request.cool_down_seconds = policy.coolDownSeconds;
  request.repeats = std::min<unsigned>(repeats, CAMEO_WORKER_MAX_REPEATS);
  request.number = policy.number;
  request.warm_up = policy.warmUp;
  RunResult result;
  for (unsigned attempt = 0; attempt <= policy.disturbedRetries; ++attempt) {
    llvm::Expected<WorkerReply> reply = worker.request(request, image.library);
    if (!reply)
      return {{ErrorKind::Unknown, llvm::toString(reply.takeError())}, {}};
    result.error = errorOf(*reply);
    if (result.error.kind != ErrorKind::None)
      return result;
    double sentinel = reply->header.sentinel_seconds;
    fastestSentinel = fastestSentinel == 0 ? sentinel : std::min(fastestSentinel, sentinel);
    result.isDisturbed = sentinel > fastestSentinel * policy.disturbedFactor;
    result.costs = std::move(reply->costs);
    if (!result.isDisturbed)
      break;
  }
  return result;
}

RunResult CandidateRunner::run(const TaskSource &task, const CandidateImage &image, const CheckData &check,
                               double timeoutSeconds) {
  cameo_worker_request request = makeRequest(task, image);
  request.returns_outputs = 1;
  request.timeout_seconds = timeoutSeconds;
  std::vector<llvm::ArrayRef<char>> data;
  for (auto [number, value] : llvm::enumerate(check.arguments))
    if (!task.constant[number])
      data.emplace_back(value->data(), value->sizeBytes());
  if (!image.weights.empty())
    data.emplace_back(image.weights.data(), image.weights.size());
  // Without any data the worker would make some.
  static const char nothing[64] = {};
  if (data.empty())
    data.emplace_back(nothing);
  llvm::Expected<WorkerReply> reply = worker.request(request, image.library, data);
  if (!reply)
    return {{ErrorKind::Unknown, llvm::toString(reply.takeError())}, {}};
  RunResult result;
  result.error = errorOf(*reply);
  result.outputs = std::move(reply->outputs);
  return result;
}

} // namespace cameo::autotune
