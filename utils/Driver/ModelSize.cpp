#include "utils/Driver/ModelSize.h"

#include "cameo/abi.h"
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

/// The task whose kernel `function` is: what is in front of ".k0", ".k1.parallel" and their kin. Empty for other functions.
static StringRef taskOf(StringRef function) {
  function.consume_back(".parallel");
  auto [task, number] = function.rsplit(".k");
  bool isNumber = !number.empty() && number.find_first_not_of("0123456789") == StringRef::npos;
  return isNumber ? task : StringRef();
}

static void addSections(const ELFObjectFileBase &object, ModelSize &size) {
  for (ELFSectionRef section : object.sections()) {
    if (!(section.getFlags() & llvm::ELF::SHF_ALLOC) || section.getType() == llvm::ELF::SHT_NOBITS)
      continue;
    bool isCode = section.getFlags() & llvm::ELF::SHF_EXECINSTR;
    (isCode ? size.code : size.constants) += section.getSize();
  }
}

/// Weights that are no part of the object are counted in the description.
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

/// Functions and weights by their symbols; the number of models.
static llvm::Expected<unsigned> addSymbols(const ELFObjectFileBase &object, ModelSize &size) {
  unsigned models = 0;
  for (ELFSymbolRef symbol : object.symbols()) {
    llvm::Expected<StringRef> name = symbol.getName();
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!name || !flags)
      return llvm::joinErrors(name.takeError(), flags.takeError());
    if (*flags & llvm::object::SymbolRef::SF_Undefined)
      continue;
    if (StringRef task = taskOf(*name); symbol.getELFType() == llvm::ELF::STT_FUNC && !task.empty())
      size.taskCode[task.str()] += symbol.getSize();
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
  if (*models != 1)
    return llvm::createStringError("expected an object with one compiled model, and its symbols, found " + llvm::Twine(*models));
  return size;
}

llvm::Expected<ModelSize> cameo::measureObject(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  llvm::Expected<ModelSize> size = measure(**buffer);
  return size ? std::move(size) : llvm::createStringError(path + ": " + llvm::toString(size.takeError()));
}

llvm::Expected<ModelSize> cameo::measureCode(GeneratedCode &code, MemoryUse memory) {
  llvm::Expected<ModelSize> size = measure(llvm::MemoryBufferRef(code.getCode(), "object"));
  if (!size)
    return size;
  // Their section is not filled yet.
  size->weights = code.getPlan().weightBytes;
  size->memory = std::move(memory);
  return size;
}

std::optional<ModelSize> cameo::measureModel(const CompileOptions &options) {
  PhaseRunner phases(options);
  if (llvm::failed(phases.resolveTarget()) || llvm::failed(phases.import()) || llvm::failed(phases.runUntil(Phase::Schedule)))
    return std::nullopt;
  std::optional<MemoryUse> memory = findMemoryUse(phases.module());
  if (!memory || llvm::failed(phases.runUntil(Phase::Memory)))
    return std::nullopt;
  CodegenOptions codegen;
  codegen.target = phases.target();
  codegen.prefix = prefixFromPath(options.model);
  codegen.modelName = llvm::sys::path::stem(options.model).str();
  codegen.externalIfLarge = true;
  codegen.weightsHash = 1; // nobody reads it
  std::optional<ModelSize> size;
  llvm::LogicalResult result = phases.run("codegen", [&]() -> llvm::LogicalResult {
    mlir::FailureOr<GeneratedCode> code = GeneratedCode::create(phases.module(), codegen);
    if (mlir::failed(code))
      return llvm::failure();
    llvm::Expected<ModelSize> measured = measureCode(*code, std::move(*memory));
    if (!measured)
      return reportFailure(measured.takeError());
    size = std::move(*measured);
    size->target = codegen.target.triple + ", " + codegen.target.cpu;
    return llvm::success();
  });
  return llvm::succeeded(result) ? std::move(size) : std::nullopt;
}
