// Imports the nodes of a graph, and inlines functions at their calls.
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

struct RunLoop;

class GraphImporter {
public:
  using Nodes = google::protobuf::RepeatedPtrField<::onnx::NodeProto>;
  /// Attributes of the call of a function, by name.
  using Arguments = llvm::StringMap<const ::onnx::AttributeProto *>;

  /// A node or initializer that could not be imported. Its error has been emitted, unless it depends on another
  /// failure.
  struct Failure {
    enum Kind { Initializer, UnknownOperator, InvalidNode, UnknownInput };
    Kind kind;
    std::string operatorName; // empty for an initializer
    mlir::Location loc;
  };
  using FailureHandler = std::function<void(const Failure &failure)>;

  /// With `onFailure` a failure does not end the import: the outputs of the node get placeholders of the stated types,
  /// or stay unknown, and so do all values that depend on them.
  GraphImporter(mlir::OpBuilder &builder, ModelFile &file, const OperatorResolver &resolver, const DimOptions &dims,
                const ImportOptions &options, FailureHandler onFailure = {})
      : builder(builder), file(file), resolver(resolver), dims(dims), options(options), onFailure(std::move(onFailure)),
        bounds(options.forms.bounds) {}

  /// Imports the graph as a function whose arguments are the tensors of `inputs`. Fails after an error.
  mlir::FailureOr<mlir::func::FuncOp> importGraph(const ::onnx::GraphProto &graph, llvm::ArrayRef<FlatInput> inputs);

  /// Add the names of outer values that the subgraphs of a node use, and that a subgraph uses.
  static void collectCaptured(const ::onnx::NodeProto &node, llvm::StringSet<> &names);
  static void collectCaptured(const ::onnx::GraphProto &graph, llvm::StringSet<> &names);

private:
  /// The graph whose nodes are being imported: the main graph, a subgraph, or an inlined function.
  struct Scope {
    NamedValues values;
    const OpsetImports *opsets = nullptr;
    const Arguments *arguments = nullptr; // null in the main graph
    const llvm::StringMap<mlir::TensorType> *stated = nullptr;
    const ::onnx::GraphProto *graph =
        nullptr;                       // the main graph or a subgraph; null in a function, which states no types
    std::string path;                  // the calls that lead here, each with a slash
    std::optional<unsigned> callIndex; // node of the main graph with the outermost call
    llvm::SmallVector<const ::onnx::FunctionProto *> calls;

    /// Returns a scope of the same graph that sees the values of this one, which must outlive it, and states no types.
    Scope inside() const {
      return {NamedValues(&values), opsets, arguments, /*stated=*/nullptr, graph, path, callIndex, calls};
    }
  };

  mlir::Location locate(const Scope &scope, const ::onnx::NodeProto &node, unsigned index) const;
  /// Returns the location of the node in the subgraphs of `node` that reads `input`; of `node` if there is none.
  mlir::Location locateReader(const Scope &scope, const ::onnx::NodeProto &node, unsigned index,
                              llvm::StringRef input) const;
  mlir::Location locateValue(llvm::StringRef name) const;
  mlir::MLIRContext *getContext() const { return builder.getContext(); }

  // ImportGraph.cpp: inputs, outputs and initializers of the main graph.
  mlir::LogicalResult checkNames(const ::onnx::GraphProto &graph) const;
  mlir::LogicalResult readStatedTypes(const ::onnx::GraphProto &graph);
  mlir::LogicalResult applyAliases(const ::onnx::GraphProto &graph, const Scope &scope);
  mlir::FailureOr<mlir::func::FuncOp> createFunction(llvm::ArrayRef<FlatInput> inputs, Scope &scope);
  /// Reserves the names of input dimensions, so that data-dependent sizes get others.
  void reserveSizeNames(mlir::TensorType type);
  mlir::DictionaryAttr describeTensor(llvm::StringRef name, llvm::StringRef sequence, mlir::Attribute keys = {});
  mlir::LogicalResult importInitializers(const ::onnx::GraphProto &graph, Scope &scope);
  mlir::FailureOr<mlir::Value> makeInitializer(llvm::StringRef name, mlir::ElementsAttr value,
                                               const ::onnx::ValueInfoProto *input, mlir::Location loc);
  mlir::LogicalResult finishFunction(const ::onnx::GraphProto &graph, const Scope &scope, mlir::func::FuncOp function);

