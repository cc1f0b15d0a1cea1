#include "utils/Driver/Inspect/BisectModel.h"

#include "utils/Driver/CompileModel.h"
#include "utils/Driver/PhaseRunner.h"
#include "utils/Plugin/Plugin.h"

#include "llvm/Support/Program.h"

#include <map>
#include <set>

using namespace cameo;
using llvm::StringRef;

namespace {

class Bisection {
public:
  explicit Bisection(const BisectRequest &request) : request(request) {}
  llvm::FailureOr<BisectResult> run();

private:
  using Found = llvm::FailureOr<std::optional<BisectFinding>>;

  llvm::FailureOr<BoundModel> open(const CompileOptions &options);
  llvm::LogicalResult run(BoundModel &model, size_t round);
  llvm::FailureOr<InnerResults> find(InnerOutputs kind);
  std::optional<BisectFinding> compare(llvm::ArrayRef<Tensor> results, llvm::ArrayRef<Tensor> expected, size_t first);
  Tolerance toleranceOf(llvm::ArrayRef<Tensor> expected, size_t number) const;
  Found compareTasks();
  llvm::FailureOr<bool> nodeDiffers(unsigned number);
  llvm::FailureOr<unsigned> findNode(unsigned wrong);
  Found compareNodes();

  const BisectRequest &request;
  std::vector<std::vector<Tensor>> inputs; ///< by round
  InnerResults tasks, nodes;
  BoundModel naive;                                          ///< with the results of all nodes as outputs
  std::map<unsigned, std::optional<BisectFinding>> compared; ///< by number of the node's result
};

} // namespace

llvm::FailureOr<BoundModel> Bisection::open(const CompileOptions &options) {
  std::unique_ptr<ModelLibrary> library = loadModel(options);
  if (!library)
    return llvm::failure();
  llvm::Expected<std::unique_ptr<ModelRunner>> runner =
      ModelRunner::create(*library, {options.naive ? 1 : request.threads, "", options.sizes});
  if (!runner)
    return reportFailure(runner.takeError());
  return BoundModel{std::move(library), std::move(*runner)};
}

llvm::LogicalResult Bisection::run(BoundModel &model, size_t round) {
  if (inputs.empty())
    for (const InputSource &source : request.rounds) {
      llvm::Expected<std::vector<Tensor>> tensors = makeInputs(*model.library, source, request.options.sizes);
      if (!tensors)
        return reportFailure(tensors.takeError());
      inputs.push_back(std::move(*tensors));
    }
  if (llvm::Error error = model.runner->bindInputs(inputs[round]))
    return reportFailure(std::move(error));
  if (llvm::Error error = model.runner->run())
    return reportFailure(std::move(error));
  return llvm::success();
}

llvm::FailureOr<InnerResults> Bisection::find(InnerOutputs kind) {
  PhaseRunner phases(request.options);
  if (llvm::failed(phases.resolveTarget()) || llvm::failed(phases.import()) ||
      (kind == InnerOutputs::Tasks && llvm::failed(phases.runUntil(Phase::Partition))))
    return llvm::failure();
  return findInnerResults(phases.module(), kind);
}

/// Returns the tolerance of result number `number`. A value computed from a float16 is only as exact as float16.
Tolerance Bisection::toleranceOf(llvm::ArrayRef<Tensor> expected, size_t number) const {
  Tolerance tolerance = request.tolerance;
  if (tolerance.relative)
    return tolerance;
  tolerance.relative = 0;
  for (const Tensor &tensor : expected.take_front(number + 1))
    tolerance.relative = std::max(*tolerance.relative, defaultRelativeTolerance(tensor.type));
  return tolerance;
}

/// Returns the first result that differs. `results` may be a single one, whose number is `first`.
std::optional<BisectFinding> Bisection::compare(llvm::ArrayRef<Tensor> results, llvm::ArrayRef<Tensor> expected,
                                                size_t first) {
  for (auto [index, result] : llvm::enumerate(results)) {
    size_t number = first + index;
    const Tensor &other = expected[number];
    BisectFinding finding;
    finding.number = number;
    finding.type = result.type;
    finding.shape = shapeText(result.shape);
    finding.expectedShape = shapeText(other.shape);
    if (result.shape == other.shape) {
      finding.difference = compareTensors(result, other, toleranceOf(expected, number));
      if (finding.difference.withinBound)
        continue;
    }
    return finding;
  }
  return std::nullopt;
}

