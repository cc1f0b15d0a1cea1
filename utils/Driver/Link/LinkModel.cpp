#include "utils/Driver/Link/LinkModel.h"

#include "utils/Driver/Link/EmbeddedFiles.h"
#include "utils/Driver/Link/LibraryImage.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

LLD_HAS_DRIVER(elf)

using namespace cameo;
using llvm::ArrayRef;
using llvm::StringRef;

/// Returns the path of the shared library that defines `symbol`; empty if there is none.
static std::string libraryOf(const void *symbol) {
  Dl_info info;
  return dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : "";
}

static llvm::Error lastError(StringRef what) {
  std::error_code error(errno, std::generic_category());
  return llvm::createStringError(error, what + ": " + error.message());
}

/// Returns the linker's messages as an error. If functions of the user are undefined, the error only lists their names.
static llvm::Error linkError(const llvm::Twine &what, StringRef messages) {
  llvm::SetVector<StringRef> names;
  for (StringRef line : llvm::split(messages, '\n'))
    for (StringRef marker : {"undefined symbol: ", "undefined reference to `", "undefined reference to '"})
      if (size_t at = line.find(marker); at != StringRef::npos)
        names.insert(line.drop_front(at + marker.size()).take_while([](char c) {
          return llvm::isAlnum(c) || c == '_' || c == '.';
        }));
  if (names.empty())
    return llvm::createStringError(what + ": " + llvm::join(llvm::split(messages.trim(), '\n'), "; "));
  return llvm::createStringError(what + ": expected files of --extern-lib that have " + llvm::join(names, ", "));
}

namespace {

/// A pipe whose data a thread copies into a stream until finish().
class PipeToStream {
public:
  explicit PipeToStream(llvm::raw_ostream &os) : os(os) {
    if (pipe2(ends, O_CLOEXEC) == 0)
      reader = std::thread([this] { readAll(); });
  }
  ~PipeToStream() { finish(); }
  bool isOpen() const { return ends[1] >= 0; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(ends[1]); }
  void finish() {
    if (!reader.joinable())
      return;
    close(ends[1]);
    reader.join();
    close(ends[0]);
  }

private:
  void readAll() {
    std::vector<char> part(1 << 16);
    for (ssize_t bytes; (bytes = read(ends[0], part.data(), part.size())) > 0 || (bytes < 0 && errno == EINTR);)
      os.write(part.data(), bytes > 0 ? bytes : 0);
  }

  llvm::raw_ostream &os;
  int ends[2] = {-1, -1};
  std::thread reader;
};

} // namespace

/// Links with a pipe as the output. With a file, the linker would create another file beside it, under a wrong name if
/// the folder's name contains '%', and a full disk would raise a signal in its mapping instead of an error of the
/// stream.
static llvm::Error runLinker(StringRef object, llvm::raw_ostream &os, ArrayRef<std::string> more) {
  PipeToStream pipe(os);
  if (!pipe.isOpen())
    return lastError("cannot make a pipe");
  std::vector<std::string> arguments = {"ld.lld",    "-shared",     "--hash-style=gnu", "--build-id=none",
                                        "-z",        "noexecstack", "--threads=1",      "-o",
                                        pipe.path(), object.str()};
  llvm::append_range(arguments, more);
  auto pointers = llvm::map_to_vector(arguments, [](const std::string &each) { return each.c_str(); });
  std::string messages;
  llvm::raw_string_ostream log(messages);
  // The linker keeps its state in globals.
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  lld::Result result = lld::lldMain(pointers, log, log, {{lld::Gnu, &lld::elf::link}});
  pipe.finish();
  if (result.retCode == 0)
    return llvm::Error::success();
  return linkError("linking failed", messages);
}

/// Returns the linker arguments for files with functions of the user. A shared library is searched for in its current
/// folder at run time.
static std::vector<std::string> externArguments(ArrayRef<std::string> files, StringRef toLinker) {
  std::vector<std::string> arguments;
  for (const std::string &file : files) {
    llvm::SmallString<256> path(file);
    llvm::sys::fs::make_absolute(path);
    arguments.push_back(std::string(path));
    llvm::file_magic magic;
    if (!llvm::identify_magic(path, magic) && magic == llvm::file_magic::elf_shared_object)
      for (StringRef argument : {StringRef("-rpath"), llvm::sys::path::parent_path(path)})
        llvm::append_range(arguments, toLinker.empty() ? std::vector{argument.str()}
                                                       : std::vector{toLinker.str(), argument.str()});
  }
  return arguments;
}

