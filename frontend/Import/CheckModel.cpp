#include "frontend/Import/CheckModel.h"

#include "frontend/Import/ImportOpenModel.h"
#include "frontend/Import/Model/NodeLocation.h"
#include "frontend/ShapeInference/Passes.h"

#include "dialects/Onnx/OnnxOps.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

namespace {

std::string getName(Location loc) {
  if (auto named = dyn_cast<NameLoc>(loc))
    return named.getName().str();
  if (auto fused = dyn_cast<FusedLoc>(loc); fused && !fused.getLocations().empty())
    return getName(fused.getLocations().front());
  return "";
}

/// Collects errors instead of printing them.
class ErrorCollector {
public:
  explicit ErrorCollector(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            errors.emplace_back(diagnostic.getLocation(), diagnostic.str());
        }) {}

  using Error = std::pair<Location, std::string>;
  /// Returns the last error and clears all.
  std::optional<Error> take() {
    std::vector<Error> all = takeAll();
    return all.empty() ? std::nullopt : std::optional(std::move(all.back()));
  }
  std::vector<Error> takeAll() { return std::exchange(errors, {}); }

private:
  std::vector<Error> errors;
  ScopedDiagnosticHandler handler;
};

void addProblem(ModelReport &report, ModelProblem::Kind kind, StringRef operatorName, Location loc, std::string text) {
  for (ModelProblem &problem : report.problems)
    if (problem.kind == kind && problem.operatorName == operatorName && problem.message == text) {
      problem.nodes.push_back(getName(loc));
      return;
    }
  report.problems.push_back({kind, operatorName.str(), std::move(text), {getName(loc)}});
}

void addFailure(ModelReport &report, ErrorCollector &errors, const GraphImporter::Failure &failure) {
  if (failure.kind == GraphImporter::Failure::UnknownInput) {
    ++report.uncheckedCount;
    return;
  }
  auto error = errors.take();
  // Without an error of its own a node failed because nodes in its body did, which are reported.
  if (!error && !report.problems.empty()) {
    ++report.uncheckedCount;
    return;
  }
  ModelProblem::Kind kind = failure.kind == GraphImporter::Failure::Initializer       ? ModelProblem::Data
                            : failure.kind == GraphImporter::Failure::UnknownOperator ? ModelProblem::Operator
                                                                                      : ModelProblem::Node;
  addProblem(report, kind, failure.operatorName, failure.loc, error ? error->second : "cannot be imported");
}

void countNodes(const ModelFile &file, const OperatorResolver &resolver, MLIRContext &context, ModelReport &report) {
  for (const auto &opset : resolver.getOpsets())
    report.opsets[opset.getKey().empty() ? "ai.onnx" : opset.getKey().str()] = opset.getValue();
  for (const ::onnx::NodeProto &node : file.getModel().graph().node()) {
    ++report.nodeCount;
    ++report.operators[resolver.resolve(node, resolver.getOpsets(), &context).name];
  }
}

/// Checks what is left after folding, as a compilation would.
void checkLowering(ModelReport &report, ErrorCollector &errors, ModuleOp module, const SupportCheck &checkSupport) {
  // Rewrites of an operation keep its location.
  llvm::DenseMap<Location, std::string> operators;
  module.walk([&](cameo::onnx::OnnxOp op) {
    // An absent operand of the node.
    if (isa<cameo::onnx::NoneOp>(op))
      return;
    bool isOurs = isa<cameo::onnx::OnnxDialect>(op->getDialect());
    auto call = dyn_cast<cameo::onnx::ExternOp>(op.getOperation());
    operators.try_emplace(op->getLoc(), call     ? call.getOperatorName().str()
                                        : isOurs ? "ai.onnx." + op->getName().stripDialect().str()
                                                 : op->getName().getStringRef().str());
  });
  bool isWhole = report.problems.empty() && report.uncheckedCount == 0;
  checkSupport(module, isWhole);
  for (const auto &[loc, message] : errors.takeAll())
    addProblem(report, ModelProblem::Lowering, operators.lookup(loc), loc, message);
}

/// Imports and checks as much as possible. Fails if the graph cannot be imported at all, with the error in `errors`.
LogicalResult checkNodes(ModelReport &report, ErrorCollector &errors, ModelFile &file, MLIRContext &context,
                         const SupportCheck &checkSupport, const ImportOptions &options) {
  FailureOr<OwningOpRef<ModuleOp>> module = importOpenModel(
      file, context, options, [&](const GraphImporter::Failure &failure) { addFailure(report, errors, failure); });
  if (failed(module))
    return failure();
  for (auto function : (**module).getOps<func::FuncOp>())
    if (failed(inferShapes(function)))
      if (auto error = errors.take())
        addProblem(report, ModelProblem::Node, "", error->first, error->second);
  report.externs = listExterns(**module);
  if (checkSupport)
    checkLowering(report, errors, **module, checkSupport);
  return success();
}

} // namespace

FailureOr<ModelReport> cameo::checkModel(MLIRContext &context, StringRef path, const SupportCheck &checkSupport,
                                         const ImportOptions &options) {
  loadImportDialects(context);
  context.printOpOnDiagnostic(false);
  FailureOr<std::unique_ptr<ModelFile>> file = ModelFile::open(context, path);
  if (failed(file))
    return failure();
  FailureOr<OperatorResolver> resolver =
      OperatorResolver::create((*file)->getModel(), options.externs, getFileLocation(&context, path));
  if (failed(resolver))
    return failure();
  ModelReport report;
  report.path = path.str();
  countNodes(**file, *resolver, context, report);

  ImportOptions withoutWeights = options;
  withoutWeights.loadWeights = false;
  std::optional<std::pair<Location, std::string>> error;
  LogicalResult result = success();
  {
    ErrorCollector errors(context);
    result = checkNodes(report, errors, **file, context, checkSupport, withoutWeights);
    error = errors.take();
  }
  if (succeeded(result))
    return report;
  if (error)
    emitError(error->first) << error->second;
  return failure();
}
