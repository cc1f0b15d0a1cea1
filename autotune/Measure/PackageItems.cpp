#include "autotune/Measure/PackageItems.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

namespace cameo::autotune {

/// The naive path is slow, and runs only once.
constexpr double referenceTimeoutFactor = 30;

uint64_t rotationBytes(const MeasurementPolicy &policy, const TaskSource &task, const CandidateImage &image) {
  double growth = std::max(1.0, static_cast<double>(image.weightBytes) /
                                    static_cast<double>(std::max<uint64_t>(task.constantBytes, 1)));
  double bytes =
      std::min(static_cast<double>(policy.rotationBytes) * growth, static_cast<double>(policy.largestRotationBytes));
  return llvm::alignTo(static_cast<uint64_t>(bytes), CAMEO_ALIGNMENT);
}

static uint64_t digestOf(const llvm::Twine &text) { return llvm::xxh3_64bits(text.str()); }

/// Identifies the task and the runs that it is measured in.
static std::string subjectOf(const TaskSource &task) {
  return task.sizes.empty() ? task.key : task.key + " " + task.sizes + " " + llvm::join(task.runSizes, ",");
}

static uint64_t taskId(const TaskSource &task) { return digestOf(subjectOf(task) + " " + llvm::Twine(task.threads)); }

uint64_t measurementId(const TaskSource &task, llvm::StringRef target, llvm::StringRef schedule, bool isRelease,
                       size_t time) {
  return digestOf(subjectOf(task) + "\n" + llvm::Twine(task.threads) + "\n" + target + "\n" + schedule + "\n" +
                  (isRelease ? "release " : "tuning ") + llvm::Twine(time));
}

static cameo_package_item makeItem(MeasurementPackage &package, const MeasurementPolicy &policy, const TaskSource &task,
                                   const CandidateImage &image) {
  cameo_package_item item = {};
  item.task = taskId(task);
  item.image = package.add(image.library);
  item.rival = item.reference = item.inputs = item.weights = item.reference_weights = CAMEO_PACKAGE_NO_BLOB;
  item.random_bytes = task.inputBytes + image.weightBytes;
  item.rotation_bytes = rotationBytes(policy, task, image);
  item.memory_bytes = policy.memoryBytes;
  item.min_repeat_seconds = policy.minRepeatSeconds;
  item.stop_margin = policy.stopMargin;
  item.timeout_seconds = policy.runTimeoutSeconds;
  item.reference_timeout_seconds = policy.runTimeoutSeconds * referenceTimeoutFactor;
  item.cool_down_seconds = policy.coolDownSeconds;
  item.disturbed_factor = policy.disturbedFactor;
  item.least_tolerance = task.leastTolerance;
  item.disturbed_retries = std::min<unsigned>(policy.disturbedRetries, CAMEO_PACKAGE_MAX_RETRIES);
  item.turns = 1;
  item.number = policy.number;
  item.warm_up = policy.warmUp;
  item.threads = task.threads;
  item.cpu = policy.cpu;
  item.weights_type = task.weightsType;
  return item;
}

static uint32_t repeatsOf(unsigned wanted) { return std::clamp<unsigned>(wanted, 1, CAMEO_PACKAGE_MAX_REPEATS); }

cameo_package_item timeItem(MeasurementPackage &package, const MeasurementPolicy &policy, const TaskSource &task,
                            const CandidateImage &image, double bestSeconds) {
  cameo_package_item item = makeItem(package, policy, task, image);
  item.kind = CAMEO_PACKAGE_TIME;
  item.repeats = repeatsOf(policy.repeats);
  item.best_seconds = bestSeconds;
  return item;
}

static uint32_t addWeights(MeasurementPackage &package, const CandidateImage &image) {
  return image.weights.empty() ? CAMEO_PACKAGE_NO_BLOB
                               : package.add(llvm::ArrayRef(image.weights.data(), image.weights.size()));
}

cameo_package_item confirmItem(MeasurementPackage &package, const MeasurementPolicy &policy, const TaskSource &task,
                               const Confirmation &confirmation) {
  cameo_package_item item = makeItem(package, policy, task, confirmation.image);
  item.kind = CAMEO_PACKAGE_CONFIRM;
  item.repeats = repeatsOf(policy.releaseRepeats);
  item.turns = std::max(1u, policy.turns);
  item.reference_id = digestOf(llvm::Twine(item.task) + " " + llvm::Twine(confirmation.check.seed));
  item.inputs = package.add(llvm::ArrayRef(reinterpret_cast<const char *>(confirmation.check.inputs.data()),
                                           confirmation.check.inputs.size() * sizeof(cameo_package_input)));
  item.weights = addWeights(package, confirmation.image);
  if (const CandidateImage *rival = confirmation.rival) {
    item.rival = package.add(rival->library);
    item.rival_random_bytes = task.inputBytes + rival->weightBytes;
    item.rival_rotation_bytes = rotationBytes(policy, task, *rival);
  }
  if (const CandidateImage *reference = confirmation.reference) {
    item.reference = package.add(reference->library);
    item.reference_weights = addWeights(package, *reference);
  }
  return item;
}

double secondsOf(const cameo_package_item &item) {
  double each = (item.timeout_seconds + item.cool_down_seconds) * (item.disturbed_retries + 1);
  if (item.kind == CAMEO_PACKAGE_TIME)
    return each;
  return item.reference_timeout_seconds + item.timeout_seconds + 2 * item.turns * each;
}

} // namespace cameo::autotune
