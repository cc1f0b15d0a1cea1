#include "utils/Driver/Run/ModelLibrary.h"

#include "dialects/Files/RegularFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>
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

static llvm::SmallVector<StringRef> symbolsOf(const cameo_model_description &model) {
  return llvm::SmallVector<StringRef>(llvm::ArrayRef(model.symbols, model.symbol_count));
}

/// Returns the number of the symbol that `name` means: its own name, INPUT:AXIS, or the name in the model, in which
/// the importer replaced what is no letter or digit by underscores, with more of them at the end where that was the
/// name of another dimension.
static std::optional<uint32_t> findSymbol(const cameo_model_description &model, StringRef name) {
  llvm::SmallVector<StringRef> names = symbolsOf(model);
  if (auto *same = llvm::find(names, name); same != names.end())
    return same - names.begin();
  auto [inputName, axisText] = name.rsplit(':');
  int64_t axis = 0;
  for (const cameo_tensor_description &input : llvm::ArrayRef(model.inputs, model.input_count))
    if (inputName == input.name && !axisText.getAsInteger(10, axis) && axis >= 0 && axis < input.rank)
      if (int64_t stated = input.shape[axis]; stated < 0 && -1 - stated < static_cast<int64_t>(names.size()))
        return -1 - stated;
  std::string spelled = name.str();
  std::replace_if(spelled.begin(), spelled.end(), [](char c) { return !llvm::isAlnum(c); }, '_');
  std::optional<uint32_t> found;
  for (auto [number, symbol] : llvm::enumerate(names)) {
    StringRef rest = symbol;
    if (!rest.consume_front(spelled) || rest.find_first_not_of('_') != StringRef::npos)
      continue;
    if (found)
      return std::nullopt;
    found = number;
  }
  return found;
}

/// Returns the sizes that `sizes` gives the symbols, -1 for others. Other names may be those of dimensions that were
/// fixed when the library was compiled.
static llvm::Expected<std::vector<int64_t>> readSizes(const cameo_model_description &model,
                                                      const DimensionSizes &sizes) {
  std::vector<int64_t> symbols(model.symbol_count, -1);
  for (const auto &entry : sizes) {
    std::optional<uint32_t> number = findSymbol(model, entry.first());
    if (!number)
      continue;
    int64_t &size = symbols[*number];
    if (size >= 0 && size != entry.second)
      return llvm::createStringError("expected one size for dimension '" + llvm::Twine(model.symbols[*number]) +
                                     "', got " + llvm::Twine(std::min(size, entry.second)) + " and " +
                                     llvm::Twine(std::max(size, entry.second)));
    size = entry.second;
  }
  return symbols;
}

/// Returns the end of an error about a missing size: which of the given names mean nothing, and the names that do.
static std::string listUnknown(const cameo_model_description &model, const DimensionSizes &sizes) {
  llvm::SmallVector<StringRef> unknown;
  for (StringRef name : sizes.keys())
    if (!findSymbol(model, name))
      unknown.push_back(name);
  if (unknown.empty())
    return "";
  llvm::sort(unknown);
  return "; the library has no dimension '" + llvm::join(unknown, "', '") +
         "', its dimensions are: " + llvm::join(symbolsOf(model), ", ");
}

llvm::Expected<std::vector<int64_t>> cameo::resolveSymbols(const cameo_model_description &model,
                                                           const DimensionSizes &sizes, llvm::ArrayRef<Tensor> inputs) {
  llvm::Expected<std::vector<int64_t>> given = readSizes(model, sizes);
  if (!given)
    return given.takeError();
  std::vector<int64_t> symbols = std::move(*given);
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
                                     "' has no size: give one with --dim " + model.symbols[i] + "=SIZE" +
                                     listUnknown(model, sizes));
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
