// Turns the nodes of a graph, or of a function at the place of its call, into operations.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_GRAPHIMPORTER_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_GRAPHIMPORTER_H

#include "frontend/Import/Graph/BoundNumbers.h"
#include "frontend/Import/Graph/GrowingValues.h"
#include "frontend/Import/Graph/NamedValues.h"
#include "frontend/Import/ImportModel.h"
#include "frontend/Import/Inputs/DimOptions.h"
#include "frontend/Import/Inputs/FlattenInputs.h"
#include "frontend/Import/Model/ModelFile.h"
#include "frontend/Import/Model/NodeOrder.h"
#include "frontend/Import/Versions/NodeDraft.h"
#include "frontend/Import/Versions/ResolveOperator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace google::protobuf {
template <typename T> class RepeatedPtrField;
}

namespace onnx {
class AttributeProto;
class GraphProto;
class NodeProto;
class TensorProto;
class ValueInfoProto;
} // namespace onnx

namespace cameo {

class GraphImporter {
public:
  using Nodes = google::protobuf::RepeatedPtrField<::onnx::NodeProto>;
  /// Attributes that a function was called with, by name.
  using Arguments = llvm::StringMap<const ::onnx::AttributeProto *>;

  /// What could not be imported; the error at it was emitted before, except for what depends on another failure.
  struct Failure {
    enum Kind { Initializer, UnknownOperator, InvalidNode, UnknownInput };
    Kind kind;
    std::string operatorName; // empty for an initializer
    mlir::Location loc;
  };
  using FailureHandler = std::function<void(const Failure &failure)>;

  /// With a handler a failure does not end the import: what the node makes gets its stated type, or stays unknown, and
  /// so does all that depends on it.
  GraphImporter(mlir::OpBuilder &builder, ModelFile &file, const OperatorResolver &resolver, const DimOptions &dims,
                const ImportOptions &options, FailureHandler onFailure = {})
      : builder(builder), file(file), resolver(resolver), dims(dims), options(options), onFailure(std::move(onFailure)),
        bounds(options.forms.bounds) {}

  /// The body of a function whose arguments are the tensors of the graph's inputs. Fails after an error.
  mlir::FailureOr<mlir::func::FuncOp> importGraph(const ::onnx::GraphProto &graph, llvm::ArrayRef<FlatInput> inputs);

  /// Adds the names that bodies of the node take from around it.
  static void collectCaptured(const ::onnx::NodeProto &node, llvm::StringSet<> &names);

private:
  /// Where nodes are imported: the main graph, or a function inlined into it.
  struct Scope {
    NamedValues values;
    const OpsetImports *opsets = nullptr;
    const Arguments *arguments = nullptr; // null in the main graph
    const llvm::StringMap<mlir::TensorType> *stated = nullptr;
    const ::onnx::GraphProto *graph = nullptr; // the main one or a body; null in a function, which states no types
    std::string path;                          // of the calls that led here, each with a slash
    std::optional<unsigned> callIndex;         // node of the main graph that the outermost call is
    llvm::SmallVector<const ::onnx::FunctionProto *> calls;
  };

  mlir::Location locate(const Scope &scope, const ::onnx::NodeProto &node, unsigned index) const;
  mlir::Location locateValue(llvm::StringRef name) const;
  mlir::MLIRContext *getContext() const { return builder.getContext(); }

  // ImportGraph.cpp: the values at the borders of the main graph.
  mlir::LogicalResult checkNames(const ::onnx::GraphProto &graph) const;
  mlir::LogicalResult readStatedTypes(const ::onnx::GraphProto &graph);
  mlir::LogicalResult applyAliases(const ::onnx::GraphProto &graph, const Scope &scope);
  mlir::FailureOr<mlir::func::FuncOp> createFunction(llvm::ArrayRef<FlatInput> inputs, Scope &scope);
  /// Keeps names that dimensions of inputs have from those that data decides.
  void reserveSizeNames(mlir::TensorType type);
  mlir::DictionaryAttr describeTensor(llvm::StringRef name, llvm::StringRef sequence, mlir::Attribute keys = {});
  mlir::LogicalResult importInitializers(const ::onnx::GraphProto &graph, Scope &scope);
  mlir::FailureOr<mlir::Value> makeInitializer(llvm::StringRef name, mlir::ElementsAttr value,
                                               const ::onnx::ValueInfoProto *input, mlir::Location loc);
  mlir::LogicalResult finishFunction(const ::onnx::GraphProto &graph, const Scope &scope, mlir::func::FuncOp function);