  // ImportNode.cpp
  /// Adds `count` to the number of imported operations. Fails without an error if the budget of an enclosing loop is
  /// exceeded, because the loop is then imported in another form; fails after an error if that of the model is.
  mlir::LogicalResult countNodes(unsigned count, mlir::Location loc);
  mlir::LogicalResult checkOperators(const Nodes &nodes, const Scope &scope) const;
  mlir::LogicalResult importNodes(const Nodes &nodes, Scope &scope);
  /// Reports to the handler why a node was not imported, and creates placeholders for its outputs.
  void recordFailure(const ::onnx::NodeProto &node, mlir::Location loc, Scope &scope, bool hasUnknownInput);
  mlir::LogicalResult importNode(const ::onnx::NodeProto &node, mlir::Location loc, Scope &scope, unsigned index);
  mlir::LogicalResult importConstant(const ::onnx::NodeProto &node, mlir::Location loc, Scope &scope);
  mlir::LogicalResult importOperator(const ::onnx::NodeProto &node, const ResolvedOperator &resolved,
                                     mlir::Location loc, Scope &scope);
  /// Creates the operation of a node of the default domain in its newest version, or of a plugin's dialect, and returns
  /// its results.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  makeOperation(NodeDraft &draft, std::optional<mlir::RegisteredOperationName> foreign = std::nullopt);
  mlir::LogicalResult inlineFunction(const ::onnx::NodeProto &node, const ::onnx::FunctionProto &function,
                                     mlir::Location loc, Scope &scope, unsigned index);
  // ImportExtern.cpp
  mlir::LogicalResult importExtern(const ::onnx::NodeProto &node, const ResolvedOperator &op, mlir::Location loc,
                                   Scope &scope);
  /// The results of the compiler's own operation for the node.
  struct KnownResults {
    llvm::StringMap<mlir::Type> types; ///< by name; empty if there is no operation for the node, or it is invalid
    std::string error;                 ///< why it is invalid
  };
  KnownResults inferKnownResults(const ::onnx::NodeProto &node, mlir::Location loc, const Scope &scope);
  Dim resolveExternDim(llvm::StringRef name) const;
  /// Returns what `graph` states about a value; null if it states no type.
  const ::onnx::ValueInfoProto *findStated(const ::onnx::GraphProto &graph, llvm::StringRef name);
  mlir::FailureOr<mlir::Type> importExternOutput(llvm::StringRef name, llvm::StringRef operatorName,
                                                 const KnownResults &known, mlir::Location loc, const Scope &scope);
  mlir::FailureOr<mlir::DictionaryAttr> importExternParameters(const ::onnx::NodeProto &node, mlir::Location loc);
  // ImportFlexAttention.cpp
  mlir::LogicalResult importFlexAttention(const ::onnx::NodeProto &node, mlir::Location loc, Scope &scope,
                                          unsigned index);
  mlir::FailureOr<mlir::Value> getOperand(llvm::StringRef name, mlir::Location loc, const Scope &scope,
                                          bool takesMaps = false);
  /// Whether an input of the node could not be imported.
  bool hasUnknownInput(const ::onnx::NodeProto &node, const Scope &scope) const;
  /// Returns a placeholder for a value that could not be imported; null if its type is not stated.
  mlir::Value makePlaceholder(llvm::StringRef name, mlir::Location loc, const Scope &scope);
  mlir::TensorType getStatedType(llvm::StringRef name, const Scope &scope) const;
  /// Applies the user's bounds to the integers of a value of the main graph.
  mlir::LogicalResult boundNumbers(llvm::StringRef name, mlir::Location loc, Scope &scope);
  /// Binds the name of an output to a value, after comparing its type with the stated one.
  mlir::LogicalResult bindOutput(llvm::StringRef name, mlir::Value value, mlir::Location loc, Scope &scope);
  /// Returns the node with the attributes of the enclosing function's call instead of references. A reference to an
  /// attribute that the call does not have is removed.
  mlir::FailureOr<::onnx::NodeProto> resolveReferences(const ::onnx::NodeProto &node, mlir::Location loc,
                                                       const Scope &scope);

  // NameDataSizes.cpp
  /// Returns an unused name for dimension `axis` of an output: the one that the model states if it is unused.
  std::string nameSize(llvm::StringRef output, int64_t axis, const Scope &scope);
  /// Gives names to data-dependent dimensions of the results, derived from the name of the first output.
  void nameDataSizes(llvm::ArrayRef<mlir::Value> values, const ::onnx::NodeProto &node, const Scope &scope);
  /// Returns the replacement for a result whose size is data-dependent, see DataSizes.h; all others as they are.
  mlir::FailureOr<mlir::Value> countSizes(NodeDraft &draft, mlir::Value result, llvm::StringRef output,
                                          const Scope &scope);

