// Features by name, and where the architecture's own words have them: registers of CPUID (Intel's and AMD's manuals of
// instructions), and bits of AT_HWCAP and AT_HWCAP2 (Linux, Documentation/arch/arm64/elf_hwcaps.rst).
#include "passes/Target/CpuFeatures.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace cameo {
namespace {

constexpr unsigned leaf1Ecx = 0, leaf7Ebx = 1, leaf7Ecx = 2, leaf7Edx = 3, leaf7Part1Eax = 4, leaf7Part1Edx = 5,
                   extendedLeaf1Ecx = 6;

constexpr CpuFeature x86Table[] = {
    {"sse3", leaf1Ecx, 0},
    {"pclmul", leaf1Ecx, 1},
    {"ssse3", leaf1Ecx, 9},
    {"fma", leaf1Ecx, 12},
    {"cx16", leaf1Ecx, 13},
    {"sse4.1", leaf1Ecx, 19},
    {"sse4.2", leaf1Ecx, 20},
    {"movbe", leaf1Ecx, 22},
    {"popcnt", leaf1Ecx, 23},
    {"avx", leaf1Ecx, 28},
    {"f16c", leaf1Ecx, 29},
    {"bmi", leaf7Ebx, 3},
    {"avx2", leaf7Ebx, 5},
    {"bmi2", leaf7Ebx, 8},
    {"avx512f", leaf7Ebx, 16},
    {"avx512dq", leaf7Ebx, 17},
    {"adx", leaf7Ebx, 19},
    {"avx512ifma", leaf7Ebx, 21},
    {"avx512cd", leaf7Ebx, 28},
    {"avx512bw", leaf7Ebx, 30},
    {"avx512vl", leaf7Ebx, 31},
    {"avx512vbmi", leaf7Ecx, 1},
    {"avx512vbmi2", leaf7Ecx, 6},
    {"gfni", leaf7Ecx, 8},
    {"vpclmulqdq", leaf7Ecx, 10},
    {"avx512vnni", leaf7Ecx, 11},
    {"avx512bitalg", leaf7Ecx, 12},
    {"avx512vpopcntdq", leaf7Ecx, 14},
    {"avx512fp16", leaf7Edx, 23},
    {"avxvnni", leaf7Part1Eax, 4},
    {"avx512bf16", leaf7Part1Eax, 5},
    {"cmpccxadd", leaf7Part1Eax, 7},
    {"avxifma", leaf7Part1Eax, 23},
    {"avxvnniint8", leaf7Part1Edx, 4},
    {"avxneconvert", leaf7Part1Edx, 5},
    {"avxvnniint16", leaf7Part1Edx, 10},
    {"sahf", extendedLeaf1Ecx, 0},
    {"lzcnt", extendedLeaf1Ecx, 5},
    {"sse4a", extendedLeaf1Ecx, 6},
    {"prfchw", extendedLeaf1Ecx, 8},
    {"xop", extendedLeaf1Ecx, 11},
    {"fma4", extendedLeaf1Ecx, 16},
    {"tbm", extendedLeaf1Ecx, 21},
};

/// Every 64-bit processor has them, or LLVM uses them only where a program names their instructions: for cryptography,
/// for operating systems, for tiles of matrices. avx10.1 is a name for others.
constexpr StringLiteral x86Harmless[] = {
    "64bit",     "cmov",        "crc32",
    "cx8",       "fxsr",        "mmx",
    "sse",       "sse2",        "x87",
    "aes",       "sha",         "sha512",
    "sm3",       "sm4",         "vaes",
    "kl",        "widekl",      "rdrnd",
    "rdseed",    "cldemote",    "clflushopt",
    "clwb",      "clzero",      "enqcmd",
    "fsgsbase",  "hreset",      "invpcid",
    "lwp",       "movdir64b",   "movdiri",
    "mwaitx",    "pconfig",     "pku",
    "prefetchi", "ptwrite",     "raoint",
    "rdpid",     "rdpru",       "rtm",
    "serialize", "sgx",         "shstk",
    "tsxldtrk",  "uintr",       "usermsr",
    "waitpkg",   "wbnoinvd",    "xsave",
    "xsavec",    "xsaveopt",    "xsaves",
    "amx-tile",  "amx-int8",    "amx-bf16",
    "amx-fp16",  "amx-complex", "avx512vp2intersect",
    "evex512",   "vzeroupper",  "avx10.1",
};

constexpr StringLiteral x86Known[] = {
#define X86_FEATURE(ENUM, STR) STR,
#include "llvm/TargetParser/X86TargetParser.def"
};

constexpr unsigned hwcapLow = 0, hwcap2Low = 2, hwcap2High = 3;

constexpr CpuFeature aarch64Table[] = {
    {"fp-armv8", hwcapLow, 0},      {"neon", hwcapLow, 1},        {"lse", hwcapLow, 8},
    {"fullfp16", hwcapLow, 9},      {"fullfp16", hwcapLow, 10},   {"rdm", hwcapLow, 12},
    {"jsconv", hwcapLow, 13},       {"complxnum", hwcapLow, 14},  {"rcpc", hwcapLow, 15},
    {"sha3", hwcapLow, 17},         {"sha3", hwcapLow, 21},       {"dotprod", hwcapLow, 20},
    {"sve", hwcapLow, 22},          {"fp16fml", hwcapLow, 23},    {"lse2", hwcapLow, 25},
    {"rcpc-immo", hwcapLow, 26},    {"flagm", hwcapLow, 27},      {"sve2", hwcap2Low, 1},
    {"altnzcv", hwcap2Low, 7},      {"fptoint", hwcap2Low, 8},    {"f32mm", hwcap2Low, 10},
    {"f64mm", hwcap2Low, 11},       {"i8mm", hwcap2Low, 13},      {"bf16", hwcap2Low, 14},
    {"cssc", hwcap2High, 2},        {"sve2p1", hwcap2High, 4},    {"mops", hwcap2High, 11},
    {"hbc", hwcap2High, 12},        {"rcpc3", hwcap2High, 14},    {"lse128", hwcap2High, 15},
    {"sve-b16b16", hwcap2High, 13}, {"faminmax", hwcap2High, 18},
};

/// As above, and hints that older processors pass over.
constexpr StringLiteral aarch64Harmless[] = {
    "aes",        "sha2",       "sm4",        "crypto",       "crc",       "rand",     "sve-aes", "sve-bitperm",
    "sve-sha3",   "sve-sm4",    "sve2-aes",   "sve2-bitperm", "sve2-sha3", "sve2-sm4", "am",      "amvs",
    "brbe",       "bti",        "ccdp",       "ccidx",        "ccpp",      "chk",      "clrbhb",  "dit",
    "ecv",        "ete",        "fgt",        "fpac",         "hcx",       "ite",      "lor",     "ls64",
    "mec",        "mpam",       "mte",        "nmi",          "nv",        "pan",      "pan-rwv", "pauth",
    "pauth-lr",   "perfmon",    "predres",    "ras",          "rasv2",     "rme",      "sb",      "sel2",
    "spe",        "spe-eef",    "specres2",   "specrestrict", "ssbs",      "the",      "tlb-rmi", "tracev8.4",
    "trbe",       "uaops",      "vh",         "wfxt",         "xs",        "sme",      "sme2",    "sme-f64f64",
    "sme-i16i64", "sme-f16f16", "sme-b16b16", "sme2p1",       "sme-fa64",  "fp8",      "fp8dot2", "fp8dot4",
    "fp8fma",     "lut",
};

StringSet<> enabledFeatures(const TargetInfo &target) {
  Triple triple(target.triple);
  std::string reason;
  const llvm::Target *backend = TargetRegistry::lookupTarget("", triple, reason);
  assert(backend && "the target was resolved");
  std::unique_ptr<MCSubtargetInfo> info(backend->createMCSubtargetInfo(triple, target.cpu, target.features));
  StringSet<> enabled;
  for (const SubtargetFeatureKV &feature : info->getEnabledProcessorFeatures())
    enabled.insert(feature.Key);
  return enabled;
}

/// Names of instructions: LLVM's other features are about how fast they are.
std::vector<StringRef> knownFeatures(bool isX86) {
  if (isX86)
    return {std::begin(x86Known), std::end(x86Known)};
  std::vector<StringRef> names;
  for (const AArch64::ExtensionInfo &extension : AArch64::Extensions)
    names.push_back(extension.PosTargetFeature.drop_front());
  return names;
}

} // namespace

ArrayRef<CpuFeature> x86Features() { return x86Table; }
ArrayRef<CpuFeature> aarch64Features() { return aarch64Table; }

Expected<CpuFeatures> requiredFeatures(const TargetInfo &target) {
  bool isX86 = Triple(target.triple).isX86();
  ArrayRef<CpuFeature> table = isX86 ? x86Features() : aarch64Features();
  ArrayRef<StringLiteral> harmless =
      isX86 ? ArrayRef<StringLiteral>(x86Harmless) : ArrayRef<StringLiteral>(aarch64Harmless);
  StringSet<> enabled = enabledFeatures(target);
  CpuFeatures required = {};
  for (StringRef name : knownFeatures(isX86)) {
    if (!enabled.contains(name) || is_contained(harmless, name))
      continue;
    bool isFound = false;
    for (const CpuFeature &feature : table)
      if (feature.name == name) {
        required[feature.word] |= uint32_t(1) << feature.bit;
        isFound = true;
      }
    if (!isFound)
      return createStringError(
          "the CPU '%s' has '%s', which cannot be detected at run time: expected a CPU without it in a list of several",
          target.cpu.c_str(), name.str().c_str());
  }
  return required;
}

} // namespace cameo
