#include "utils/Driver/Inspect/ModelSize.h"

#include "cameo/abi.h"
#include "passes/Codegen/KernelCode.h"
#include "passes/Target/CpuList.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/PhaseRunner.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace cameo;
using llvm::StringRef;
using llvm::object::ELFObjectFileBase;
using llvm::object::ELFSectionRef;
using llvm::object::ELFSymbolRef;

/// Returns the variant for `cpu`, which is added if there is none, so variants are in the order of the object's
/// symbols.
static ModelSize::Variant &variantFor(StringRef cpu, ModelSize &size) {
  auto found = llvm::find_if(size.variants, [&](const ModelSize::Variant &variant) { return variant.cpu == cpu; });
  if (found != size.variants.end())
    return *found;
  size.variants.emplace_back().cpu = cpu.str();
  return size.variants.back();
}

const ModelSize::Variant &ModelSize::largestArena() const {
  return *llvm::max_element(variants, [](const Variant &a, const Variant &b) { return a.arena < b.arena; });
}

static void addSections(const ELFObjectFileBase &object, ModelSize &size) {
  for (ELFSectionRef section : object.sections()) {
    if (!(section.getFlags() & llvm::ELF::SHF_ALLOC) || section.getType() == llvm::ELF::SHT_NOBITS)
      continue;
    bool isCode = section.getFlags() & llvm::ELF::SHF_EXECINSTR;
    (isCode ? size.code : size.constants) += section.getSize();
  }
}

/// Reads the size of external weights, which only the description holds.
static llvm::Error readDescription(ELFSymbolRef symbol, ModelSize &size) {
  llvm::Expected<llvm::object::section_iterator> section = symbol.getSection();
  if (!section)
    return section.takeError();
  llvm::Expected<StringRef> contents = (*section)->getContents();
  llvm::Expected<uint64_t> address = symbol.getAddress();
  if (!contents || !address)
    return llvm::joinErrors(contents.takeError(), address.takeError());
  uint64_t offset = *address - (*section)->getAddress();
  if (symbol.getSize() != sizeof(cameo_model_description) || offset + symbol.getSize() > contents->size())
    return llvm::createStringError("expected a model of ABI version " + llvm::Twine(CAMEO_ABI_VERSION));
  auto read = [&](size_t member) { return llvm::support::endian::read64le(contents->data() + offset + member); };
  if (read(offsetof(cameo_model_description, external_weights_hash)) == 0)
    return llvm::Error::success();
  size.weights = read(offsetof(cameo_model_description, weights_bytes));
  size.hasExternalWeights = true;
  return llvm::Error::success();
}

/// Adds functions and weights by their symbols. Returns the number of models.
static llvm::Expected<unsigned> addSymbols(const ELFObjectFileBase &object, ModelSize &size) {
  unsigned models = 0;
  for (ELFSymbolRef symbol : object.symbols()) {
    llvm::Expected<StringRef> name = symbol.getName();
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!name || !flags)
      return llvm::joinErrors(name.takeError(), flags.takeError());
    if (*flags & llvm::object::SymbolRef::SF_Undefined)
      continue;
    if (KernelName function = readKernelName(*name);
        symbol.getELFType() == llvm::ELF::STT_FUNC && !function.task.empty()) {
      ModelSize::Variant &variant = variantFor(function.cpu, size);
      variant.taskCode[function.task.str()] += symbol.getSize();
      variant.code += symbol.getSize();
    }
    if (symbol.getELFType() != llvm::ELF::STT_OBJECT)
      continue;
    if (name->ends_with(".weights")) {
      size.weights += symbol.getSize();
      size.constants -= symbol.getSize();
    } else if (name->ends_with("_description")) {
      ++models;
      if (llvm::Error error = readDescription(symbol, size))
        return std::move(error);
    }
  }
  return models;
}