  // ImportRanks.cpp: values whose rank depends on a condition, see RankChoice.h.
  using Results = mlir::FailureOr<llvm::SmallVector<mlir::Value>>;
  struct NodeError {
    mlir::Location loc;
    std::string message;
  };
  /// Returns the value of a condition in the current scope, if it is known.
  std::optional<bool> findCase(mlir::Value condition) const;
  /// Returns the names of such values among the inputs of a node and its subgraphs.
  llvm::SmallVector<llvm::StringRef> findRankChoices(const ::onnx::NodeProto &node, const Scope &scope) const;
  /// Imports the node for one value of the condition, for which the inputs with `names` have one rank. Returns its
  /// outputs, null for those without a name.
  Results importCase(const ::onnx::NodeProto &node, llvm::ArrayRef<llvm::StringRef> names, mlir::Value condition,
                     bool isTrue, mlir::Location loc, const Scope &scope, unsigned index);
  /// Imports without emitting errors or reporting failures. `error` becomes the first error, if it has none.
  Results importQuietly(llvm::function_ref<Results()> import, std::optional<NodeError> &error);
  /// Imports tentatively: a failed import leaves no operations and emits no error.
  Results tryCase(llvm::function_ref<Results()> import, std::optional<NodeError> &error);
  /// Handles a case that cannot be imported: the values with `names` end runs in which it occurs, and the condition is
  /// known for all later nodes. Fails without an error if no value can check it.
  mlir::LogicalResult guardCases(llvm::ArrayRef<llvm::StringRef> names, std::pair<mlir::Value, bool> only,
                                 mlir::Location loc, Scope &scope);
  mlir::LogicalResult importForRanks(const ::onnx::NodeProto &node, llvm::ArrayRef<llvm::StringRef> names,
                                     mlir::Location loc, Scope &scope, unsigned index);
  mlir::FailureOr<mlir::Value> chooseRank(mlir::Value condition, llvm::StringRef name, mlir::Value whenTrue,
                                          mlir::Value whenFalse, mlir::Location loc, const Scope &scope);
  /// Returns the value, with a choice at run time if both cases have one rank. Fails after an error.
  mlir::FailureOr<mlir::Value> joinRanks(mlir::Value value, llvm::StringRef name, mlir::Location loc,
                                         const Scope &scope);

  // ImportSequence.cpp
  mlir::LogicalResult importSequenceOperator(const ::onnx::NodeProto &node, mlir::Location loc, Scope &scope);

  // ImportSubgraph.cpp: nodes with subgraphs; SequenceMap is in ImportSequenceMap.cpp. `path` is the path of the names
  // inside.
  /// Fails with an error, and returns null, if the node has no attribute of this name.
  static const ::onnx::AttributeProto *findAttribute(const ::onnx::NodeProto &node, llvm::StringRef name);
  static mlir::FailureOr<const ::onnx::GraphProto *> getSubgraph(const ::onnx::NodeProto &node, llvm::StringRef name,
                                                                 mlir::Location loc);
  mlir::LogicalResult importSubgraphs(const ::onnx::NodeProto &node, int version, mlir::Location loc, Scope &scope,
                                      unsigned index);
  Results importIf(const ::onnx::NodeProto &node, llvm::ArrayRef<mlir::Value> operands, mlir::Location loc,
                   const Scope &scope, llvm::StringRef path, unsigned index);
  Results importSequenceMap(const ::onnx::NodeProto &node, llvm::ArrayRef<mlir::Value> operands, mlir::Location loc,
                            const Scope &scope, llvm::StringRef path, unsigned index);
  /// Imports a SequenceMap over slices, whose number only a run knows, as a Loop that appends to sequences.
  Results importSliceMap(const ::onnx::NodeProto &node, const ::onnx::GraphProto &body,
                         llvm::ArrayRef<mlir::Value> operands, mlir::Location loc, const Scope &scope, unsigned index);
  /// Imports one execution of a subgraph. With `keepsRanks`, results whose rank depends on a condition stay choices.
  Results importBody(const ::onnx::GraphProto &body, llvm::ArrayRef<mlir::Value> inputs, mlir::Location loc,
                     const Scope &outer, llvm::StringRef path, unsigned index, bool keepsRanks = false);