Bisection::Found Bisection::compareTasks() {
  CompileOptions options = request.options;
  options.inner = InnerOutputs::Tasks;
  llvm::FailureOr<BoundModel> judged = open(options);
  if (llvm::failed(judged))
    return llvm::failure();
  options.plainTasks = true;
  llvm::FailureOr<BoundModel> plain = open(options);
  if (llvm::failed(plain))
    return llvm::failure();
  for (size_t round = 0; round < request.rounds.size(); ++round) {
    if (llvm::failed(run(*judged, round)) || llvm::failed(run(*plain, round)))
      return llvm::failure();
    size_t own = judged->runner->outputs().size() - tasks.results.size();
    std::optional<BisectFinding> finding =
        compare(judged->runner->outputs().drop_front(own), plain->runner->outputs().drop_front(own), 0);
    if (!finding)
      continue;
    finding->kind = BisectFinding::Kind::Task;
    finding->round = round;
    const InnerResult &result = tasks.results[finding->number];
    const Tensor &tensor = judged->runner->outputs()[own + finding->number];
    finding->tasks = {result.makerOf(tensor.shape, std::max<int64_t>(0, finding->difference.worstIndex))};
    finding->nodes = finding->tasks.front().nodes;
    finding->operation = result.operation;
    for (const cameo_task_description &task : judged->library->tasks())
      if (task.key == finding->tasks.front().key && task.schedule)
        finding->schedule = task.schedule;
    return finding;
  }
  return std::optional<BisectFinding>();
}

/// Whether the optimised path computes a different result of a node. Only this result becomes an output, so that the
/// other nodes are fused as in the model.
llvm::FailureOr<bool> Bisection::nodeDiffers(unsigned number) {
  if (auto known = compared.find(number); known != compared.end())
    return known->second.has_value();
  CompileOptions options = request.options;
  options.inner = InnerOutputs::Nodes;
  options.onlyInner = number;
  llvm::FailureOr<BoundModel> judged = open(options);
  if (llvm::failed(judged) || llvm::failed(run(*judged, request.wrongRound)))
    return llvm::failure();
  llvm::ArrayRef<Tensor> expected = naive.runner->outputs().take_back(nodes.results.size());
  return (compared[number] = compare(judged->runner->outputs().take_back(), expected, number)).has_value();
}

/// Returns a node whose result differs although its operands do not. Bisects the results that `wrong` depends on, and
/// then follows operands that differ.
llvm::FailureOr<unsigned> Bisection::findNode(unsigned wrong) {
  std::set<unsigned> before = {wrong};
  for (auto next = before.rbegin(); next != before.rend(); ++next)
    before.insert(nodes.results[*next].operands.begin(), nodes.results[*next].operands.end());
  std::vector<unsigned> way(before.begin(), before.end());
  size_t low = 0, high = way.size() - 1;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    llvm::FailureOr<bool> differs = nodeDiffers(way[middle]);
    if (llvm::failed(differs))
      return llvm::failure();
    *differs ? high = middle : low = middle + 1;
  }
  unsigned found = way[high];
  for (bool isFirst = false; !isFirst;) {
    isFirst = true;
    for (unsigned operand : nodes.results[found].operands) {
      llvm::FailureOr<bool> differs = nodeDiffers(operand);
      if (llvm::failed(differs))
        return llvm::failure();
      if (!*differs)
        continue;
      found = operand;
      isFirst = false;
      break;
    }
  }
  return found;
}

static bool holdsNode(StringRef nodes, StringRef node) {
  return !node.empty() && ("+" + nodes + "+").str().find(("+" + node + "+").str()) != std::string::npos;
}

