#include "utils/Driver/ModelLibrary.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

using namespace cameo;
using llvm::StringRef;

bool cameo::isElfFile(StringRef path) {
  llvm::file_magic magic;
  return !llvm::identify_magic(path, magic) && magic >= llvm::file_magic::elf &&
         magic <= llvm::file_magic::elf_core;
}

/// The names of the library's descriptions: dynamic symbols that end in _description. The prefix is the compiler's choice,
/// so the symbol table is the only place to learn it.
static llvm::Expected<std::vector<std::string>> findDescriptions(StringRef path) {
  auto binary = llvm::object::ObjectFile::createObjectFile(path);
  if (!binary)
    return binary.takeError();
  std::vector<std::string> names;
  auto *elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(binary->getBinary());
  if (!elf)
    return llvm::createStringError("expected an ELF shared library");
  for (llvm::object::ELFSymbolRef symbol : elf->getDynamicSymbolIterators()) {
    llvm::Expected<StringRef> name = symbol.getName();
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!name || !flags)
      return llvm::joinErrors(name.takeError(), flags.takeError());
    if (name->ends_with("_description") && !(*flags & llvm::object::SymbolRef::SF_Undefined))
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

  // dlopen looks a bare file name up in the system's folders.
  llvm::SmallString<256> absolute(path);
  if (std::error_code error = llvm::sys::fs::make_absolute(absolute))
    return fail(error.message());
  std::unique_ptr<ModelLibrary> library(new ModelLibrary);
  library->handle = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library->handle)
    return llvm::createStringError(dlerror());
  library->model =
      static_cast<const cameo_model_description *>(dlsym(library->handle, names->front().c_str()));
  if (!library->model)
    return llvm::createStringError(dlerror());
  if (cameo_status status = cameo_model_check(library->model))
    return fail(cameo_status_message(status));
  return library;
}

ModelLibrary::~ModelLibrary() {
  if (handle)
    dlclose(handle);
}

std::string cameo::shapeText(const cameo_model_description &model, const cameo_tensor_description &tensor) {
  if (tensor.rank == 0)
    return "scalar";
  std::string text;
  for (int64_t size : llvm::ArrayRef(tensor.shape, tensor.rank))
    text += (text.empty() ? "" : "x") + (size >= 0 ? std::to_string(size) : std::string(model.symbols[-1 - size]));
  return text;
}

/// Takes symbol values from the shape of one given input; an error when ranks, sizes or values do not agree.
static llvm::Error matchShape(const cameo_model_description &model, const cameo_tensor_description &expected,
                              const Tensor &actual, std::vector<int64_t> &symbols) {
  bool matches = expected.rank == static_cast<int32_t>(actual.shape.size());
  for (int32_t axis = 0; matches && axis < expected.rank; ++axis) {
    int64_t size = expected.shape[axis];
    if (size < 0) {
      int64_t &symbol = symbols[-1 - size];
      if (symbol < 0)
        symbol = actual.shape[axis];
      size = symbol;
    }
    matches = size == actual.shape[axis];
  }
  if (matches)
    return llvm::Error::success();
  return llvm::createStringError("input '" + llvm::Twine(expected.name) + "': expected shape " +
                                 shapeText(model, expected) + ", got " + shapeText(actual.shape));
}

llvm::Expected<std::vector<int64_t>> cameo::resolveSymbols(const cameo_model_description &model,
                                                           const DimensionSizes &sizes,
                                                           llvm::ArrayRef<Tensor> inputs) {
  std::vector<int64_t> symbols(model.symbol_count, -1);
  for (uint32_t i = 0; i < model.symbol_count; ++i)
    if (auto given = sizes.find(model.symbols[i]); given != sizes.end())
      symbols[i] = given->second;
  for (const cameo_tensor_description &expected : llvm::ArrayRef(model.inputs, model.input_count))
    for (const Tensor &tensor : inputs)
      if (tensor.name == expected.name)
        if (llvm::Error error = matchShape(model, expected, tensor, symbols))
          return error;
  for (uint32_t i = 0; i < model.symbol_count; ++i)
    if (symbols[i] < 0)
      return llvm::createStringError("dimension '" + llvm::Twine(model.symbols[i]) +
                                     "' has no size: give one with --dim " + model.symbols[i] + "=SIZE");
  return symbols;
}

llvm::SmallVector<int64_t, 4> cameo::resolveShape(const cameo_tensor_description &tensor,
                                                  llvm::ArrayRef<int64_t> symbols) {
  llvm::SmallVector<int64_t, 4> shape;
  for (int64_t size : llvm::ArrayRef(tensor.shape, tensor.rank))
    shape.push_back(size >= 0 ? size : symbols[-1 - size]);
  return shape;
}
