#include "utils/Driver/PhaseTimer.h"

#include "utils/Driver/Diagnostics/DiagnosticSink.h"

#include "llvm/Support/Format.h"

#include <chrono>
#include <sys/resource.h>

using namespace cameo;
using llvm::StringRef;

static double peakMemoryMb() {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

llvm::LogicalResult PhaseTimer::time(StringRef phase, llvm::function_ref<llvm::LogicalResult()> work) {
  diagnosticSink().beginPhase(phase);
  auto begin = std::chrono::steady_clock::now();
  llvm::LogicalResult result = work();
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  entries.push_back({phase.str(), elapsed.count(), peakMemoryMb()});
  diagnosticSink().beginPhase("");
  return result;
}

void PhaseTimer::print(llvm::raw_ostream &os) const {
  double total = 0;
  for (const Entry &entry : entries)
    total += entry.seconds;
  os << "   seconds      %   peak MB  phase\n";
  for (const Entry &entry : entries)
    os << llvm::format("%10.3f  %5.1f  %8.1f  ", entry.seconds, total > 0 ? 100 * entry.seconds / total : 0.0,
                       entry.peakMb)
       << entry.phase << '\n';
  os << llvm::format("%10.3f  %5.1f  %8.1f  total\n", total, 100.0, peakMemoryMb());
}