Bisection::Found Bisection::compareNodes() {
  llvm::FailureOr<InnerResults> all = find(InnerOutputs::Nodes);
  if (llvm::failed(all))
    return llvm::failure();
  nodes = std::move(*all);
  std::optional<unsigned> wrong = nodes.outputs.lookup(request.wrongOutput);
  if (!wrong)
    return std::optional<BisectFinding>();
  CompileOptions options = request.options;
  options.naive = true;
  options.inner = InnerOutputs::Nodes;
  llvm::FailureOr<BoundModel> reference = open(options);
  if (llvm::failed(reference) || llvm::failed(run(*reference, request.wrongRound)))
    return llvm::failure();
  naive = std::move(*reference);
  llvm::FailureOr<unsigned> found = findNode(*wrong);
  if (llvm::failed(found) || llvm::failed(nodeDiffers(*found)))
    return llvm::failure();
  std::optional<BisectFinding> finding = compared[*found];
  // The output differs in the unchanged model, but not if this result is an output, too.
  if (!finding)
    return finding;
  finding->kind = BisectFinding::Kind::Node;
  finding->round = request.wrongRound;
  finding->nodes = nodes.results[*found].makers.front().nodes;
  finding->operation = nodes.results[*found].operation;
  for (const InnerResult &result : tasks.results)
    for (const InnerResult::Maker &maker : result.makers)
      if (holdsNode(maker.nodes, finding->nodes) &&
          llvm::none_of(finding->tasks, [&](const InnerResult::Maker &each) { return each.key == maker.key; }))
        finding->tasks.push_back(maker);
  return finding;
}

llvm::FailureOr<BisectResult> Bisection::run() {
  llvm::FailureOr<InnerResults> found = find(InnerOutputs::Tasks);
  if (llvm::failed(found))
    return llvm::failure();
  tasks = std::move(*found);
  BisectResult result;
  result.taskResults = tasks.results.size();
  Found finding = compareTasks();
  if (llvm::succeeded(finding) && !*finding && !request.wrongOutput.empty())
    finding = compareNodes();
  if (llvm::failed(finding))
    return llvm::failure();
  result.finding = std::move(*finding);
  return result;
}

llvm::FailureOr<BisectResult> cameo::bisectModel(const BisectRequest &request) { return Bisection(request).run(); }

std::string cameo::showTaskCommand(const CompileOptions &options, EmitKind emit, StringRef key) {
  std::string command = "cameo compile";
  llvm::raw_string_ostream os(command);
  auto add = [&](const llvm::Twine &argument) {
    os << ' ';
    llvm::sys::printArg(os, argument.str(), /*Quote=*/false);
  };
  add(options.model);
  add("--emit=" + emitName(emit));
  add("--task=" + key);
  for (const auto &size : options.sizes)
    add("--dim=" + size.getKey() + "=" + llvm::Twine(size.getValue()));
  for (const auto &length : options.forms.lengths)
    add("--length=" + length.getKey() + "=" + llvm::Twine(length.getValue()));
  for (const auto &name : options.forms.absent)
    add("--absent=" + name.getKey());
  for (const auto &constant : options.forms.constants)
    add("--constant=" + constant.getKey() + "=" + constant.getValue());
  for (const auto &alias : options.forms.aliases)
    add("--alias=" + alias.getValue() + "=" + alias.getKey());
  for (const auto &bound : options.forms.bounds)
    add("--bound=" + bound.getKey() + "=" + llvm::Twine(bound.getValue()));
  for (const Plugin *plugin : options.plugins)
    add("--plugin=" + plugin->getPath());
  if (options.externs.all)
    add("--extern-ops");
  if (!options.externs.named.empty())
    add("--extern-ops=" + llvm::join(options.externs.named, ","));
  if (!options.target.empty())
    add("--target=" + options.target);
  if (!options.cpu.empty())
    add("--cpu=" + options.cpu);
  if (!options.machine.empty())
    add("--machine=" + options.machine);
  if (options.threads != 1)
    add("--threads=" + llvm::Twine(options.threads));
  if (options.winograd != "auto")
    add("--winograd=" + options.winograd);
  if (options.weightsType != "as-is")
    add("--weights-type=" + options.weightsType);
  return command;
}