  // ImportNode.cpp
  /// Counts what is about to be made. Fails where the budget of a loop around is spent, without an error, as that loop
  /// goes on in another form; and after an error where the model's is.
  mlir::LogicalResult countNodes(unsigned count, mlir::Location loc);
  mlir::LogicalResult checkOperators(const Nodes &nodes, const Scope &scope) const;
  mlir::LogicalResult importNodes(const Nodes &nodes, Scope &scope);
  /// Tells the handler why a node was not imported, and makes values that stand in for its outputs.
  void recordFailure(const ::onnx::NodeProto &node, mlir::Location loc, Scope &scope, bool hasUnknownInput);
  mlir::LogicalResult importNode(const ::onnx::NodeProto &node, mlir::Location loc, Scope &scope, unsigned index);
  mlir::LogicalResult importConstant(const ::onnx::NodeProto &node, mlir::Location loc, Scope &scope);
  mlir::LogicalResult importOperator(const ::onnx::NodeProto &node, const ResolvedOperator &resolved,
                                     mlir::Location loc, Scope &scope);
  /// The operation that a node of the default domain is, in its newest form, or that of a plugin's dialect: its
  /// results.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  makeOperation(NodeDraft &draft, std::optional<mlir::RegisteredOperationName> foreign = std::nullopt);
  mlir::LogicalResult inlineFunction(const ::onnx::NodeProto &node, const ::onnx::FunctionProto &function,
                                     mlir::Location loc, Scope &scope, unsigned index);
  // ImportExtern.cpp
  mlir::LogicalResult importExtern(const ::onnx::NodeProto &node, const ResolvedOperator &op, mlir::Location loc,
                                   Scope &scope);
  /// What the compiler's own form of the node says of its results.
  struct KnownResults {
    llvm::StringMap<mlir::Type> types; ///< by name; empty where it has no such form, or refuses the node
    std::string error;                 ///< why it does
  };
  KnownResults inferKnownResults(const ::onnx::NodeProto &node, mlir::Location loc, const Scope &scope);
  Dim resolveExternDim(llvm::StringRef name) const;
  /// What `graph` states of a value; null when it has no type of it.
  const ::onnx::ValueInfoProto *findStated(const ::onnx::GraphProto &graph, llvm::StringRef name);
  mlir::FailureOr<mlir::Type> importExternOutput(llvm::StringRef name, llvm::StringRef operatorName,
                                                 const KnownResults &known, mlir::Location loc, const Scope &scope);
  mlir::FailureOr<mlir::DictionaryAttr> importExternParameters(const ::onnx::NodeProto &node, mlir::Location loc);
  // ImportFlexAttention.cpp
  mlir::LogicalResult importFlexAttention(const ::onnx::NodeProto &node, mlir::Location loc, Scope &scope,
                                          unsigned index);
  mlir::FailureOr<mlir::Value> getOperand(llvm::StringRef name, mlir::Location loc, const Scope &scope,
                                          bool takesMaps = false);
  /// Whether a node has an input that could not be imported.
  bool hasUnknownInput(const ::onnx::NodeProto &node, const Scope &scope) const;
  /// Stands in for a value that could not be imported; null when its type is not stated.
  mlir::Value makePlaceholder(llvm::StringRef name, mlir::Location loc, const Scope &scope);
  mlir::TensorType getStatedType(llvm::StringRef name, const Scope &scope) const;
  /// Gives the integers of a value of the main graph the bounds that the user gives them.
  mlir::LogicalResult boundNumbers(llvm::StringRef name, mlir::Location loc, Scope &scope);
  /// Binds the name of an output to a value, after holding the value's type against the stated one.
  mlir::LogicalResult bindOutput(llvm::StringRef name, mlir::Value value, mlir::Location loc, Scope &scope);
  /// A name that no other size has, for dimension `axis` of an output: the one that the model states if it is free.
  std::string nameSize(llvm::StringRef output, int64_t axis, const Scope &scope);
  /// Gives the dimensions of its results that data decides a name, that of the first output.
  void nameDataSizes(llvm::ArrayRef<mlir::Value> values, const ::onnx::NodeProto &node, const Scope &scope);
  /// What stands for the first result, whose size may be data of the run.
  mlir::FailureOr<mlir::Value> countSizes(NodeDraft &draft, mlir::Value result, llvm::StringRef output,
                                          const Scope &scope);
  /// The node with attributes of the enclosing function's call in place of references. What the call does not give is
  /// as if the node did not have it.
  mlir::FailureOr<::onnx::NodeProto> resolveReferences(const ::onnx::NodeProto &node, mlir::Location loc,
                                                       const Scope &scope);

