#include "frontend/Import/WrittenOperators.h"

using namespace mlir;
using namespace cameo;

namespace {

constexpr WrittenOperator kStandardOperators[] = {
    {"MaxRoiPool", 2, importMaxRoiPool},
    {"TfIdfVectorizer", 1, importTfIdfVectorizer},
};

const WrittenOperator *findIn(ArrayRef<WrittenOperator> operators, StringRef opType) {
  const WrittenOperator *found = llvm::find_if(operators, [&](const WrittenOperator &op) { return op.name == opType; });
  return found == operators.end() ? nullptr : found;
}

} // namespace

const WrittenOperator *cameo::findWrittenOperator(StringRef domain, StringRef opType) {
  if (domain == kMlDomain)
    return findIn(getMlOperators(), opType);
  if (domain == kTrainingDomain)
    return findIn(getTrainingOperators(), opType);
  if (domain == kMicrosoftDomain)
    return findIn(getMicrosoftOperators(), opType);
  if (!domain.empty())
    return nullptr;
  const WrittenOperator *random = findIn(getRandomOperators(), opType);
  return random ? random : findIn(kStandardOperators, opType);
}

int64_t cameo::getLastWrittenOpset(StringRef domain) {
  return domain == kMlDomain ? kLastMlOpset : domain == kTrainingDomain ? kLastTrainingOpset : kLastMicrosoftOpset;
}

FailureOr<SmallVector<Value>> cameo::writeNode(const WrittenOperator &op, NodeDraft &draft) {
  bool isAny = op.inputs == kAnyNumber;
  if (!isAny && failed(draft.expectOperands(op.inputs)))
    return failure();
  if (isAny && draft.operands.empty())
    return draft.emitError() << "expected 1 or more inputs, got none";
  for (unsigned i = 0; i < draft.operands.size(); ++i)
    if (!draft.hasOperand(i))
      return draft.emitError() << "expected input " << i << ", got none";
  NodeWriter writer(draft);
  WrittenResults results = op.write(writer);
  if (writer.hasFailed())
    return failure();
  for (NamedAttribute left : draft.attributes)
    return draft.emitError() << "unknown attribute '" << left.getName().getValue() << "'";
  if (draft.outputs.size() > results.size())
    return draft.emitError() << "expected at most " << results.size() << " outputs, got " << draft.outputs.size();
  return results;
}
