#include "frontend/Import/WrittenOperators.h"

using namespace mlir;
using namespace cameo;

namespace {

constexpr WrittenOperator kStandardOperators[] = {
    {"TfIdfVectorizer", 1, importTfIdfVectorizer},
};

ArrayRef<WrittenOperator> getOperators(StringRef domain) {
  if (domain.empty())
    return kStandardOperators;
  if (domain == kMlDomain)
    return getMlOperators();
  return domain == kTrainingDomain ? getTrainingOperators() : ArrayRef<WrittenOperator>();
}

} // namespace

const WrittenOperator *cameo::findWrittenOperator(StringRef domain, StringRef opType) {
  ArrayRef<WrittenOperator> operators = getOperators(domain);
  const WrittenOperator *found = llvm::find_if(operators, [&](const WrittenOperator &op) { return op.name == opType; });
  return found == operators.end() ? nullptr : found;
}

FailureOr<SmallVector<Value>> cameo::writeNode(const WrittenOperator &op, NodeDraft &draft) {
  size_t count = draft.operands.size();
  if (op.inputs != 0 ? count != op.inputs : count == 0)
    return draft.emitError() << "expected " << (op.inputs == 0 ? std::string("1 or more") : std::to_string(op.inputs))
                             << " inputs, got " << count;
  for (unsigned i = 0; i < count; ++i)
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
