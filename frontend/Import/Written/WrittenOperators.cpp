#include "frontend/Import/Written/WrittenOperators.h"

using namespace mlir;
using namespace cameo;

namespace {

constexpr WrittenOperator kStandardOperators[] = {
    {"MaxRoiPool", 2, importMaxRoiPool},
    {"TfIdfVectorizer", 1, importTfIdfVectorizer},
};

/// Operators that ONNX Runtime and exporters for it write in the default domain, although no operator set has them.
constexpr WrittenOperator kUnnumberedOperators[] = {
    {"SimplifiedLayerNormalization", 2, writeSimplifiedLayerNormalization},
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
  if (domain == kOpenVinoDomain)
    return findIn(getOpenVinoOperators(), opType);
  if (domain == kQonnxDomain || domain == kBrevitasDomain)
    return findIn(getQonnxOperators(), opType);
  if (!domain.empty())
    return nullptr;
  for (ArrayRef<WrittenOperator> operators :
       {getRandomOperators(), ArrayRef(kStandardOperators), ArrayRef(kUnnumberedOperators)})
    if (const WrittenOperator *op = findIn(operators, opType))
      return op;
  return nullptr;
}

bool cameo::isUnnumberedOperator(StringRef opType) { return findIn(kUnnumberedOperators, opType) != nullptr; }

int64_t cameo::getLastWrittenOpset(StringRef domain) {
  return domain == kMlDomain         ? kLastMlOpset
         : domain == kTrainingDomain ? kLastTrainingOpset
         : domain == kOpenVinoDomain ? kLastOpenVinoOpset
         : domain == kQonnxDomain    ? kLastQonnxOpset
                                     : kLastMicrosoftOpset;
}

/// Fails after an error if the node has too few or too many inputs. Otherwise adds absent operands for missing optional
/// inputs.
static LogicalResult checkInputs(const WrittenOperator &op, NodeDraft &draft) {
  bool isAny = op.inputs == kAnyNumber, isFixed = op.required == kAnyNumber;
  if (!isAny && isFixed && failed(draft.expectOperands(op.inputs)))
    return failure();
  if (isAny && draft.operands.empty())
    return draft.emitError() << "expected 1 or more inputs, got none";
  if (!isFixed && (draft.operands.size() < op.required || draft.operands.size() > op.inputs))
    return draft.emitError() << "expected " << op.required << " to " << op.inputs << " inputs, got "
                             << draft.operands.size();
  for (unsigned i = 0; i < (isFixed ? draft.operands.size() : op.required); ++i)
    if (!draft.hasOperand(i))
      return draft.emitError() << "expected input " << i << ", got none";
  if (!isFixed && draft.operands.size() < op.inputs)
    draft.setOperand(op.inputs - 1, draft.makeNone());
  return success();
}

FailureOr<SmallVector<Value>> cameo::writeNode(const WrittenOperator &op, NodeDraft &draft) {
  if (failed(checkInputs(op, draft)))
    return failure();
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
