#include "utils/Driver/MachineFile.h"

#include "dialects/Files/RegularFile.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace cameo;
using llvm::Error;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr int64_t fileFormat = 1;
static constexpr uint64_t largestFile = 64 << 10;

static Error readMachine(StringRef text, TargetInfo &target) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject(), *parameters = object ? object->getObject("machine") : nullptr;
  if (!parameters || object->getInteger("format") != fileFormat)
    return llvm::createStringError("expected a file of 'cameo calibrate' in format 1");
  StringRef cpu = object->getString("cpu").value_or("");
  if (cpu != target.cpu)
    return llvm::createStringError(
        llvm::formatv("expected a measurement of the processor '{0}', got one of '{1}'", target.cpu, cpu).str());
  for (const auto &[name, number] : *parameters) {
    std::string written;
    llvm::raw_string_ostream(written) << number;
    if (Error error = setParameters(target, StringRef(name).str() + "=" + written))
      return error;
  }
  return Error::success();
}

Error cameo::describeMachine(StringRef text, TargetInfo &target) {
  auto named = [](StringRef where, Error error) {
    return llvm::createStringError(where + ": " + llvm::toString(std::move(error)));
  };
  if (text.contains('=')) {
    Error error = setParameters(target, text);
    return error ? named("--machine", std::move(error)) : Error::success();
  }
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> file = readRegularFile(text, largestFile);
  if (!file)
    return named("--machine", file.takeError());
  Error error = readMachine((*file)->getBuffer(), target);
  return error ? named(text, std::move(error)) : Error::success();
}

void cameo::writeMachine(const TargetInfo &target, llvm::raw_ostream &os) {
  json::OStream writer(os, /*IndentSize=*/2);
  writer.object([&] {
    writer.attribute("format", fileFormat);
    writer.attribute("triple", target.triple);
    writer.attribute("cpu", target.cpu);
    writer.attributeObject("machine", [&] {
      for (const MachineParameter &parameter : machineParameters())
        if (parameter.isSettable) {
          writer.attributeBegin(parameter.name);
          writer.rawValue(printParameter(target, parameter));
          writer.attributeEnd();
        }
    });
  });
  os << '\n';
}
