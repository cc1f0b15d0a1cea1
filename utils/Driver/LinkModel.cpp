#include "utils/Driver/LinkModel.h"

#include "utils/Driver/EmbeddedFiles.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <string>
#include <vector>

LLD_HAS_DRIVER(elf)

using namespace cameo;
using llvm::ArrayRef;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// A folder that goes away with its files.
class ScratchFolder {
public:
  ScratchFolder() { error = fs::createUniqueDirectory("cameo", folder); }
  ~ScratchFolder() {
    if (!error)
      fs::remove_directories(folder);
  }
  std::string file(StringRef name) const {
    llvm::SmallString<256> result(folder);
    path::append(result, name);
    return std::string(result);
  }
  llvm::Error write(StringRef name, StringRef bytes) const {
    std::string target = file(name);
    if (std::error_code parent = fs::create_directories(path::parent_path(target)))
      return llvm::createStringError(parent, target + ": " + parent.message());
    std::error_code failure;
    llvm::raw_fd_ostream os(target, failure);
    if (!failure) {
      os << bytes;
      os.close();
      failure = os.error();
      os.clear_error();
    }
    return failure ? llvm::createStringError(failure, target + ": " + failure.message()) : llvm::Error::success();
  }
  std::error_code error;

private:
  llvm::SmallString<256> folder;
};

} // namespace

/// The file of the shared library that `symbol` came from, or an empty string.
static std::string libraryOf(const void *symbol) {
  Dl_info info;
  return dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : "";
}

/// The linker writes through a mapping, where a full disk is a signal and no error.
static llvm::Error expectSpace(StringRef object, StringRef output) {
  StringRef folder = path::parent_path(output);
  llvm::ErrorOr<fs::space_info> space = fs::disk_space(folder.empty() ? "." : folder);
  uint64_t bytes = 0;
  if (!space || fs::file_size(object, bytes) || bytes + embedded::runtimeArchive().size() <= space->available)
    return llvm::Error::success();
  std::error_code full = std::make_error_code(std::errc::no_space_on_device);
  return llvm::createStringError(full, "linking failed: " + full.message());
}

static llvm::Error runLinker(StringRef object, StringRef output, ArrayRef<std::string> more) {
  if (llvm::Error error = expectSpace(object, output))
    return error;
  std::vector<std::string> arguments = {"ld.lld", "-shared", "--hash-style=gnu", "--build-id=none", "-z", "noexecstack",
                                        "--threads=1", "-o", output.str(), object.str()};
  llvm::append_range(arguments, more);
  auto pointers = llvm::map_to_vector(arguments, [](const std::string &each) { return each.c_str(); });
  std::string messages;
  llvm::raw_string_ostream os(messages);
  // The linker keeps its state in globals.
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  lld::Result result = lld::lldMain(pointers, os, os, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode == 0)
    return llvm::Error::success();
  return llvm::createStringError("linking failed: " + StringRef(messages).trim());
}

llvm::Error cameo::linkSharedLibrary(StringRef object, StringRef output, bool forHost) {
  if (!forHost)
    return runLinker(object, output, {});
  ScratchFolder scratch;
  if (scratch.error)
    return llvm::createStringError(scratch.error, "cannot make a temporary folder: " + scratch.error.message());
  if (llvm::Error error = scratch.write("libcameo_rt.a", embedded::runtimeArchive()))
    return error;
  // The C library that this process uses is what a host library may need; its linker scripts need not be installed.
  std::vector<std::string> libraries = {"-u", "cameo_library", scratch.file("libcameo_rt.a"), "--as-needed"};
  for (const void *symbol : {reinterpret_cast<const void *>(static_cast<float (*)(float)>(std::exp)),
                             reinterpret_cast<const void *>(std::memcpy)})
    if (std::string library = libraryOf(symbol); StringRef(library).contains(".so"))
      libraries.push_back(library);
  return runLinker(object, output, libraries);
}

llvm::Error cameo::linkCandidate(StringRef object, StringRef output) {
  // A file that is mapped is one that LLVM wants to remove on a signal, and its list of these grows with every link.
  return runLinker(object, output, {"--no-mmap-output-file"});
}

llvm::Error cameo::linkProgram(const ProgramParts &parts, StringRef output) {
  ScratchFolder scratch;
  if (scratch.error)
    return llvm::createStringError(scratch.error, "cannot make a temporary folder: " + scratch.error.message());
  const std::pair<const char *, StringRef> files[] = {{"libcameo_rt.a", embedded::runtimeArchive()},
                                                      {"cameo/abi.h", embedded::abiHeader()},
                                                      {"cameo/runtime.h", embedded::runtimeHeader()},
                                                      {"main.c", embedded::modelProgram()}};
  for (auto [name, bytes] : files)
    if (llvm::Error error = scratch.write(name, bytes))
      return error;
  llvm::ErrorOr<std::string> compiler = llvm::sys::findProgramByName(parts.compiler);
  if (!compiler)
    return llvm::createStringError("--emit=exe needs a C compiler: '" + parts.compiler + "' was not found (set CC)");

  std::string define = ("-DMODEL_DESCRIPTION=" + parts.prefix + "_description").str();
  std::string include = "-I" + scratch.file("");
  std::string mainFile = scratch.file("main.c"), archive = scratch.file("libcameo_rt.a"), log = scratch.file("log");
  std::vector<StringRef> arguments = {*compiler, "-O2",        "-std=gnu11", define, include, mainFile, parts.object,
                                      archive,   "-o", output, "-lm",        "-lpthread"};
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log), StringRef(log)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(*compiler, arguments, std::nullopt, redirects, 0, 0, &message);
  if (status == 0)
    return llvm::Error::success();
  auto text = llvm::MemoryBuffer::getFile(log);
  return llvm::createStringError("linking with '" + *compiler + "' failed: " +
                                 (text ? (*text)->getBuffer().trim() : StringRef(message)));
}
