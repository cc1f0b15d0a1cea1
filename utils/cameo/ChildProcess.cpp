#include "utils/cameo/ChildProcess.h"

#include "utils/cameo/CommandLine/Command.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace cameo;
using llvm::StringRef;

namespace {

// The first byte of a child's message, which tells what follows.
constexpr char succeeded = 's', failed = 'f', reportedFailure = 'r';

} // namespace

static std::string encodeOutcome(llvm::Expected<std::string> result) {
  if (result)
    return succeeded + *result;
  if (result.errorIsA<AlreadyReported>()) {
    llvm::consumeError(result.takeError());
    return std::string(1, reportedFailure);
  }
  return failed + llvm::toString(result.takeError());
}

static void writeAll(int descriptor, StringRef text) {
  while (!text.empty()) {
    ssize_t bytes = write(descriptor, text.data(), text.size());
    if (bytes < 0 && errno != EINTR)
      return;
    text = text.drop_front(bytes > 0 ? bytes : 0);
  }
}

static std::string readAll(int descriptor) {
  std::string text;
  char part[4096];
  for (ssize_t bytes; (bytes = read(descriptor, part, sizeof part)) > 0 || (bytes < 0 && errno == EINTR);)
    text.append(part, bytes > 0 ? bytes : 0);
  return text;
}

llvm::Expected<std::string> cameo::runInChild(llvm::function_ref<llvm::Expected<std::string>()> work) {
  int ends[2];
  if (pipe(ends) != 0)
    return llvm::createStringError("cannot make a pipe: " + llvm::Twine(std::strerror(errno)));
  llvm::outs().flush();
  pid_t child = fork();
  if (child < 0)
    return llvm::createStringError("cannot start a process: " + llvm::Twine(std::strerror(errno)));
  if (child == 0) {
    close(ends[0]);
    writeAll(ends[1], encodeOutcome(work()));
    llvm::outs().flush();
    _exit(0);
  }
  close(ends[1]);
  std::string text = readAll(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!text.empty() && text[0] == succeeded)
    return text.substr(1);
  if (!text.empty() && text[0] == reportedFailure)
    return llvm::make_error<AlreadyReported>();
  if (!text.empty())
    return llvm::createStringError(text.substr(1));
  if (WIFSIGNALED(status))
    return llvm::createStringError("a child process was ended by " + llvm::Twine(strsignal(WTERMSIG(status))));
  return llvm::createStringError("a child process ended without a result");
}

/// Returns the value in a line such as "VmHWM:   12345 kB" of this process's status in MB; 0 if there is none.
static double statusMb(StringRef key) {
  auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/status");
  if (!status)
    return 0;
  StringRef value = (*status)->getBuffer().split(("\n" + key + ":").str()).second.ltrim();
  int64_t kilobytes = 0;
  value.consumeInteger(10, kilobytes);
  return static_cast<double>(kilobytes) / 1024;
}

double cameo::residentMb() { return statusMb("VmRSS"); }
double cameo::peakResidentMb() { return statusMb("VmHWM"); }
