#include "autotune/Records/TvmLog.h"

#include "autotune/Records/ParseLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace cameo::autotune;
using llvm::StringRef;
namespace json = llvm::json;

/// Characters of a workload's key that tell people which one it is.
static constexpr size_t shownKey = 80;

static TvmLine skip(const llvm::Twine &why) { return {std::nullopt, why.str()}; }

static const json::Array *arrayAt(const json::Array *array, size_t index) {
  return array && index < array->size() ? (*array)[index].getAsArray() : nullptr;
}

static std::optional<int64_t> integerAt(const json::Array *array, size_t index) {
  return array && index < array->size() ? (*array)[index].getAsInteger() : std::nullopt;
}

static StringRef stringAt(const json::Array *array, size_t index) {
  return array && index < array->size() ? (*array)[index].getAsString().value_or("") : "";
}

/// All elements, if they are integers of 1 and more.
static std::optional<llvm::SmallVector<int64_t, 4>> sizesOf(const json::Array *array) {
  llvm::SmallVector<int64_t, 4> sizes;
  for (size_t index = 0; array && index < array->size(); ++index) {
    std::optional<int64_t> size = integerAt(array, index);
    if (!size || *size < 1)
      return std::nullopt;
    sizes.push_back(*size);
  }
  return array ? std::optional(sizes) : std::nullopt;
}

/// The loop of `extent` that is split by `factors`, outermost first; nothing where a product overflows every loop.
static std::optional<TvmLoop> split(int64_t extent, llvm::ArrayRef<int64_t> factors) {
  TvmLoop loop{extent, {}};
  int64_t size = 1;
  for (int64_t factor : llvm::reverse(factors)) {
    if (factor > extent || (size *= factor) > extent)
      return std::nullopt;
    loop.pieces.insert(loop.pieces.begin(), size);
  }
  return loop;
}

/// The mean of the measurements; nothing where they failed.
static std::optional<double> costOf(const json::Array *result) {
  const json::Array *costs = arrayAt(result, 0);
  if (!costs || costs->empty() || integerAt(result, 1) != 0)
    return std::nullopt;
  double sum = 0;
  for (const json::Value &cost : *costs)
    sum += cost.getAsNumber().value_or(0);
  return sum / static_cast<double>(costs->size());
}

// ---- the auto-scheduler ----

namespace {

struct Split {
  int64_t extent;
  llvm::SmallVector<int64_t, 4> factors;
};

} // namespace

/// The splits of the stage that has most of them, in the order of the steps. A step is an array that begins with the
/// kind and the stage.
static llvm::Expected<std::vector<Split>> splitsOf(const json::Array &steps) {
  std::map<int64_t, std::vector<Split>> stages;
  for (const json::Value &value : steps) {
    const json::Array *step = value.getAsArray();
    StringRef kind = stringAt(step, 0);
    if (kind == "RF")
      return llvm::createStringError("a sum divided into two stages");
    if (kind != "SP")
      continue;
    std::optional<int64_t> stage = integerAt(step, 1), extent = integerAt(step, 3);
    auto factors = sizesOf(arrayAt(step, 4));
    if (!stage || !extent || *extent < 1 || !factors)
      return llvm::createStringError("splits of unknown sizes");
    stages[*stage].push_back({*extent, *factors});
  }
  std::vector<Split> most;
  for (auto &[stage, splits] : stages)
    if (splits.size() > most.size())
      most = std::move(splits);
  return most;
}

/// Three levels of the parallel loops and one of the reductions are what it makes of its structure for processors,
/// SSRSRS.
static TvmLine parseAnsor(const json::Array &input, const json::Array *result) {
  const json::Array *task = arrayAt(&input, 0), *steps = arrayAt(arrayAt(&input, 1), 1);
  StringRef target = stringAt(task, 1);
  if (!target.starts_with("llvm") && !target.contains("\"llvm\""))
    return skip("for another kind of device, " + target.take_until([](char c) { return c == ' '; }));
  std::optional<double> cost = costOf(result);
  if (!cost)
    return skip("failed there");
  llvm::Expected<std::vector<Split>> splits = splitsOf(*steps);
  if (!splits)
    return skip(llvm::toString(splits.takeError()));
  TvmTiling tiling{{}, {}, *cost, ("auto-scheduler, " + stringAt(task, 0).take_front(shownKey) + ", " + target).str()};
  for (const Split &each : *splits) {
    bool isParallel = each.factors.size() == 3;
    std::optional<TvmLoop> loop = split(each.extent, each.factors);
    if (!loop || (!isParallel && each.factors.size() != 1))
      return skip("tiles of another structure than SSRSRS");
    (isParallel ? tiling.parallel : tiling.reductions).push_back(std::move(*loop));
  }
  if (tiling.parallel.empty() || tiling.reductions.empty())
    return skip("no tiles around a sum");
  return {std::move(tiling), ""};
}

// ---- AutoTVM ----

namespace {

/// The knobs of one configuration that are splits or numbers, by name: factors behind the outermost.
using Knobs = llvm::StringMap<llvm::SmallVector<int64_t, 3>>;

struct Operator {
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 2> shapes; // of the tensors among the arguments
  Knobs knobs;

  llvm::ArrayRef<int64_t> factors(StringRef knob) const {
    auto found = knobs.find(knob);
    return found == knobs.end() ? llvm::ArrayRef<int64_t>() : llvm::ArrayRef<int64_t>(found->second);
  }
};

using Loops = std::vector<std::pair<int64_t, llvm::ArrayRef<int64_t>>>; // extents and factors

} // namespace

