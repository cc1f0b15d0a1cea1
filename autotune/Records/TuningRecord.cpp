#include "autotune/Records/TuningRecord.h"

#include "autotune/Records/ParseLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace cameo::autotune;
using llvm::StringRef;
namespace json = llvm::json;

/// Disturbances only increase a cost. So the minimum is the best estimate, except for costs measured alternating with
/// those of the default schedule, which share the disturbances.
double TuningRecord::cost() const {
  return (isRelease || isBorder()) && !defaultCosts.empty() ? costInterval(costs).median : *llvm::min_element(costs);
}

CostInterval TuningRecord::relativeCost() const {
  std::vector<double> ratios;
  for (auto [cost, defaultCost] : llvm::zip(costs, defaultCosts))
    if (defaultCost > 0)
      ratios.push_back(cost / defaultCost);
  return ratios.empty() ? CostInterval{1, 1, 1, 0} : costInterval(ratios);
}

std::string cameo::autotune::rangesText(llvm::ArrayRef<SizeRange> ranges) {
  std::string text;
  for (const SizeRange &range : ranges) {
    text += llvm::formatv("{0}{1} from {2}", text.empty() ? "" : ", ", range.name, range.least);
    if (range.most)
      text += llvm::formatv(" to {0}", *range.most);
  }
  return text;
}

bool cameo::autotune::overlap(llvm::ArrayRef<SizeRange> a, llvm::ArrayRef<SizeRange> b) {
  auto isBelow = [](const SizeRange &low, const SizeRange &high) { return low.most && *low.most < high.least; };
  return llvm::none_of(a, [&](const SizeRange &own) {
    return llvm::any_of(b, [&](const SizeRange &other) {
      return own.name == other.name && (isBelow(own, other) || isBelow(other, own));
    });
  });
}

static void writeSeconds(json::OStream &os, StringRef name, const std::vector<double> &costs) {
  os.attributeArray(name, [&] {
    for (double cost : costs)
      os.value(cost);
  });
}

static void writeCosts(json::OStream &os, const TuningRecord &record) {
  writeSeconds(os, "costs", record.costs);
  if (record.costs.empty())
    return;
  CostInterval interval = costInterval(record.costs);
  os.attribute("cost", record.cost());
  os.attributeArray("interval", [&] {
    os.value(interval.low);
    os.value(interval.high);
  });
  os.attribute("confidence", interval.confidence);
  if (!record.defaultCosts.empty())
    writeSeconds(os, "default_costs", record.defaultCosts);
}

static void writeProof(json::OStream &os, const Proof &proof) {
  os.attributeObject("proof", [&] {
    os.attribute("reference", "naive");
    os.attribute("seed", static_cast<int64_t>(proof.seed));
    os.attribute("max_abs", proof.maxAbsolute);
    os.attribute("max_ulp", proof.maxUlp);
    os.attribute("bound", proof.bound);
  });
}

/// Writes what the schedule was made for, as far as the record holds it.
static void writeLoops(json::OStream &os, const TuningRecord &record) {
  if (!record.nests.empty()) {
    os.attribute("steps", static_cast<int64_t>(record.steps));
    os.attribute("nests", record.nests);
  }
  if (!record.eachNest.empty())
    os.attributeArray("each_nest", [&] {
      for (const std::string &digest : record.eachNest)
        os.value(digest);
    });
  if (!record.target.empty())
    os.attribute("target", json::fixUTF8(record.target));
}

static void writeRanges(json::OStream &os, llvm::ArrayRef<SizeRange> ranges) {
  os.attributeObject("dims", [&] {
    for (const SizeRange &range : ranges)
      os.attributeArray(json::fixUTF8(range.name), [&] {
        os.value(range.least);
        if (range.most)
          os.value(*range.most);
      });
  });
}

static void writeMachine(json::OStream &os, const TuningRecord &record) {
  for (auto [name, text] :
       {std::pair("machine", &record.machine), std::pair("key", &record.key), std::pair("device", &record.device)})
    if (!text->empty())
      os.attribute(name, json::fixUTF8(*text));
}

