#include "utils/Driver/Tune/PackSession.h"

#include "dialects/Files/PrintableText.h"
#include "passes/Target/TargetInfo.h"
#include "utils/Driver/CompileModel.h"
#include "utils/Driver/FindMachine.h"
#include "utils/Driver/PhaseRunner.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <link.h>

using namespace cameo;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Whether a library is part of the C library, which belongs to the system as its kernel does.
static bool isOfSystem(StringRef library) {
  StringRef name = library.take_front(library.find(".so"));
  return llvm::is_contained({"libc", "libm", "libpthread", "libdl", "librt", "libresolv", "libutil", "ld-linux-x86-64",
                             "ld-linux-aarch64", "linux-vdso"},
                            name);
}

/// Returns the paths of the shared libraries that this process has loaded.
static std::vector<std::string> findLibraries() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *found) {
        // The program itself has an empty name.
        if (StringRef path(info->dlpi_name); path.starts_with("/") && !isOfSystem(llvm::sys::path::filename(path)))
          static_cast<std::vector<std::string> *>(found)->push_back(path.str());
        return 0;
      },
      &paths);
  return paths;
}

static llvm::Error failOf(const llvm::Twine &path, const llvm::Twine &what) {
  return llvm::createStringError(path + ": " + what);
}

namespace {

class SessionFolder {
public:
  explicit SessionFolder(StringRef folder) : folder(folder) {}
  /// Removes a folder that was not finished.
  ~SessionFolder() {
    if (!aside.empty())
      fs::remove_directories(aside, /*IgnoreErrors=*/true);
  }

  llvm::Error begin();
  llvm::Error copy(StringRef from, const llvm::Twine &to, bool isProgram = false);
  llvm::LogicalResult writeTasks(const CompileOptions &compile);
  llvm::Error writeScript(StringRef model, llvm::ArrayRef<std::string> words);
  llvm::Error commit();

private:
  std::string pathOf(const llvm::Twine &name) const { return (aside + "/" + name).str(); }

  std::string folder, aside;
};

} // namespace

llvm::Error SessionFolder::begin() {
  if (fs::exists(folder))
    return failOf(folder, "already exists: expected the name of a new folder");
  // LLVM's functions for unique names would also replace each '%' in the name of the folder.
  std::string unique = llvm::formatv("{0}.{1:x-8}", folder, llvm::sys::Process::GetRandomNumber()).str();
  for (StringRef part : {"", "/bin", "/lib", "/files"})
    if (std::error_code error = fs::create_directory(unique + part, /*IgnoreExisting=*/false))
      return failOf(folder, error.message());
    else
      aside = unique;
  return llvm::Error::success();
}

llvm::Error SessionFolder::copy(StringRef from, const llvm::Twine &to, bool isProgram) {
  std::string path = pathOf(to);
  if (std::error_code error = fs::copy_file(from, path))
    return failOf(fs::access(from, fs::AccessMode::Exist) ? from : StringRef(path), error.message());
  auto permissions =
      isProgram ? fs::perms(fs::all_read | fs::all_exe | fs::owner_write) : fs::perms(fs::all_read | fs::owner_write);
  std::error_code error = fs::setPermissions(path, permissions);
  return error ? failOf(path, error.message()) : llvm::Error::success();
}

llvm::LogicalResult SessionFolder::writeTasks(const CompileOptions &compile) {
  CompileOptions options = compile;
  options.emit = EmitKind::Linalg;
  options.output = pathOf("tasks.mlir");
  return compileModel(options);
}

/// Quotes a word for a shell.
static std::string quoted(StringRef word) {
  std::string text = "'";
  for (char each : word)
    text += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return text + "'";
}

llvm::Error SessionFolder::writeScript(StringRef model, llvm::ArrayRef<std::string> words) {
  std::string path = pathOf("tune");
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  os << "#!/bin/sh\n# Goes on tuning the tasks of " << printable(model)
     << " on this machine; written by 'cameo tune --pack'. Takes more options of 'cameo tune'.\n"
     << "here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd) || exit 1\n"
     << "LD_LIBRARY_PATH=\"$here/lib\"\nCAMEO_WORKER=\"$here/bin/cameo-worker\"\nexport LD_LIBRARY_PATH CAMEO_WORKER\n"
     << "exec \"$here/bin/cameo\" tune \"$here/tasks.mlir\" --records \"$here/records.jsonl\" --resume";
  for (const std::string &word : words)
    os << ' ' << word;
  os << " \"$@\"\n";
  os.close();
  error = error ? error : os.error();
  os.clear_error();
  if (!error)
    error = fs::setPermissions(path, fs::all_read | fs::all_exe | fs::owner_write);
  return error ? failOf(path, error.message()) : llvm::Error::success();
}

llvm::Error SessionFolder::commit() {
  if (std::error_code error = fs::rename(aside, folder))
    return failOf(folder, error.message());
  aside.clear();
  return llvm::Error::success();
}

/// Fills the folder with everything except the tasks.
static llvm::Error fill(SessionFolder &folder, const TuneOptions &options, llvm::ArrayRef<PackedOption> given) {
  if (llvm::Error error = folder.copy(fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&packSession)),
                                      "bin/cameo", /*isProgram=*/true))
    return error;
  if (llvm::Error error = folder.copy(findWorker(), "bin/cameo-worker", /*isProgram=*/true))
    return error;
  for (const std::string &library : findLibraries())
    if (llvm::Error error = folder.copy(library, "lib/" + llvm::sys::path::filename(library)))
      return error;
  if (fs::exists(options.records))
    if (llvm::Error error = folder.copy(options.records, "records.jsonl"))
      return error;
  std::vector<std::string> words;
  for (auto [number, option] : llvm::enumerate(given)) {
    words.push_back(option.name);
    if (option.isFile) {
      std::string name = "files/" + std::to_string(number);
      if (llvm::Error error = folder.copy(option.value, name))
        return error;
      words.back() += "=\"$here/" + name + "\"";
    } else if (!option.value.empty()) {
      words.back() += "=" + quoted(option.value);
    }
  }
  if (llvm::Error error = folder.writeScript(llvm::sys::path::filename(options.compile.model), words))
    return error;
  return folder.commit();
}

llvm::LogicalResult cameo::packSession(StringRef path, const TuneOptions &options, llvm::ArrayRef<PackedOption> given) {
  llvm::Expected<TargetInfo> target = resolveTarget(options.compile.target, options.compile.cpu);
  if (!target)
    return reportFailure(target.takeError());
  if (llvm::Triple(target->triple).getArch() != llvm::Triple(llvm::sys::getProcessTriple()).getArch())
    return reportFailure(
        "--pack: expected a target with the architecture of this compiler, which is copied into the folder, got " +
        target->triple + "; --measure=bundle:DIR is for others");
  SessionFolder folder(path);
  if (llvm::Error error = folder.begin())
    return reportFailure(std::move(error));
  if (llvm::failed(folder.writeTasks(options.compile)))
    return llvm::failure();
  llvm::Error error = fill(folder, options, given);
  return error ? reportFailure(std::move(error)) : llvm::success();
}