  // ImportLoop.cpp and ImportScan.cpp. An attempt to unroll returns nothing if the trip count is dynamic.
  using Attempt = mlir::FailureOr<std::optional<llvm::SmallVector<mlir::Value>>>;
  struct ScanForm;
  /// Tries the forms of a loop in order: unrolled if that is worthwhile, a loop, unrolled at a higher cost, a loop
  /// whose carried values grow, unrolled up to a bound of the trip count.
  Results chooseForm(mlir::Location loc, llvm::function_ref<Attempt()> unroll,
                     llvm::function_ref<Results(bool mayGrow)> makeLoop,
                     llvm::function_ref<Attempt()> unrollBounded = {});
  /// Imports an iteration of a Scan, from carried values and slices.
  using BodyImport = llvm::function_ref<Results(llvm::ArrayRef<mlir::Value> inputs)>;
  Results importLoop(const ::onnx::NodeProto &node, llvm::ArrayRef<mlir::Value> operands, mlir::Location loc,
                     const Scope &scope, llvm::StringRef path, unsigned index);
  Attempt unrollLoop(const ::onnx::GraphProto &body, llvm::ArrayRef<mlir::Value> operands, mlir::Location loc,
                     const Scope &scope, llvm::StringRef path, unsigned index);
  // ImportBoundedLoop.cpp
  /// An iteration, and the values before it.
  struct Round;
  /// Imports the iterations, and returns what the loop carries after the last one. The trip count is a scalar, and its
  /// bound a number.
  Results importRounds(const RunLoop &loop, const ::onnx::GraphProto &body, mlir::Location loc, const Scope &scope,
                       llvm::StringRef path, unsigned index, llvm::SmallVectorImpl<Round> &rounds);
  /// Chooses what a run has that ends before an iteration or after it, from the last iteration to the first: `carried`
  /// after the loop, and the slices to stack. Returns the number of iterations.
  mlir::FailureOr<mlir::Value> chooseRounds(NodeDraft &draft, llvm::ArrayRef<Round> rounds,
                                            llvm::SmallVectorImpl<mlir::Value> &carried,
                                            llvm::SmallVectorImpl<llvm::SmallVector<mlir::Value>> &stacked,
                                            llvm::function_ref<std::string(unsigned output, int64_t axis)> name);
  /// Returns nothing if the trip count has no bound.
  Attempt unrollBounded(const ::onnx::NodeProto &node, const ::onnx::GraphProto &body,
                        llvm::ArrayRef<mlir::Value> operands, mlir::Location loc, const Scope &scope,
                        llvm::StringRef path, unsigned index);
  mlir::FailureOr<llvm::SmallVector<mlir::Type>> findStackedTypes(const ::onnx::GraphProto &body,
                                                                  llvm::ArrayRef<mlir::Value> carried,
                                                                  mlir::Location loc, const Scope &scope,
                                                                  llvm::StringRef path, unsigned index);
  Results importRunLoop(const ::onnx::NodeProto &node, const ::onnx::GraphProto &body,
                        llvm::ArrayRef<mlir::Value> operands, mlir::Location loc, const Scope &scope,
                        llvm::StringRef path, unsigned index, bool mayGrow);
  /// Returns the carried values that become longer in the first iteration.
  llvm::SmallVector<GrowingValue> findGrowing(BodyImport importIteration, mlir::Location loc,
                                              llvm::ArrayRef<mlir::Value> carried);
  Results importScan(const ::onnx::NodeProto &node, int version, llvm::ArrayRef<mlir::Value> operands,
                     mlir::Location loc, const Scope &scope, llvm::StringRef path, unsigned index);
  /// The last `scanned` inputs are sliced, the others are carried.
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
      cases; ///< known conditions: of enclosing branches, and those that guards ensure
  llvm::StringMap<mlir::TensorType> statedTypes;
  llvm::DenseMap<const ::onnx::GraphProto *, llvm::StringMap<const ::onnx::ValueInfoProto *>>
      statedValues;                                             ///< of graphs in which functions compute
  std::vector<std::shared_ptr<::onnx::NodeProto>> writtenNodes; ///< that no model has
  llvm::StringSet<> sizeNames;                                  ///< of input dimensions and data-dependent sizes

  /// Limit of imported operations: nested calls and loops can expand to more than fit into memory.
  static constexpr unsigned kMaxNodes = 1u << 18;
  unsigned importedNodes = 0, nodeLimit = kMaxNodes;
  /// Limit of nested calls: each is inlined by recursion, and its nodes are named after all of them.
  static constexpr unsigned kMaxCalls = 256;

  /// Limits the operations imported during its lifetime to `nodes`, and to the remaining budgets around it.
  class NodeBudget {
  public:
    NodeBudget(GraphImporter &importer, unsigned nodes)
        : importer(importer), outer(importer.nodeLimit), limit(std::min(outer, importer.importedNodes + nodes)) {
      importer.nodeLimit = limit;
    }
    ~NodeBudget() { importer.nodeLimit = outer; }
    /// Whether this budget, and none around it, was exceeded.
    bool isSpent() const { return limit < outer && importer.importedNodes > limit; }

  private:
    GraphImporter &importer;
    unsigned outer, limit;
  };
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_GRAPHIMPORTER_H
