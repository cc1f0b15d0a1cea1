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
  std::string callee, caller; ///< no caller: data, such as the description, has the address
};

} // namespace

static bool isAllowed(StringRef function) {
  // The others are those of the runtime which need nothing themselves.
  return llvm::is_contained({"memcpy", "memmove", "memset", "memcmp", "cameo_choose_cpu"}, function) ||
         function.starts_with("cameo_abi_");
}

/// The function that holds the byte of a section.
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

/// The first reference that is not allowed, in the order of the object. What the program brings along is its own
/// affair.
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

/// The nodes of the model that the task of a kernel was made from, joined by '+'.
static StringRef nodesOf(llvm::ArrayRef<ModelPlan> variants, StringRef function) {
  for (const ModelPlan &plan : variants)
    for (const PlannedStep &step : plan.steps) {
      // Behind a kernel's name: ".parallel", and the processor where there are several.
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
