// Asks LLVM's target registry and subtarget descriptions.
#include "passes/Target/TargetInfo.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

#include <map>
#include <mutex>
#include <unistd.h>

using namespace llvm;

namespace cameo {
namespace {

void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
  });
}

std::string hostFeatures() {
  SubtargetFeatures features;
  // In the order of their names: a StringMap's order is not that of the next run.
  std::map<std::string, bool> sorted;
  for (const auto &feature : sys::getHostCPUFeatures())
    sorted[feature.first().str()] = feature.second;
  for (const auto &[name, enabled] : sorted)
    features.AddFeature(name, enabled);
  return features.getString();
}

/// Null where LLVM has no such processor, or one for programs of 32 bits only, with which its code generator ends the
/// program.
std::unique_ptr<MCSubtargetInfo> findProcessor(const llvm::Target &backend, const Triple &triple, StringRef cpu,
                                               StringRef features) {
  std::unique_ptr<MCSubtargetInfo> plain(backend.createMCSubtargetInfo(triple, "", ""));
  if (!plain->isCPUStringValid(cpu))
    return nullptr;
  std::unique_ptr<MCSubtargetInfo> info(backend.createMCSubtargetInfo(triple, cpu, features));
  return triple.isX86() && !info->checkFeatures("+64bit") ? nullptr : std::move(info);
}

std::string validCpus(const llvm::Target &backend, const Triple &triple) {
  std::unique_ptr<MCSubtargetInfo> plain(backend.createMCSubtargetInfo(triple, "", ""));
  std::string names;
  for (const SubtargetSubTypeKV &cpu : plain->getAllProcessorDescriptions())
    if (findProcessor(backend, triple, cpu.Key, ""))
      names += (names.empty() ? "" : ", ") + std::string(cpu.Key);
  return names;
}

ByteProducts byteProductsOf(const MCSubtargetInfo &info, const Triple &triple, int64_t vectorBytes) {
  if (triple.isAArch64()) {
    if (!info.checkFeatures("+dotprod"))
      return ByteProducts::None;
    return info.checkFeatures("+i8mm") ? ByteProducts::AnySigns : ByteProducts::SameSign;
  }
  if (info.checkFeatures("+avx512vnni") || (info.checkFeatures("+avxvnni") && vectorBytes <= 32))
    return ByteProducts::UnsignedBySigned;
  bool hasPairs =
      vectorBytes == 64 ? info.checkFeatures("+avx512bw") : vectorBytes == 16 || info.checkFeatures("+avx2");
  return hasPairs ? ByteProducts::Pairs : ByteProducts::None;
}

void describeCaches(TargetInfo &target) {
  if (long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0)
    target.l2Bytes = bytes;
  long bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE), ways = sysconf(_SC_LEVEL1_DCACHE_ASSOC);
  if (bytes > 0 && ways > 0 && bytes % ways == 0) {
    target.l1Bytes = bytes;
    target.l1Ways = ways;
  }
}

/// What a processor's name says. LLVM's models do not: they have one unit for multiply-adds of 64 bytes in Xeons that
/// have two.
void describeCore(TargetInfo &target) {
  // Up to eight cores share a third level, at the clock of the cores.
  if (StringRef(target.cpu).starts_with("znver"))
    target.farBytesPerCycle = 20;
  // Vectors of 64 bytes take two cycles of units for 32.
  if (target.cpu == "znver4") {
    target.multiplyAdds = 1;
    target.dividesFast = true;
  }
}

void describe(TargetInfo &target, const MCSubtargetInfo &info, const Triple &triple) {
  if (triple.isAArch64()) {
    target.vectorBytes = 16;
    target.vectorRegisters = 32;
    target.fusedMultiplyAdd = true;
    target.floatExtrema = true;
  } else if (info.checkFeatures("+avx512f") && info.checkFeatures("+avx512vl")) {
    target.vectorBytes = 64;
    target.vectorRegisters = 32;
    target.fusedMultiplyAdd = true;
  } else {
    target.vectorBytes = info.checkFeatures("+avx") ? 32 : 16;
    target.vectorRegisters = 16;
    target.fusedMultiplyAdd = info.checkFeatures("+fma");
  }
  describeCore(target);
  target.byteProducts = byteProductsOf(info, triple, target.vectorBytes);
  if (target.isHost)
    describeCaches(target);
}

} // namespace