static llvm::Expected<ModelSize> measure(llvm::MemoryBufferRef buffer) {
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file = llvm::object::ObjectFile::createObjectFile(buffer);
  if (!file)
    return file.takeError();
  auto *object = llvm::dyn_cast<ELFObjectFileBase>(file->get());
  if (!object)
    return llvm::createStringError("expected an ELF object");
  ModelSize size;
  size.target = llvm::Triple::getArchTypeName(object->getArch()).str();
  addSections(*object, size);
  llvm::Expected<unsigned> models = addSymbols(*object, size);
  if (!models)
    return models.takeError();
  if (size.variants.empty())
    size.variants.emplace_back();
  if (*models != 1)
    return llvm::createStringError("expected an object with one compiled model, and its symbols, found " +
                                   llvm::Twine(*models));
  return size;
}

llvm::Expected<ModelSize> cameo::measureObject(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  llvm::Expected<ModelSize> size = measure(**buffer);
  return size ? std::move(size) : llvm::createStringError(path + ": " + llvm::toString(size.takeError()));
}

llvm::Expected<ModelSize> cameo::measureCode(GeneratedCode &code, std::vector<MemoryUse> memory) {
  llvm::Expected<ModelSize> size = measure(llvm::MemoryBufferRef(code.getCode(), "object"));
  if (!size)
    return size;
  // The section of the weights is not filled yet.
  size->weights = code.getPlan().weightBytes;
  std::vector<ModelSize::Variant> ordered;
  for (auto [number, target] : llvm::enumerate(code.getTargets())) {
    ModelSize::Variant &variant =
        ordered.emplace_back(std::move(variantFor(code.getTargets().size() == 1 ? "" : target.cpu, *size)));
    variant.weights = code.getVariants()[number].ownWeightBytes;
    variant.arena = code.getVariants()[number].arenaBytes;
    if (!memory.empty())
      variant.memory = std::move(memory[number]);
  }
  size->variants = std::move(ordered);
  return size;
}

void cameo::reportVariants(const ModelSize &size) {
  for (const ModelSize::Variant &variant : size.variants)
    report(Severity::Remark, variant.cpu + ": " + llvm::Twine(variant.code) + " bytes of code, " +
                                 llvm::Twine(variant.weights) + " of weights, " + llvm::Twine(variant.arena) +
                                 " of arena");
  report(Severity::Remark,
         "all: " + llvm::Twine(size.code) + " bytes of code, " + llvm::Twine(size.weights) + " of weights");
}

llvm::LogicalResult cameo::planMemory(PhaseRunner &phases, std::vector<MemoryUse> &memory) {
  // Phase::Memory only assigns offsets, so the use is known before it.
  if (llvm::failed(phases.runUntil(Phase::Emit)))
    return llvm::failure();
  std::optional<MemoryUse> use = findMemoryUse(phases.module());
  if (!use)
    return llvm::failure();
  memory.push_back(std::move(*use));
  return phases.runUntil(Phase::Memory);
}

std::optional<ModelSize> cameo::measurePhases(PhaseRunner &phases, StringRef model) {
  std::vector<MemoryUse> memory;
  if (llvm::failed(phases.forEachTarget([&] { return planMemory(phases, memory); })))
    return std::nullopt;
  CodegenOptions codegen;
  codegen.targets = phases.targets();
  codegen.prefix = prefixFromPath(model);
  codegen.modelName = llvm::sys::path::stem(model).str();
  codegen.externalIfLarge = true;
  codegen.weightsHash = 1; // unused
  std::optional<ModelSize> size;
  llvm::LogicalResult result = phases.run("codegen", [&]() -> llvm::LogicalResult {
    mlir::FailureOr<GeneratedCode> code = GeneratedCode::create(phases.modules(), codegen);
    if (mlir::failed(code))
      return llvm::failure();
    llvm::Expected<ModelSize> measured = measureCode(*code, std::move(memory));
    if (!measured)
      return reportFailure(measured.takeError());
    size = std::move(*measured);
    size->target = codegen.targets.front().triple + ", " + cpuNames(codegen.targets, ", ");
    return llvm::success();
  });
  return llvm::succeeded(result) ? std::move(size) : std::nullopt;
}

std::optional<ModelSize> cameo::measureModel(const CompileOptions &options) {
  PhaseRunner phases(options);
  if (llvm::failed(phases.resolveTargets()) || llvm::failed(phases.import()))
    return std::nullopt;
  return measurePhases(phases, options.model);
}
