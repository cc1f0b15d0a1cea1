#include "autotune/Measure/MeasurementResult.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <cmath>

namespace cameo::autotune {

/// Version of the format of the lines.
constexpr int64_t format = 1;

static llvm::Error expected(const llvm::Twine &what) { return llvm::createStringError("expected " + what); }

static llvm::Expected<uint64_t> digestOf(const llvm::json::Object &line, llvm::StringRef key) {
  uint64_t value = 0;
  std::optional<llvm::StringRef> text = line.getString(key);
  if (!text || text->size() != 16 || text->getAsInteger(16, value))
    return expected("'" + key + "' to be 16 hexadecimal digits");
  return value;
}

static MachineFacts factsOf(const llvm::json::Object *machine) {
  MachineFacts facts;
  if (!machine)
    return facts;
  for (llvm::StringRef key : {"gpu", "cpu", "machine", "system", "governor"})
    if (std::optional<llvm::StringRef> value = machine->getString(key); value && !value->empty())
      facts.text += (facts.text.empty() ? "" : ", ") + value->str();
  facts.identity = machine->getString("identity").value_or("").str();
  facts.gpu = machine->getString("gpu").value_or("").str();
  auto bytesOf = [&](llvm::StringRef key) {
    return static_cast<uint64_t>(std::max<int64_t>(machine->getInteger(key).value_or(0), 0));
  };
  facts.l2Bytes = bytesOf("l2_bytes");
  facts.l3Bytes = bytesOf("l3_bytes");
  return facts;
}

static llvm::Expected<ResultLine> parseHead(const llvm::json::Object &line) {
  if (line.getInteger("format") != format)
    return expected("'format' to be " + llvm::Twine(format));
  llvm::Expected<uint64_t> package = digestOf(line, "package");
  if (!package)
    return package.takeError();
  std::optional<llvm::StringRef> refusal = line.getString("refused");
  if (!refusal && !line.getObject("machine"))
    return expected("'machine' to be an object");
  return ResultsHead{*package, refusal.value_or("").str(), factsOf(line.getObject("machine")),
                     line.getString("device").value_or("").str()};
}

static llvm::Expected<std::vector<double>> costsOf(const llvm::json::Object &line, llvm::StringRef key) {
  std::vector<double> costs;
  const llvm::json::Array *values = line.getArray(key);
  if (!values && line.get(key))
    return expected("'" + key + "' to be an array of numbers");
  for (const llvm::json::Value &value : values ? *values : llvm::json::Array()) {
    std::optional<double> cost = value.getAsNumber();
    if (!cost || !std::isfinite(*cost) || *cost < 0)
      return expected("'" + key + "' to be an array of positive numbers");
    costs.push_back(*cost);
  }
  return costs;
}

static llvm::Expected<ResultLine> parseResult(const llvm::json::Object &line) {
  MeasurementResult result;
  llvm::Expected<uint64_t> id = digestOf(line, "id");
  if (!id)
    return id.takeError();
  result.id = *id;
  std::optional<ErrorKind> kind = parseErrorKind(line.getString("error").value_or(""));
  if (!kind)
    return expected("'error' to be a kind of error");
  result.error = {*kind, line.getString("message").value_or("").str()};
  for (auto [key, into] : {std::pair("costs", &result.costs), std::pair("default_costs", &result.defaultCosts)}) {
    llvm::Expected<std::vector<double>> costs = costsOf(line, key);
    if (!costs)
      return costs.takeError();
    *into = std::move(*costs);
  }
  if (const llvm::json::Object *proof = line.getObject("proof"))
    result.proof = Proof{0, proof->getNumber("max_abs").value_or(0), proof->getNumber("max_ulp").value_or(0),
                         proof->getNumber("bound").value_or(0)};
  if (*kind == ErrorKind::None && result.costs.empty() && !result.proof)
    return expected("'costs' of a candidate without an error");
  result.sentinelSeconds = line.getNumber("sentinel").value_or(0);
  result.isDisturbed = line.getBoolean("disturbed").value_or(false);
  result.needsReference = line.getBoolean("needs_reference").value_or(false);
  result.time = line.getString("time").value_or("").str();
  return result;
}

llvm::Expected<ResultLine> parseResultLine(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  const llvm::json::Object *line = parsed ? parsed->getAsObject() : nullptr;
  llvm::consumeError(parsed.takeError());
  if (!line)
    return expected("an object of JSON");
  if (line->get("format"))
    return parseHead(*line);
  if (!line->get("end"))
    return parseResult(*line);
  llvm::Expected<uint64_t> package = digestOf(*line, "end");
  if (!package)
    return package.takeError();
  return ResultsEnd{*package, static_cast<uint64_t>(std::max<int64_t>(line->getInteger("results").value_or(0), 0))};
}

llvm::Expected<ResultLine> ResultReader::read(llvm::StringRef text) {
  llvm::Expected<ResultLine> line = parseResultLine(text);
  if (!line)
    return line.takeError();
  if (auto *head = std::get_if<ResultsHead>(&*line)) {
    machine = head->machine.identity;
    device = head->device;
  } else if (auto *result = std::get_if<MeasurementResult>(&*line)) {
    result->machine = machine;
    result->device = device;
  }
  return std::move(*line);
}

} // namespace cameo::autotune
