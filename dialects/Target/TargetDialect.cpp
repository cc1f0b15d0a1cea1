#include "dialects/Target/TargetDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cameo;

#include "dialects/Target/TargetDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Target/TargetAttributes.cpp.inc"

void TargetDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Target/TargetAttributes.cpp.inc"
      >();
}

LogicalResult TargetDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != targetAttrName)
    return op->emitError() << "unknown attribute '" << attribute.getName().getValue() << "' of the cameo dialect";
  if (!isa<ModuleOp>(op) || !isa<TargetAttr>(attribute.getValue()))
    return op->emitError() << "expected '" << targetAttrName << "' to be a #cameo.target attribute of a module";
  return success();
}

Machine cameo::machineOf(ModuleOp module) {
  auto target = module->getAttrOfType<TargetAttr>(targetAttrName);
  return target ? target.getMachine() : Machine();
}

const GpuMachine *cameo::gpuOf(ModuleOp module) {
  auto target = module->getAttrOfType<TargetAttr>(targetAttrName);
  return target && !target.getGpu().empty()
             ? llvm::cantFail(findGpu(target.getGpu(), target.getGpuMath(), target.getGpuSharedBytes()))
             : nullptr;
}

TargetAttr cameo::targetAttrOf(MLIRContext &context, StringRef triple, StringRef cpu, StringRef features,
                               const GpuMachine *gpu, const Machine &machine) {
  return TargetAttr::get(&context, triple, cpu, features, gpu ? StringRef(gpu->name) : StringRef(),
                         gpu ? gpu->math : GpuMath::F32, gpu ? gpu->blockSharedBytes : 0, machine);
}

static constexpr StringLiteral sharedBytesName = "gpu_shared_bytes";

/// Parses KEY = VALUE, where names are strings and numbers are not quoted.
Attribute TargetAttr::parse(AsmParser &parser, Type) {
  std::string triple, cpu, features, gpu, math;
  GpuMath gpuMath = GpuMath::F32;
  int64_t gpuSharedBytes = 0;
  SMLoc gpuPlace;
  Machine machine;
  auto parseParameter = [&]() -> ParseResult {
    StringRef name;
    SMLoc place = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    std::string *text = name == "triple"     ? &triple
                        : name == "cpu"      ? &cpu
                        : name == "features" ? &features
                        : name == "gpu"      ? &gpu
                        : name == "gpu_math" ? &math
                                             : nullptr;
    if (text && parser.parseString(text))
      return failure();
    if (text == &gpu || name == sharedBytesName)
      gpuPlace = place;
    if (name == sharedBytesName)
      return parser.parseInteger(gpuSharedBytes);
    if (text == &math) {
      llvm::Expected<GpuMath> found = findGpuMath(math);
      if (!found)
        return parser.emitError(place) << llvm::toString(found.takeError());
      gpuMath = *found;
    }
    if (text)
      return success();
    std::string value;
    APInt integer;
    double real = 0;
    StringRef word;
    if (succeeded(parser.parseOptionalString(&value)))
      ;
    else if (succeeded(parser.parseOptionalKeyword(&word, {"true", "false"})))
      value = word.str();
    else if (OptionalParseResult number = parser.parseOptionalInteger(integer);
             number.has_value() && succeeded(*number))
      value = llvm::toString(integer, 10, /*Signed=*/true);
    else if (succeeded(parser.parseFloat(real)))
      value = llvm::formatv("{0:e17}", real);
    else
      return failure();
    if (llvm::Error error = setParameter(machine, name, value))
      return parser.emitError(place) << llvm::toString(std::move(error));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseParameter))
    return {};
  const GpuMachine *found = nullptr;
  if (!gpu.empty() || gpuSharedBytes != 0) {
    llvm::Expected<const GpuMachine *> named = findGpu(gpu, gpuMath, gpuSharedBytes);
    if (!named)
      return parser.emitError(gpuPlace) << llvm::toString(named.takeError()), Attribute();
    found = *named;
  }
  return targetAttrOf(*parser.getContext(), triple, cpu, features, found, machine);
}

void TargetAttr::print(AsmPrinter &printer) const {
  printer << '<';
  bool isFirst = true;
  auto next = [&](StringRef name) -> raw_ostream & {
    printer << (std::exchange(isFirst, false) ? "" : ", ") << name << " = ";
    return printer.getStream();
  };
  StringRef math = getGpuMath() == GpuMath::F32 ? StringRef() : nameOf(getGpuMath());
  for (auto [name, text] :
       {std::pair("triple", getTriple()), std::pair("cpu", getCpu()), std::pair("features", getFeatures()),
        std::pair("gpu", getGpu()), std::pair("gpu_math", math)})
    if (!text.empty()) {
      next(name);
      printer.printString(text);
    }
  if (!getGpu().empty() && getGpuSharedBytes() != llvm::cantFail(findGpu(getGpu()))->blockSharedBytes)
    next(sharedBytesName) << getGpuSharedBytes();
  Machine machine = getMachine(), plain;
  for (const MachineParameter &parameter : machineParameters()) {
    std::string value = printParameter(machine, parameter);
    if (value == printParameter(plain, parameter))
      continue;
    bool isName = std::holds_alternative<ByteProducts Machine::*>(parameter.member);
    next(parameter.name) << (isName ? "\"" : "") << value << (isName ? "\"" : "");
  }
  printer << '>';
}