std::string cameo::autotune::foreignLoops(const TuningRecord &record, const TaskLoops &loops) {
  if (record.nests.empty())
    return "";
  if (record.steps != loops.steps)
    return llvm::formatv("made for version {0} of the schedule steps, and this compiler has version {1}", record.steps,
                         loops.steps);
  return record.nests == loops.nests ? "" : "made for loop nests that differ from those of the task now";
}

StringRef cameo::autotune::levelName(const TuningRecord &record) {
  if (record.isSeed)
    return "seed";
  if (record.split)
    return "split";
  if (record.merge)
    return "merge";
  if (record.isOfModel)
    return "whole";
  if (record.isInModel)
    return "model";
  return record.isRelease ? "release" : "tuning";
}

static int64_t formatOf(const TuningRecord &record) {
  if (!record.ranges.empty())
    return TuningRecord::format;
  if (record.merge)
    return TuningRecord::formatOfMerges;
  return record.split ? TuningRecord::formatOfSplits : TuningRecord::formatOfSchedules;
}

std::string cameo::autotune::toJsonLine(const TuningRecord &record) {
  std::string line;
  llvm::raw_string_ostream text(line);
  json::OStream os(text);
  os.object([&] {
    os.attribute("format", formatOf(record));
    os.attribute("task", record.task);
    os.attribute("name", record.name);
    os.attribute("flops", record.flops);
    os.attribute("triple", record.triple);
    os.attribute("cpu", record.cpu);
    os.attributeArray("extensions", [&] {
      for (const std::string &extension : record.extensions)
        os.value(extension);
    });
    os.attribute("threads", static_cast<int64_t>(record.threads));
    if (!record.sizes.empty())
      os.attribute("sizes", json::fixUTF8(record.sizes));
    if (!record.ranges.empty())
      writeRanges(os, record.ranges);
    if (record.split)
      os.attribute("split", static_cast<int64_t>(*record.split));
    if (record.merge) {
      os.attribute("merge", static_cast<int64_t>(*record.merge));
      os.attribute("with", record.with);
    }
    if (!record.isBorder())
      os.attribute("schedule", record.schedule);
    writeLoops(os, record);
    writeMachine(os, record);
    os.attribute("level", levelName(record));
    if (record.isSeed)
      os.attribute("origin", json::fixUTF8(record.origin));
    else
      writeCosts(os, record);
    if (record.isDisturbed)
      os.attribute("disturbed", true);
    if (record.error.kind != ErrorKind::None)
      os.attributeObject("error", [&] {
        os.attribute("number", static_cast<int64_t>(record.error.kind));
        os.attribute("kind", errorKindName(record.error.kind));
        os.attribute("message", json::fixUTF8(record.error.message));
      });
    if (record.proof)
      writeProof(os, *record.proof);
    os.attribute("round", static_cast<int64_t>(record.round));
    os.attribute("seed", static_cast<int64_t>(record.seed));
    os.attribute("time", record.time);
  });
  return line;
}

// ---- reading ----

/// Values outside of these limits cannot be measurements, and results computed from them might not be finite.
static constexpr double leastSeconds = 1e-12, mostSeconds = 1e9, mostFlops = 1e30;
static constexpr size_t maxCosts = 10000;
static constexpr int64_t maxThreads = 65536, maxVersion = 1 << 20;
/// Limit of nests (passes/Schedule/Nests/NestDigest.h).
static constexpr size_t mostDigests = 64;

namespace {

/// Reads fields of an object. The error is the first field that is missing or has another type.
class FieldReader {
public:
  explicit FieldReader(const json::Object &object) : object(object) {}