  // ImportRanks.cpp: values whose rank a condition decides, see RankChoice.h.
  using Results = mlir::FailureOr<llvm::SmallVector<mlir::Value>>;
  struct NodeError {
    mlir::Location loc;
    std::string message;
  };
  /// What a condition is where nodes are imported now, as far as it is known.
  std::optional<bool> findCase(mlir::Value condition) const;
  /// The names of such values among those that a node and its bodies take.
  llvm::SmallVector<llvm::StringRef> findRankChoices(const ::onnx::NodeProto &node, const Scope &scope) const;
  /// The outputs of a node, null for those without a name, of the values that those with `names` have in one case.
  Results importCase(const ::onnx::NodeProto &node, llvm::ArrayRef<llvm::StringRef> names, mlir::Value condition,
                     bool isTrue, mlir::Location loc, const Scope &scope, unsigned index);
  /// Leaves nothing behind, and emits nothing, where the import fails.
  Results tryCase(llvm::function_ref<Results()> import, std::optional<NodeError> &error);
  /// What cannot be computed in one case no run may come to: has the values with `names` end such runs, and the
  /// condition known for what is imported behind. Fails, without an error, where there is no value that can.
  mlir::LogicalResult guardCases(llvm::ArrayRef<llvm::StringRef> names, std::pair<mlir::Value, bool> only,
                                 mlir::Location loc, Scope &scope);
  mlir::LogicalResult importForRanks(const ::onnx::NodeProto &node, llvm::ArrayRef<llvm::StringRef> names,
                                     mlir::Location loc, Scope &scope, unsigned index);
  mlir::FailureOr<mlir::Value> chooseRank(mlir::Value condition, llvm::StringRef name, mlir::Value whenTrue,
                                          mlir::Value whenFalse, mlir::Location loc, const Scope &scope);
  /// The value, in runs where the condition is this; others end there.
  mlir::FailureOr<mlir::Value> guardCase(mlir::Value condition, bool isTrue, mlir::Value value, mlir::Location loc,
                                         const Scope &scope);
  /// The value, chosen by the run where it has one rank. Fails after an error.
  mlir::FailureOr<mlir::Value> joinRanks(mlir::Value value, llvm::StringRef name, mlir::Location loc,
                                         const Scope &scope);

  // ImportSequence.cpp
  mlir::LogicalResult importSequenceOperator(const ::onnx::NodeProto &node, mlir::Location loc, Scope &scope);

  // ImportSubgraph.cpp: nodes with bodies. `path` is that of the names inside.
  /// Null, and an error, where the node has none of this name.
  static const ::onnx::AttributeProto *findAttribute(const ::onnx::NodeProto &node, llvm::StringRef name);
  static mlir::FailureOr<const ::onnx::GraphProto *> getSubgraph(const ::onnx::NodeProto &node, llvm::StringRef name,
                                                                 mlir::Location loc);
  mlir::LogicalResult importSubgraphs(const ::onnx::NodeProto &node, int version, mlir::Location loc, Scope &scope,
                                      unsigned index);
  Results importIf(const ::onnx::NodeProto &node, llvm::ArrayRef<mlir::Value> operands, mlir::Location loc,
                   const Scope &scope, llvm::StringRef path, unsigned index);
  Results importSequenceMap(const ::onnx::NodeProto &node, llvm::ArrayRef<mlir::Value> operands, mlir::Location loc,
                            const Scope &scope, llvm::StringRef path, unsigned index);
  /// One execution of a body. With `keepsRanks`, results whose rank a condition decides are among the values.
  Results importBody(const ::onnx::GraphProto &body, llvm::ArrayRef<mlir::Value> inputs, mlir::Location loc,
                     const Scope &outer, llvm::StringRef path, unsigned index, bool keepsRanks = false);

