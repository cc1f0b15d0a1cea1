#include "passes/Codegen/Gpu/RunPtxas.h"

#include "passes/Codegen/Gpu/UniqueFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace cameo {

Expected<std::optional<std::string>> findPtxas(StringRef stated) {
  if (!stated.empty()) {
    ErrorOr<std::string> program = sys::findProgramByName(stated);
    if (!program || !sys::fs::can_execute(*program))
      return createStringError("--ptxas: expected a program, got '" + stated + "'");
    return std::move(*program);
  }
  SmallVector<std::string> folders;
  if (std::optional<std::string> toolkit = sys::Process::GetEnv("CUDA_PATH"))
    folders.push_back(*toolkit + "/bin");
  folders.push_back("/usr/local/cuda/bin");
  ErrorOr<std::string> program = sys::findProgramByName("ptxas");
  if (!program)
    program = sys::findProgramByName("ptxas", SmallVector<StringRef>(folders.begin(), folders.end()));
  return program ? std::optional(std::move(*program)) : std::nullopt;
}

/// Returns the number before `unit` in `line`.
static unsigned numberBefore(StringRef line, StringRef unit) {
  StringRef before = line.take_front(std::min(line.find(unit), line.size())).rtrim();
  unsigned number = 0;
  return line.contains(unit) && !before.substr(before.find_last_of(" ,:") + 1).getAsInteger(10, number) ? number : 0;
}

void readReport(StringRef report, Assembled &into) {
  for (StringRef line : split(report, '\n')) {
    constexpr StringLiteral begin = "Compiling entry function '";
    if (size_t at = line.find(begin); at != StringRef::npos) {
      into.uses.push_back({line.drop_front(at + begin.size()).take_until([](char c) { return c == '\''; }).str()});
    } else if (line.contains("warning")) {
      into.warnings.push_back(line.trim().str());
    } else if (!into.uses.empty()) {
      KernelUse &use = into.uses.back();
      use.stackBytes += numberBefore(line, " bytes stack frame");
      use.spilledBytes += numberBefore(line, " bytes spill stores");
      use.registers += numberBefore(line, " registers");
      use.sharedBytes += numberBefore(line, " bytes smem");
    }
  }
}

std::string kernelOfError(StringRef error, StringRef ptx) {
  StringRef number = error.split(", line ").second;
  unsigned line = 0;
  if (number.consumeInteger(10, line))
    return "";
  StringRef kernel;
  for (StringRef text : split(ptx, '\n')) {
    if (line-- == 0)
      break;
    if (text.contains(".entry "))
      kernel = text.split(".entry ").second.take_until([](char c) { return c == '('; });
  }
  return kernel.trim().str();
}

Expected<Assembled> runPtxas(StringRef program, StringRef ptx, StringRef architecture) {
  SmallString<128> folder;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
  std::string paths[3];
  SmallVector<FileRemover, 3> removers;
  constexpr StringLiteral ends[] = {".ptx", ".cubin", ".log"};
  for (auto [path, end] : zip_equal(paths, ends)) {
    Expected<UniqueFile> file = createUniqueFile(folder + "/cameo-", end);
    if (!file)
      return createStringError("cannot make a temporary file in " + folder + ": " + toString(file.takeError()));
    (void)sys::Process::SafelyCloseFileDescriptor(file->descriptor);
    path = file->path;
    removers.emplace_back(path);
  }
  auto &[source, binary, log] = paths;
  std::error_code error;
  raw_fd_ostream os(source, error);
  os << ptx;
  os.close();
  error = error ? error : os.error();
  os.clear_error();
  if (error)
    return createStringError(error, source + ": " + error.message());
  std::string arch = ("-arch=" + architecture).str();
  // Kernels do not call each other, so they are compiled in parallel.
  SmallVector<StringRef> arguments = {program, arch, "-v", "--split-compile=0", source, "-o", binary};
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(log), StringRef(log)};
  std::string message;
  int status = sys::ExecuteAndWait(program, arguments, std::nullopt, redirects, 0, 0, &message);
  auto report = MemoryBuffer::getFile(log);
  StringRef text = report ? (*report)->getBuffer() : StringRef(message);
  if (status != 0)
    return createStringError(program + " failed: " + (text.empty() ? StringRef(message) : text.trim()));
  auto bytes = MemoryBuffer::getFile(binary);
  if (!bytes)
    return createStringError(program + " wrote no code");
  Assembled result;
  result.binary.append((*bytes)->getBufferStart(), (*bytes)->getBufferEnd());
  result.report = text.str();
  readReport(text, result);
  return result;
}

} // namespace cameo