  std::string string(StringRef name) {
    std::optional<StringRef> value = object.getString(name);
    return value ? value->str() : (miss(name, "a string"), std::string());
  }
  double number(StringRef name) {
    std::optional<double> value = object.getNumber(name);
    return value && std::isfinite(*value) ? *value : (miss(name, "a number"), 0.0);
  }
  double flops(StringRef name) {
    double value = number(name);
    return value >= 0 && value <= mostFlops
               ? value
               : (miss(name, llvm::formatv("a number from 0 to {0:e0}", mostFlops).str()), 0.0);
  }
  int64_t integer(StringRef name, int64_t low, int64_t high = INT64_MAX) {
    std::optional<int64_t> value = object.getInteger(name);
    if (value && *value >= low && *value <= high)
      return *value;
    miss(name,
         "an integer of " + std::to_string(low) + (high == INT64_MAX ? " or more" : " to " + std::to_string(high)));
    return low;
  }
  std::vector<std::string> strings(StringRef name) {
    std::vector<std::string> all;
    each(name, "an array of strings", [&](const json::Value &value) {
      std::optional<StringRef> text = value.getAsString();
      all.push_back(text.value_or("").str());
      return text.has_value();
    });
    return all;
  }
  std::string digest(StringRef name) {
    std::string value = string(name);
    if (!isDigest(value))
      miss(name, "16 hexadecimal digits");
    return value;
  }
  std::vector<std::string> digests(StringRef name) {
    std::vector<std::string> all;
    each(name, llvm::formatv("an array of at most {0} strings of 16 hexadecimal digits", mostDigests).str(),
         [&](const json::Value &value) {
           all.push_back(value.getAsString().value_or("").str());
           return all.size() <= mostDigests && isDigest(all.back());
         });
    return all;
  }
  std::vector<double> costs(StringRef name) {
    std::vector<double> all;
    std::string expected =
        llvm::formatv("an array of at most {0} seconds from {1:e0} to {2:e0}", maxCosts, leastSeconds, mostSeconds);
    each(name, expected, [&](const json::Value &value) {
      all.push_back(value.getAsNumber().value_or(0));
      return all.size() <= maxCosts && all.back() >= leastSeconds && all.back() <= mostSeconds;
    });
    return all;
  }
  /// By name, as those of equal records are.
  std::vector<SizeRange> ranges(StringRef name) {
    std::vector<SizeRange> all;
    const json::Object *dims = object.getObject(name);
    bool isRight = dims && !dims->empty();
    for (const auto &[dim, value] : dims ? *dims : json::Object()) {
      const json::Array *bounds = value.getAsArray();
      isRight &= bounds && (bounds->size() == 1 || bounds->size() == 2) &&
                 llvm::all_of(*bounds, [](const json::Value &each) { return each.getAsInteger().value_or(-1) >= 0; });
      if (!isRight)
        break;
      SizeRange &range = all.emplace_back(SizeRange{dim.str(), *bounds->front().getAsInteger(), std::nullopt});
      if (bounds->size() == 2)
        range.most = *bounds->back().getAsInteger();
      isRight &= range.least <= range.most.value_or(INT64_MAX);
    }
    if (!isRight)
      miss(name, "an object that maps each dimension to [smallest size, largest size], or to [smallest size] if it is "
                 "unbounded");
    llvm::sort(all, [](const SizeRange &a, const SizeRange &b) { return a.name < b.name; });
    return all;
  }
  void miss(StringRef name, const llvm::Twine &expected) {
    if (wrong.empty())
      wrong =
          (object.get(name) ? "expected '" + name + "' to be " + expected : "expected a field '" + name + "'").str();
  }
  llvm::Error takeError() const { return wrong.empty() ? llvm::Error::success() : llvm::createStringError(wrong); }

private:
  static bool isDigest(StringRef text) {
    return text.size() == 16 &&
           llvm::all_of(text, [](char digit) { return llvm::isDigit(digit) || (digit >= 'a' && digit <= 'f'); });
  }
  void each(StringRef name, StringRef expected, llvm::function_ref<bool(const json::Value &)> take) {
    const json::Array *array = object.getArray(name);
    if (!array || !llvm::all_of(*array, take))
      miss(name, expected);
  }

  const json::Object &object;
  std::string wrong;
};

} // namespace