static Operator operatorOf(const json::Array &arguments, const json::Array *entities) {
  Operator op;
  for (const json::Value &value : arguments) {
    const json::Array *array = value.getAsArray();
    if (auto sizes = sizesOf(arrayAt(array, 1)); sizes && stringAt(array, 0) == "TENSOR")
      op.shapes.push_back(*sizes);
  }
  for (const json::Value &value : entities ? *entities : json::Array()) {
    const json::Array *entity = value.getAsArray();
    auto &factors = op.knobs[stringAt(entity, 0)];
    const json::Array *sizes = arrayAt(entity, 2);
    for (size_t index = 1; sizes && index < sizes->size(); ++index)
      factors.push_back(integerAt(sizes, index).value_or(1));
    if (std::optional<int64_t> single = integerAt(entity, 2))
      factors.push_back(*single);
  }
  return op;
}

static bool addAll(const Loops &loops, std::vector<TvmLoop> &to) {
  for (auto [extent, factors] : loops) {
    std::optional<TvmLoop> loop = split(extent, factors);
    if (!loop)
      return false;
    to.push_back(std::move(*loop));
  }
  return true;
}

/// Rows and columns of products: `dense` multiplies by the transposed weights.
static bool tileProduct(const Operator &op, TvmTiling &tiling) {
  if (op.shapes.size() < 2 || op.shapes[0].size() != op.shapes[1].size() || op.shapes[0].size() < 2)
    return false;
  llvm::ArrayRef<int64_t> left = op.shapes[0], right = op.shapes[1];
  Loops parallel;
  if (left.size() == 3)
    parallel.push_back({left[0], {}});
  parallel.push_back({left.drop_back().back(), op.factors("tile_y")});
  parallel.push_back({right.drop_back().back(), op.factors("tile_x")});
  return addAll(parallel, tiling.parallel) && addAll({{left.back(), op.factors("tile_k")}}, tiling.reductions);
}

/// The size of the result is not in the log; it follows from what is.
static bool tileConvolution(const Operator &op, bool isDepthwise, const json::Array &arguments, TvmTiling &tiling) {
  if (op.shapes.size() != 2 || op.shapes[0].size() != 4 || op.shapes[1].size() != 4 || arguments.size() < 5)
    return false;
  llvm::ArrayRef<int64_t> image = op.shapes[0], filter = op.shapes[1];
  auto numbers = [&](size_t argument, size_t index) { return integerAt(arguments[argument].getAsArray(), index); };
  int64_t result[2];
  for (unsigned axis = 0; axis < 2; ++axis) {
    std::optional<int64_t> stride = numbers(2, axis), before = numbers(3, axis), after = numbers(3, axis + 2),
                           dilation = numbers(4, axis);
    if (!stride || *stride < 1 || !before || !dilation)
      return false;
    int64_t padded = image[2 + axis] + *before + after.value_or(*before),
            reach = *dilation * (filter[2 + axis] - 1) + 1;
    if (padded < reach)
      return false;
    result[axis] = (padded - reach) / *stride + 1;
  }
  int64_t channels = isDepthwise ? filter[0] * filter[1] : filter[0];
  Loops parallel = {{image[0], {}},
                    {result[0], op.factors("tile_oh")},
                    {result[1], op.factors("tile_ow")},
                    {channels, op.factors("tile_oc")}};
  Loops reductions = {{filter[2], {}}, {filter[3], {}}};
  if (!isDepthwise)
    reductions.insert(reductions.begin(), {filter[1], op.factors("tile_ic")});
  return addAll(parallel, tiling.parallel) && addAll(reductions, tiling.reductions);
}

static TvmLine parseAutoTvm(const json::Array &input, const json::Object &config, const json::Array *result) {
  StringRef target = stringAt(&input, 0), name = stringAt(&input, 1);
  const json::Array *arguments = arrayAt(&input, 2);
  if (!target.starts_with("llvm"))
    return skip("for another kind of device, " + target.take_until([](char c) { return c == ' '; }));
  std::optional<double> cost = costOf(result);
  if (!cost)
    return skip("failed there");
  Operator op = operatorOf(*arguments, config.getArray("entity"));
  TvmTiling tiling{{}, {}, *cost, ("AutoTVM, " + name + ", " + target).str()};
  bool isKnown = true;
  if (name == "dense_nopack.x86" || name == "dense_pack.x86" || name == "batch_matmul.x86")
    isKnown = tileProduct(op, tiling);
  else if (name == "conv2d_NCHWc.x86" || name == "depthwise_conv2d_NCHWc.x86")
    isKnown = tileConvolution(op, name.starts_with("depthwise"), *arguments, tiling);
  else
    return skip("of the template " + name + ", whose knobs are not known");
  if (!isKnown)
    return skip("of the template " + name + ", with arguments that are not understood");
  return {std::move(tiling), ""};
}

llvm::Expected<TvmLine> cameo::autotune::parseTvmLine(StringRef line) {
  llvm::Expected<json::Value> value = parseLine(line);
  const json::Object *object = value ? value->getAsObject() : nullptr;
  llvm::consumeError(value.takeError());
  const json::Array *ansor = object ? object->getArray("i") : nullptr,
                    *autotvm = object ? object->getArray("input") : nullptr;
  if (ansor && object->getArray("r") && arrayAt(arrayAt(ansor, 1), 1))
    return parseAnsor(*ansor, object->getArray("r"));
  const json::Object *config = object ? object->getObject("config") : nullptr;
  if (autotvm && config && object->getArray("result") && arrayAt(autotvm, 2))
    return parseAutoTvm(*autotvm, *config, object->getArray("result"));
  return llvm::createStringError(
      "expected a record of TVM: an object with \"i\" and \"r\" (its auto-scheduler) or \"input\", \"config\" and "
      "\"result\" (AutoTVM)");
}
