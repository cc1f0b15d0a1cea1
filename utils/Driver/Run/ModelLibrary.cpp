#include "utils/Driver/Run/ModelLibrary.h"

#include "dialects/Files/RegularFile.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <dlfcn.h>

using namespace cameo;
using llvm::StringRef;

bool cameo::isElfFile(StringRef path) {
  // Never wait for a pipe. Whoever opens the path next reports the error.
  llvm::Expected<RegularFile> file = openRegularFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  char start[64] = {};
  llvm::sys::fs::file_t native = llvm::sys::fs::convertFDToNativeFile(file->descriptor);
  bool isRead = !llvm::errorToBool(llvm::sys::fs::readNativeFileSlice(native, start, 0).takeError());
  (void)llvm::sys::fs::closeFile(native);
  llvm::file_magic magic = llvm::identify_magic(StringRef(start, sizeof start));
  return isRead && magic >= llvm::file_magic::elf && magic <= llvm::file_magic::elf_core;
}

static constexpr StringRef descriptionSuffix = "_description";

/// Returns the names of the library's model descriptions: dynamic data symbols that end in _description. Their prefix
/// was chosen when the model was compiled, so only the symbol table has it.
static llvm::Expected<std::vector<std::string>> findDescriptions(StringRef path) {
  auto binary = llvm::object::ObjectFile::createObjectFile(path);
  if (!binary)
    return binary.takeError();
  std::vector<std::string> names;
  auto *elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(binary->getBinary());
  if (!elf)
    return llvm::createStringError("expected an ELF shared library");
  llvm::Triple host(llvm::sys::getProcessTriple());
  if (elf->getArch() != host.getArch())
    return llvm::createStringError("expected a library for " + host.getArchName() + ", got one for " +
                                   llvm::Triple::getArchTypeName(elf->getArch()));
  for (llvm::object::ELFSymbolRef symbol : elf->getDynamicSymbolIterators()) {
    llvm::Expected<StringRef> name = symbol.getName();
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!name || !flags)
      return llvm::joinErrors(name.takeError(), flags.takeError());
    bool isData = symbol.getELFType() == llvm::ELF::STT_OBJECT && !(*flags & llvm::object::SymbolRef::SF_Undefined);
    if (isData && name->ends_with(descriptionSuffix))
      names.push_back(name->str());
  }
  return names;
}

llvm::Expected<std::unique_ptr<ModelLibrary>> ModelLibrary::open(StringRef path) {
  auto fail = [&](const llvm::Twine &what) { return llvm::createStringError(path + ": " + what); };
  llvm::Expected<std::vector<std::string>> names = findDescriptions(path);
  if (!names)
    return fail(llvm::toString(names.takeError()));
  if (names->size() != 1)
    return fail("expected a shared library with one compiled model, found " + llvm::Twine(names->size()));

  // dlopen searches a name without a folder in the folders of the system.
  llvm::SmallString<256> absolute(path);
  if (std::error_code error = llvm::sys::fs::make_absolute(absolute))
    return fail(error.message());
  std::unique_ptr<ModelLibrary> library(new ModelLibrary);
  library->handle = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library->handle)
    return llvm::createStringError(dlerror());
  library->model = static_cast<const cameo_model_description *>(dlsym(library->handle, names->front().c_str()));
  if (!library->model)
    return llvm::createStringError(dlerror());
  library->prefix = StringRef(names->front()).drop_back(descriptionSuffix.size()).str();
  library->gpuModel = static_cast<const cameo_gpu_model *>(dlsym(library->handle, (library->prefix + "_gpu").c_str()));
  if (cameo_status status = cameo_model_check(library->model))
    return fail(cameo_status_message(status));
  return library;
}

ModelLibrary::~ModelLibrary() {
  if (handle)
    dlclose(handle);
}

const char *ModelLibrary::chosenCpu() const {
  auto choose = reinterpret_cast<const char *(*)()>(dlsym(handle, (prefix + "_cpu").c_str()));
  return StringRef(model->target).contains(',') && choose ? choose() : nullptr;
}

