#include "MachineFacts.h"

#include "autotune/Measure/PackageFormat.h"

#include <cstring>
#include <elf.h>

namespace cameo::farm {

std::string fieldOf(std::string_view line, const std::string &name) {
  size_t at = line.find("\"" + name + "\":");
  if (at == std::string_view::npos)
    return "";
  line.remove_prefix(at + name.size() + 3);
  while (!line.empty() && line.front() == ' ')
    line.remove_prefix(1);
  bool isString = !line.empty() && line.front() == '"';
  if (isString)
    line.remove_prefix(1);
  return std::string(line.substr(0, line.find_first_of(isString ? "\"" : ",}]\n ")));
}

std::string emptyPackage(uint32_t machine) {
  cameo_package header = {};
  header.magic = CAMEO_PACKAGE_MAGIC;
  header.version = CAMEO_PACKAGE_VERSION;
  header.bytes = sizeof(header);
  header.target.machine = machine;
  std::string bytes(reinterpret_cast<const char *>(&header), sizeof(header));
  header.digest =
      cameo_package_digest(bytes.data() + CAMEO_PACKAGE_DIGESTED_FROM, bytes.size() - CAMEO_PACKAGE_DIGESTED_FROM);
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

Failure MachineFacts::ask(WorkerProcess &worker, MachineFacts &result) {
  constexpr double seconds = 60;
  Failure failure;
  std::string lines;
  for (uint32_t machine : {EM_X86_64, EM_AARCH64, EM_ARM, EM_RISCV}) {
    failure = worker.measure(emptyPackage(machine), seconds, [] { return true; }, lines);
    if (!failure.empty())
      return failure;
    if (lines.find("\"refused\":") == std::string::npos)
      break;
  }
  result.cpu = fieldOf(lines, "cpu");
  result.machine = fieldOf(lines, "machine");
  // The first "machine" is the object, the second one its field.
  if (size_t inner = lines.find("\"machine\":", lines.find("\"machine\":") + 1); inner != std::string::npos)
    result.machine = fieldOf(std::string_view(lines).substr(inner), "machine");
  result.identity = fieldOf(lines, "identity");
  result.gpu = fieldOf(lines, "gpu");
  if (result.identity.empty())
    return "expected a cameo-worker of this version, got '" + lines.substr(0, 80) + "'";
  return "";
}

double secondsOf(std::string_view package) {
  // Allowance for starting processes, filling buffers, and other load on the machine.
  double seconds = 120;
  cameo_package header;
  if (package.size() < sizeof(header))
    return seconds;
  std::memcpy(&header, package.data(), sizeof(header));
  uint64_t at = sizeof(header) + header.blob_count * uint64_t(sizeof(cameo_package_blob));
  for (uint32_t i = 0; i < header.item_count && at + sizeof(cameo_package_item) <= package.size();
       ++i, at += sizeof(cameo_package_item)) {
    cameo_package_item item;
    std::memcpy(&item, package.data() + at, sizeof(item));
    seconds += (item.timeout_seconds * 2 + item.cool_down_seconds) * (item.disturbed_retries + 2) +
               item.reference_timeout_seconds;
  }
  return seconds < 86400 ? seconds : 86400;
}

} // namespace cameo::farm
