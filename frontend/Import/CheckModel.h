// Finds everything in a model that is not supported, without reading its weights: `cameo check`.
#ifndef CAMEO_FRONTEND_IMPORT_CHECKMODEL_H
#define CAMEO_FRONTEND_IMPORT_CHECKMODEL_H

#include "frontend/Import/Graph/NameExterns.h"
#include "frontend/Import/ImportModel.h"

#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cameo {

/// A problem, with all nodes that have it.
struct ModelProblem {
  enum Kind {
    Operator, // no such operation here
    Node,     // attributes, element types, ranks or shapes that the operator does not support
    Data,     // an initializer that cannot be read
    Lowering, // an operator without a lowering
  };
  Kind kind;
  std::string operatorName; // `ai.onnx.Conv-11`; empty for data
  std::string message;
  std::vector<std::string> nodes; // in the model's order
};

struct ModelReport {
  std::string path;
  std::map<std::string, int64_t> opsets;     // domain -> version; the default domain is `ai.onnx`
  std::map<std::string, unsigned> operators; // `ai.onnx.Conv-11` -> number of nodes, without those of functions
  unsigned nodeCount = 0;
  /// Number of nodes that could not be checked, because the types of their inputs are unknown.
  unsigned uncheckedCount = 0;
  std::vector<ModelProblem> problems;
  std::vector<ExternFunction> externs;   // functions that the program must provide
  std::vector<std::string> singleThread; // tasks that are supported, but run on a single thread of a GPU
  std::vector<std::string> hostTasks;    // tasks of a model for a GPU that the host runs

  bool isSupported() const { return problems.empty(); }
};

/// Checks the imported module as compiling would. Each error that it emits is a problem of the node at its location. If
/// `isWhole` is false, some nodes could not be imported, and the types of others may be unknown.
using SupportCheck = std::function<void(mlir::ModuleOp module, bool isWhole)>;

/// Checks the model at `path`. Fails after an error if the file is not a model or the nodes cannot be ordered; reports
/// all other problems.
mlir::FailureOr<ModelReport> checkModel(mlir::MLIRContext &context, llvm::StringRef path,
                                        const SupportCheck &checkSupport = {}, const ImportOptions &options = {});

void printText(const ModelReport &report, llvm::raw_ostream &os);
/// Prints one JSON object with the fields of ModelReport.
void printJson(const ModelReport &report, llvm::raw_ostream &os);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_CHECKMODEL_H