/// Returns a size, the name of a symbol, or the expression of a derived size; "?" for a size that depends on data.
static std::string sizeText(const cameo_model_description &model, int64_t size) {
  if (size >= 0)
    return std::to_string(size);
  auto number = static_cast<uint64_t>(-1 - size);
  if (number >= uint64_t(model.symbol_count) + model.derived_count)
    return "?";
  return number < model.symbol_count ? model.symbols[number]
                                     : "(" + std::string(model.derived[number - model.symbol_count]) + ")";
}

std::string cameo::shapeText(const cameo_model_description &model, const cameo_tensor_description &tensor) {
  if (tensor.rank == 0)
    return "scalar";
  std::string text;
  for (int64_t size : llvm::ArrayRef(tensor.shape, tensor.rank))
    text += (text.empty() ? "" : "x") + sizeText(model, size);
  return text;
}

/// Takes the values of symbols that have none yet from the shape of an input.
static void takeSymbols(const cameo_model_description &model, const cameo_tensor_description &input,
                        const Tensor &given, std::vector<int64_t> &symbols) {
  if (input.rank != static_cast<int32_t>(given.shape.size()))
    return;
  for (auto [stated, size] : llvm::zip_equal(llvm::ArrayRef(input.shape, input.rank), given.shape))
    if (stated < 0 && -1 - stated < static_cast<int64_t>(model.symbol_count) && symbols[-1 - stated] < 0)
      symbols[-1 - stated] = size;
}

/// Fails if the shape of an input differs from the one that the symbols define. Inputs that share a symbol must agree.
static llvm::Error matchShape(const cameo_model_description &model, const cameo_tensor_description &input,
                              const Tensor &given, llvm::ArrayRef<int64_t> symbols) {
  llvm::SmallVector<int64_t, 4> shape(input.rank);
  if (cameo_tensor_shape(&model, &input, symbols.data(), shape.data()) == CAMEO_OK && shape == given.shape)
    return llvm::Error::success();
  std::string sizes;
  if (llvm::any_of(llvm::ArrayRef(input.shape, input.rank), [](int64_t stated) { return stated < 0; }))
    for (uint32_t i = 0; i < model.symbol_count; ++i)
      sizes += (i ? ", " : ", where ") + std::string(model.symbols[i]) + " is " + std::to_string(symbols[i]);
  return llvm::createStringError("input '" + llvm::Twine(input.name) + "': expected shape " + shapeText(model, input) +
                                 sizes + ", got " + shapeText(given.shape));
}

llvm::Expected<std::vector<int64_t>> cameo::resolveSymbols(const cameo_model_description &model,
                                                           const DimensionSizes &sizes, llvm::ArrayRef<Tensor> inputs) {
  std::vector<int64_t> symbols(model.symbol_count, -1);
  for (uint32_t i = 0; i < model.symbol_count; ++i)
    if (auto given = sizes.find(model.symbols[i]); given != sizes.end())
      symbols[i] = given->second;
  auto forEachInput = [&](auto visit) {
    for (const cameo_tensor_description &input : llvm::ArrayRef(model.inputs, model.input_count))
      for (const Tensor &tensor : inputs)
        if (tensor.name == input.name)
          visit(input, tensor);
  };
  forEachInput([&](auto &input, auto &tensor) { takeSymbols(model, input, tensor, symbols); });
  for (uint32_t i = 0; i < model.symbol_count; ++i)
    if (symbols[i] < 0)
      return llvm::createStringError("dimension '" + llvm::Twine(model.symbols[i]) +
                                     "' has no size: give one with --dim " + model.symbols[i] + "=SIZE");
  llvm::Error error = llvm::Error::success();
  forEachInput([&](auto &input, auto &tensor) {
    if (!error)
      error = matchShape(model, input, tensor, symbols);
  });
  if (error)
    return error;
  return symbols;
}

llvm::Expected<llvm::SmallVector<int64_t, 4>> cameo::resolveShape(const cameo_model_description &model,
                                                                  const cameo_tensor_description &tensor,
                                                                  llvm::ArrayRef<int64_t> symbols) {
  llvm::SmallVector<int64_t, 4> shape(tensor.rank);
  if (cameo_tensor_shape(&model, &tensor, symbols.data(), shape.data()) != CAMEO_OK)
    return llvm::createStringError("'" + llvm::Twine(tensor.name) + "': shape " + shapeText(model, tensor) +
                                   " is not a shape for the given sizes");
  return shape;
}
