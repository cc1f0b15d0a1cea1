#include "utils/Driver/CheckNoLibc.h"

#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/PhaseRunner.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace cameo;
using llvm::StringRef;
using llvm::object::ELFObjectFileBase;
using llvm::object::ELFSymbolRef;
using llvm::object::SectionRef;

namespace {

struct Call {
  std::string callee, caller; ///< `caller` is empty if data, such as the model's description, contains the address
};

} // namespace

static bool isAllowed(StringRef function) {
  // The last two are runtime functions that need no C library themselves.
  return llvm::is_contained({"memcpy", "memmove", "memset", "memcmp", "cameo_choose_cpu"}, function) ||
         function.starts_with("cameo_abi_");
}

/// Returns the name of the function that contains the byte at `offset` of a section; empty if there is none.
static llvm::Expected<std::string> functionAt(const ELFObjectFileBase &object, SectionRef section, uint64_t offset) {
  for (ELFSymbolRef symbol : object.symbols()) {
    if (symbol.getELFType() != llvm::ELF::STT_FUNC)
      continue;
    llvm::Expected<llvm::object::section_iterator> own = symbol.getSection();
    llvm::Expected<uint64_t> value = symbol.getValue();
    llvm::Expected<StringRef> name = symbol.getName();
    if (!own || !value || !name)
      return llvm::joinErrors(llvm::joinErrors(own.takeError(), value.takeError()), name.takeError());
    if (*own != object.section_end() && **own == section && offset >= *value && offset - *value < symbol.getSize())
      return name->str();
  }
  return std::string();
}

/// Returns the first reference to a function that is not allowed, in the order of the object. `externs` are functions
/// of the program, which may use the C library.
static llvm::Expected<std::optional<Call>> findCall(const ELFObjectFileBase &object, const llvm::StringSet<> &externs) {
  for (SectionRef relocations : object.sections()) {
    llvm::Expected<llvm::object::section_iterator> section = relocations.getRelocatedSection();
    if (!section)
      return section.takeError();
    for (llvm::object::RelocationRef relocation : relocations.relocations()) {
      llvm::object::symbol_iterator symbol = relocation.getSymbol();
      if (symbol == object.symbol_end())
        continue;
      llvm::Expected<uint32_t> flags = symbol->getFlags();
      llvm::Expected<StringRef> name = symbol->getName();
      if (!flags || !name)
        return llvm::joinErrors(flags.takeError(), name.takeError());
      if (!(*flags & llvm::object::SymbolRef::SF_Undefined) || name->empty() || isAllowed(*name) ||
          externs.contains(*name))
        continue;
      llvm::Expected<std::string> caller = functionAt(object, **section, relocation.getOffset());
      if (!caller)
        return caller.takeError();
      return Call{name->str(), *caller};
    }
  }
  return std::nullopt;
}

/// Returns the names of the model's nodes that the task of a kernel was made from, joined by '+'. Returns an empty
/// string if `function` is no kernel.
static StringRef nodesOf(llvm::ArrayRef<ModelPlan> variants, StringRef function) {
  for (const ModelPlan &plan : variants)
    for (const PlannedStep &step : plan.steps) {
      // A kernel's name may be followed by ".parallel", and by the CPU if there are several.
      StringRef rest = function;
      if (step.task && rest.consume_front(step.kernel) && (rest.empty() || rest.front() == '.'))
        return plan.tasks[*step.task].name;
    }
  return {};
}

llvm::LogicalResult cameo::checkNoLibc(GeneratedCode &code, StringRef model) {
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(code.getCode(), "object"));
  if (!file)
    return reportFailure(file.takeError());
  llvm::Expected<std::optional<Call>> call = findCall(llvm::cast<ELFObjectFileBase>(**file), code.getExternNames());
  if (!call)
    return reportFailure(call.takeError());
  if (!*call)
    return llvm::success();
  StringRef nodes = nodesOf(code.getVariants(), (*call)->caller);
  std::string place = (model + (nodes.empty() ? "" : ": node " + nodes)).str();
  diagnosticSink().report(
      Severity::Error, place,
      "--no-libc: expected code that needs nothing but memcpy, memmove, memset and memcmp, got a call of '" +
          (*call)->callee + "'");
  return llvm::failure();
}