Expected<TargetInfo> resolveTarget(StringRef tripleName, StringRef cpu) {
  initializeTargets();
  TargetInfo target;
  Triple triple(tripleName.empty() ? sys::getDefaultTargetTriple() : Triple::normalize(tripleName));
  std::string reason;
  const llvm::Target *backend = TargetRegistry::lookupTarget("", triple, reason);
  bool known = backend && (triple.getArch() == Triple::x86_64 || triple.getArch() == Triple::aarch64);
  // The description of a model, which the runtime reads, has pointers of 64 bits: neither x32 nor ILP32.
  if (!known || !triple.isOSLinux() || DataLayout(triple.computeDataLayout()).getPointerSize() != 8)
    return createStringError(
        "unknown target '%s': expected a Linux triple of x86_64 or aarch64 with 64-bit pointers, such as "
        "x86_64-linux-gnu or aarch64-linux-gnu",
        tripleName.str().c_str());
  target.triple = triple.str();
  target.isHostArchitecture = triple.getArch() == Triple(sys::getDefaultTargetTriple()).getArch();
  target.isHost = target.isHostArchitecture && (cpu == "native" || (cpu.empty() && tripleName.empty()));
  if (target.isHost) {
    target.cpu = sys::getHostCPUName().str();
    target.features = hostFeatures();
  } else {
    if (cpu == "native")
      return createStringError("the CPU 'native' is of another architecture than the target '%s'",
                               tripleName.str().c_str());
    target.cpu = !cpu.empty() ? cpu.str() : triple.isAArch64() ? "generic" : "x86-64";
  }
  std::unique_ptr<MCSubtargetInfo> info = findProcessor(*backend, triple, target.cpu, target.features);
  if (!info)
    return createStringError("unknown CPU '%s' for %s: expected native or one of %s", target.cpu.c_str(),
                             target.triple.c_str(), validCpus(*backend, triple).c_str());
  describe(target, *info, triple);
  return target;
}

KernelProcessor kernelProcessor(const TargetInfo &target) {
  if (target.gpu) {
    std::string extension = target.gpu->architecture.str();
    if (target.gpu->math != GpuMath::F32)
      extension += ("/" + nameOf(target.gpu->math)).str();
    return {"nvptx64-nvidia-cuda", target.gpu->name.str(), {extension}};
  }
  return {target.triple, target.cpu, vectorExtensions(target)};
}

std::vector<std::string> vectorExtensions(const TargetInfo &target) {
  initializeTargets();
  Triple triple(target.triple);
  static constexpr StringLiteral x86[] = {"sse4.2",     "avx",        "f16c",       "avx2",     "fma",
                                          "avxvnni",    "avx512f",    "avx512bw",   "avx512dq", "avx512vl",
                                          "avx512vnni", "avx512bf16", "avx512fp16", "amx-int8", "amx-bf16"};
  static constexpr StringLiteral arm[] = {"neon", "fullfp16", "dotprod", "i8mm", "bf16", "sve", "sve2"};
  std::string reason;
  const llvm::Target *backend = TargetRegistry::lookupTarget("", triple, reason);
  assert(backend && "the target was resolved");
  std::unique_ptr<MCSubtargetInfo> info(backend->createMCSubtargetInfo(triple, target.cpu, target.features));
  std::vector<std::string> extensions;
  for (StringLiteral name : triple.isAArch64() ? ArrayRef<StringLiteral>(arm) : ArrayRef<StringLiteral>(x86))
    if (info->checkFeatures(("+" + name).str()))
      extensions.push_back(name.str());
  return extensions;
}

std::unique_ptr<TargetMachine> createTargetMachine(const TargetInfo &target) {
  initializeTargets();
  Triple triple(target.triple);
  std::string reason;
  const llvm::Target *backend = TargetRegistry::lookupTarget("", triple, reason);
  assert(backend && "the target was resolved");
  return std::unique_ptr<TargetMachine>(backend->createTargetMachine(triple, target.cpu, target.features,
                                                                     TargetOptions(), Reloc::PIC_, CodeModel::Small,
                                                                     CodeGenOptLevel::Aggressive));
}

} // namespace cameo