static llvm::Error readError(const json::Object &object, MeasureError &error) {
  FieldReader fields(object);
  std::string name = fields.string("kind");
  error.message = fields.string("message");
  std::optional<ErrorKind> kind = parseErrorKind(name);
  if (!kind)
    fields.miss("kind", "the name of an error, got '" + name + "'");
  error.kind = kind.value_or(ErrorKind::Unknown);
  return fields.takeError();
}

static llvm::Error readProof(const json::Object &object, std::optional<Proof> &proof) {
  FieldReader fields(object);
  proof = Proof{static_cast<uint64_t>(fields.integer("seed", 0)), fields.number("max_abs"), fields.number("max_ulp"),
                fields.number("bound")};
  return fields.takeError();
}

llvm::Expected<TuningRecord> cameo::autotune::parseRecord(StringRef line) {
  llvm::Expected<json::Value> value = parseLine(line);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  if (!object)
    return llvm::createStringError("expected a JSON object");
  FieldReader fields(*object);
  if (int64_t format = fields.integer("format", 1); format > TuningRecord::format)
    return llvm::createStringError("expected format %lld or older, got %lld: written by a newer Cameo",
                                   static_cast<long long>(TuningRecord::format), static_cast<long long>(format));
  TuningRecord record;
  record.task = fields.string("task");
  record.name = fields.string("name");
  record.flops = fields.flops("flops");
  record.triple = fields.string("triple");
  record.cpu = fields.string("cpu");
  record.extensions = fields.strings("extensions");
  record.threads = static_cast<unsigned>(fields.integer("threads", 1, maxThreads));
  if (object->get("sizes"))
    record.sizes = fields.string("sizes");
  if (object->get("dims"))
    record.ranges = fields.ranges("dims");
  std::string level = fields.string("level");
  if (level == "split") {
    record.split = static_cast<unsigned>(fields.integer("split", 0, UINT32_MAX));
  } else if (level == "merge") {
    record.merge = static_cast<unsigned>(fields.integer("merge", 0, UINT32_MAX));
    record.with = fields.string("with");
  } else {
    record.schedule = fields.string("schedule");
  }
  if (object->get("nests")) {
    record.steps = static_cast<unsigned>(fields.integer("steps", 1, maxVersion));
    record.nests = fields.digest("nests");
    if (object->get("each_nest"))
      record.eachNest = fields.digests("each_nest");
  }
  if (object->get("target"))
    record.target = fields.string("target");
  for (auto [name, text] :
       {std::pair("machine", &record.machine), std::pair("key", &record.key), std::pair("device", &record.device)})
    if (object->get(name))
      *text = fields.string(name);
  if (!llvm::is_contained({"release", "tuning", "seed", "model", "whole", "split", "merge"}, level))
    fields.miss("level", "'release', 'model', 'whole', 'tuning', 'seed', 'split' or 'merge'");
  record.isInModel = level == "model";
  record.isOfModel = level == "whole";
  record.isRelease = level == "release" || record.isInModel || record.isOfModel;
  record.isSeed = level == "seed";
  if (record.isSeed)
    record.origin = fields.string("origin");
  else
    record.costs = fields.costs("costs");
  if (record.isBorder() || object->get("default_costs"))
    record.defaultCosts = fields.costs("default_costs");
  record.isDisturbed = object->getBoolean("disturbed").value_or(false);
  record.round = static_cast<unsigned>(fields.integer("round", 0, UINT32_MAX));
  record.seed = static_cast<uint64_t>(fields.integer("seed", 0));
  record.time = fields.string("time");
  if (llvm::Error error = fields.takeError())
    return std::move(error);
  if (const json::Object *error = object->getObject("error"))
    if (llvm::Error wrong = readError(*error, record.error))
      return std::move(wrong);
  if (const json::Object *proof = object->getObject("proof"))
    if (llvm::Error wrong = readProof(*proof, record.proof))
      return std::move(wrong);
  if (!record.isSeed && record.costs.empty() && record.error.kind == ErrorKind::None)
    return llvm::createStringError("expected costs or an error");
  return record;
}