llvm::Error cameo::linkSharedLibrary(const LibraryParts &parts, llvm::raw_ostream &os) {
  if (parts.late.bytes > 0) {
    LibraryImage image;
    if (llvm::Error error = linkSharedLibrary({parts.object, parts.externs, parts.forHost, {}}, image))
      return error;
    return image.fill(parts.late.symbol, parts.late.bytes, parts.late.write, os);
  }
  std::vector<std::string> externs = externArguments(parts.externs, "");
  if (!parts.forHost)
    return runLinker(parts.object, os, externs);
  llvm::Expected<UnnamedFile> archive = UnnamedFile::hold(embedded::runtimeArchive());
  if (!archive)
    return archive.takeError();
  // The library for this host needs the C library of this process. It is linked by its path, because the linker scripts
  // of the C library may not be installed.
  std::vector<std::string> libraries = externs;
  // Report an undefined function now, not when the library is opened.
  if (!externs.empty())
    libraries.insert(libraries.end(), {"-z", "defs"});
  libraries.insert(libraries.end(), {"-u", "cameo_library", archive->path(), "--as-needed"});
  // These must be functions of the C library; std::exp may be defined in this program.
  for (const void *symbol : {reinterpret_cast<const void *>(::expf), reinterpret_cast<const void *>(::memcpy)})
    if (std::string library = libraryOf(symbol); StringRef(library).contains(".so"))
      libraries.push_back(library);
  return runLinker(parts.object, os, libraries);
}

llvm::Expected<std::vector<char>> cameo::linkCandidate(StringRef object) {
  llvm::Expected<UnnamedFile> file = UnnamedFile::hold(object);
  if (!file)
    return file.takeError();
  llvm::SmallVector<char, 0> library;
  llvm::raw_svector_ostream os(library);
  if (llvm::Error error = runLinker(file->path(), os, {}))
    return std::move(error);
  return std::vector<char>(library.begin(), library.end());
}

// ---- programs ----

/// Returns the generic main and the headers that it includes as one source, so that they need no named files.
static std::string programSource() {
  std::string source;
  for (StringRef part :
       {embedded::abiHeader(), embedded::runtimeHeader(), embedded::gpuHeader(), embedded::modelProgram()})
    for (StringRef line : llvm::split(part, '\n'))
      if (!line.starts_with("#include \"cameo/") && line != "#include \"abi.h\"")
        source += (line + "\n").str();
  return source;
}

llvm::Error cameo::linkProgram(const ProgramParts &parts, StringRef output) {
  llvm::ErrorOr<std::string> compiler = llvm::sys::findProgramByName(parts.compiler);
  if (!compiler)
    return llvm::createStringError("--emit=exe needs a C compiler: '" + parts.compiler + "' was not found (set CC)");
  llvm::Expected<UnnamedFile> archive = UnnamedFile::hold(embedded::runtimeArchive());
  if (!archive)
    return archive.takeError();
  llvm::Expected<UnnamedFile> source = UnnamedFile::hold(programSource());
  if (!source)
    return source.takeError();
  llvm::Expected<UnnamedFile> log = UnnamedFile::hold("");
  if (!log)
    return log.takeError();

  std::string define = ("-DMODEL_DESCRIPTION=" + parts.prefix + "_description").str();
  std::string objectPath = parts.object.pathForOthers(), archivePath = archive->pathForOthers();
  std::string sourcePath = source->pathForOthers(), logPath = log->pathForOthers();
  std::vector<std::string> externs = externArguments(parts.externs, "-Xlinker");
  std::vector<StringRef> arguments = {*compiler, "-O2", "-std=gnu11", define};
  std::string defineGpu = ("-DMODEL_GPU=" + parts.prefix + "_gpu").str();
  if (parts.isForGpu)
    arguments.push_back(defineGpu);
  llvm::append_range(arguments, std::initializer_list<StringRef>{"-x", "c", "-", "-x", "none", objectPath});
  llvm::append_range(arguments, externs);
  arguments.insert(arguments.end(), {archivePath, "-o", output, "-lm", "-lpthread"});
  std::optional<StringRef> redirects[] = {StringRef(sourcePath), StringRef(logPath), StringRef(logPath)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(*compiler, arguments, std::nullopt, redirects, 0, 0, &message);
  if (status == 0)
    return llvm::Error::success();
  auto text = llvm::MemoryBuffer::getFile(log->path());
  return linkError(parts.name + ": linking with '" + *compiler + "' failed",
                   text ? (*text)->getBuffer() : StringRef(message));
}