  // ImportLoop.cpp and ImportScan.cpp. What unrolls a loop gives nothing where its rounds are known only at run time.
  using Attempt = mlir::FailureOr<std::optional<llvm::SmallVector<mlir::Value>>>;
  struct ScanForm;
  /// Unrolls what pays, else makes a loop, else unrolls what can be, else makes a loop whose values may grow.
  Results chooseForm(mlir::Location loc, llvm::function_ref<Attempt()> unroll,
                     llvm::function_ref<Results(bool mayGrow)> makeLoop);
  /// A round of a Scan on what is carried and the slices.
  using BodyImport = llvm::function_ref<Results(llvm::ArrayRef<mlir::Value> inputs)>;
  Results importLoop(const ::onnx::NodeProto &node, llvm::ArrayRef<mlir::Value> operands, mlir::Location loc,
                     const Scope &scope, llvm::StringRef path, unsigned index);
  Attempt unrollLoop(const ::onnx::GraphProto &body, llvm::ArrayRef<mlir::Value> operands, mlir::Location loc,
                     const Scope &scope, llvm::StringRef path, unsigned index);
  Results importRunLoop(const ::onnx::NodeProto &node, const ::onnx::GraphProto &body,
                        llvm::ArrayRef<mlir::Value> operands, mlir::Location loc, const Scope &scope,
                        llvm::StringRef path, unsigned index, bool mayGrow);
  /// What becomes longer in the first round of a loop.
  llvm::SmallVector<GrowingValue> findGrowing(BodyImport importRound, mlir::Location loc,
                                              llvm::ArrayRef<mlir::Value> carried);
  Results importScan(const ::onnx::NodeProto &node, int version, llvm::ArrayRef<mlir::Value> operands,
                     mlir::Location loc, const Scope &scope, llvm::StringRef path, unsigned index);
  /// The last `scanned` inputs are taken apart, the others carried.
  Results importScanned(const ::onnx::NodeProto &node, const ::onnx::GraphProto &body,
                        llvm::ArrayRef<mlir::Value> inputs, int64_t scanned, mlir::Location loc, const Scope &scope,
                        llvm::StringRef path, unsigned index);
  static mlir::FailureOr<ScanForm> readScan(const ::onnx::NodeProto &node, const ::onnx::GraphProto &body,
                                            llvm::ArrayRef<mlir::Value> inputs, int64_t scanned, mlir::Location loc);
  mlir::FailureOr<llvm::SmallVector<mlir::Type>> findSliceTypes(const ScanForm &scan, mlir::Location loc,
                                                                BodyImport importInputs);
  Attempt unrollScan(const ScanForm &scan, mlir::Location loc, BodyImport importInputs);
  Results importRunScan(const ScanForm &scan, mlir::Location loc, BodyImport importInputs);

  mlir::OpBuilder &builder;
  ModelFile &file;
  const OperatorResolver &resolver;
  const DimOptions &dims;
  const ImportOptions &options;
  FailureHandler onFailure;
  BoundNumbers bounds;
  llvm::SmallVector<std::pair<mlir::Value, bool>>
      cases; ///< conditions that are known: of the branches around, and of runs that go on
  llvm::StringMap<mlir::TensorType> statedTypes;
  llvm::DenseMap<const ::onnx::GraphProto *, llvm::StringMap<const ::onnx::ValueInfoProto *>>
      statedValues;            ///< of graphs in which functions compute
  llvm::StringSet<> sizeNames; ///< of dimensions of the inputs, and of those that data decides

  /// Functions that call functions, and loops in loops, can stand for more nodes than any machine holds.
  static constexpr unsigned kMaxNodes = 1u << 18;
  unsigned importedNodes = 0, nodeLimit = kMaxNodes;
  /// Each is inlined by recursion, and its nodes are called after all of them.
  static constexpr unsigned kMaxCalls = 256;

  /// While it lives at most `nodes` more can be imported, and no more than the budgets around it have left.
  class NodeBudget {
  public:
    NodeBudget(GraphImporter &importer, unsigned nodes)
        : importer(importer), outer(importer.nodeLimit), limit(std::min(outer, importer.importedNodes + nodes)) {
      importer.nodeLimit = limit;
    }
    ~NodeBudget() { importer.nodeLimit = outer; }
    /// Whether something failed since this one, and none around it, is spent.
    bool isSpent() const { return limit < outer && importer.importedNodes > limit; }

  private:
    GraphImporter &importer;
    unsigned outer, limit;
  };
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_GRAPHIMPORTER_H
