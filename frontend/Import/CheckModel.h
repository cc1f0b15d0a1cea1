// What of a model is not supported, all at once and without reading its weights: `cameo check`.
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

/// One thing that is wrong, at all nodes where it is.
struct ModelProblem {
  enum Kind {
    Operator, // no such operation here
    Node,     // attributes, element types, ranks or shapes that the operator does not take
    Data,     // an initializer that cannot be read
    Lowering, // understood, but there is no code for it
  };
  Kind kind;
  std::string operatorName; // `ai.onnx.Conv-11`; empty for data
  std::string message;
  std::vector<std::string> nodes; // names, in the model's order
};

struct ModelReport {
  std::string path;
  std::map<std::string, int64_t> opsets;     // domain -> version; the default domain is `ai.onnx`
  std::map<std::string, unsigned> operators; // `ai.onnx.Conv-11` -> number of nodes, functions not looked into
  unsigned nodeCount = 0;
  /// Nodes that could not be looked at because the types of their inputs are unknown.
  unsigned uncheckedCount = 0;
  std::vector<ModelProblem> problems;
  std::vector<ExternFunction> externs;   // that the program is to bring along
  std::vector<std::string> singleThread; // tasks that are supported, but run on a single thread of a GPU

  bool isSupported() const { return problems.empty(); }
};

/// Does with the imported module what compiling would, as far as an answer takes; each error that it emits is a problem
/// of the node there. Of a module that is not whole some nodes could not be imported, and the types of others may be
/// unknown.
using SupportCheck = std::function<void(mlir::ModuleOp module, bool isWhole)>;

/// Fails after an error for a file that is no model, or whose graph has no order; reports everything else.
mlir::FailureOr<ModelReport> checkModel(mlir::MLIRContext &context, llvm::StringRef path,
                                        const SupportCheck &checkSupport = {}, const ImportOptions &options = {});

void printText(const ModelReport &report, llvm::raw_ostream &os);
/// One object; see the fields of ModelReport.
void printJson(const ModelReport &report, llvm::raw_ostream &os);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_CHECKMODEL_H
