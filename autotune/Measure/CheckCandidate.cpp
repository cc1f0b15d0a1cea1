#include "autotune/Measure/CheckCandidate.h"

#include "utils/Driver/CompareTensors.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;

namespace cameo::autotune {

/// Plain loops are slow, and they are run once.
constexpr double referenceTimeoutFactor = 30;

/// The outputs of a task from the worker's bytes.
static std::vector<Tensor> readOutputs(task::DefOp def, ArrayRef<char> bytes) {
  std::vector<Tensor> outputs;
  size_t at = 0;
  for (auto [number, type] : llvm::enumerate(def.getResultTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    Tensor output("result " + std::to_string(number), elementTypeOf(tensor.getElementType()), tensor.getShape());
    assert(at + output.sizeBytes() <= bytes.size() && "the candidate's description has the task's results");
    std::memcpy(output.data(), bytes.data() + at, output.sizeBytes());
    at += llvm::alignTo(output.sizeBytes(), CAMEO_ALIGNMENT);
    outputs.push_back(std::move(output));
  }
  return outputs;
}

/// With its data.
CandidateChecker::Reference &CandidateChecker::entryOf(const SearchTask &task) {
  std::lock_guard lock(adding);
  Reference &reference = references[task.key];
  if (!reference.data)
    reference.data = std::make_shared<const CheckData>(makeCheckData(task, policy.checkSeed));
  return reference;
}

std::shared_ptr<const CheckData> CandidateChecker::dataOf(const SearchTask &task) { return entryOf(task).data; }

const CandidateChecker::Reference &CandidateChecker::referenceOf(const SearchTask &task,
                                                                 std::shared_ptr<const TaskSource> source) {
  Reference &reference = entryOf(task);
  if (reference.isKnown)
    return reference;
  reference.isKnown = true;
  BuildResult built = std::move(pool.build(source, {BuildRequest{"", /*verifiesPasses=*/true, reference.data}}).front());
  reference.error = built.error;
  if (built.error.kind != ErrorKind::None)
    return reference;
  RunResult result =
      runner.run(*source, built.image, *reference.data, policy.runTimeoutSeconds * referenceTimeoutFactor);
  reference.error = result.error;
  if (result.error.kind == ErrorKind::None)
    reference.outputs = readOutputs(task.def, result.outputs);
  return reference;
}

std::variant<Proof, MeasureError> CandidateChecker::check(const SearchTask &task,
                                                          std::shared_ptr<const TaskSource> source,
                                                          const CandidateImage &image) {
  const Reference &reference = referenceOf(task, source);
  if (reference.error.kind != ErrorKind::None)
    return MeasureError{ErrorKind::Unknown, "the naive path gives no reference: " + reference.error.message};
  RunResult result = runner.run(*source, image, *reference.data, policy.runTimeoutSeconds);
  if (result.error.kind != ErrorKind::None)
    return result.error;
  Proof proof{reference.data->seed, 0, 0, 0};
  for (auto [actual, expected] : llvm::zip_equal(readOutputs(task.def, result.outputs), reference.outputs)) {
    Difference difference = compareTensors(actual, expected, Tolerance());
    if (!difference.withinBound)
      return MeasureError{ErrorKind::WrongAnswer,
                          llvm::formatv("{0}: element {1} is off by {2}, expected at most {3} (seed {4})", expected.name,
                                        difference.worstIndex, difference.maxAbsolute, difference.bound, proof.seed)};
    proof.maxAbsolute = std::max(proof.maxAbsolute, difference.maxAbsolute);
    proof.maxUlp = std::max(proof.maxUlp, difference.maxUlp);
    proof.bound = std::max(proof.bound, difference.bound);
  }
  return proof;
}

} // namespace cameo::autotune
