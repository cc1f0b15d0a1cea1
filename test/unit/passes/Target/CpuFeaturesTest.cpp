// The features that a program checks at run time, compared with LLVM's processors and with this machine.
#include "passes/Target/CpuFeatures.h"
#include "passes/Target/CpuList.h"

#include "cameo/abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace cameo;
using namespace llvm;

namespace {

constexpr const char *x86 = "x86_64-linux-gnu", *aarch64 = "aarch64-linux-gnu";

std::string namesOf(StringRef triple, StringRef cpus) {
  Expected<std::vector<TargetInfo>> targets = resolveTargets(triple, cpus);
  return targets ? cpuNames(*targets, ",") : toString(targets.takeError());
}

CpuFeatures featuresOf(StringRef triple, StringRef cpu) {
  return cantFail(requiredFeatures(cantFail(resolveTarget(triple, cpu))));
}

/// Returns those of `cpus` that cannot be in a list of processors.
std::string refusedOf(StringRef triple, ArrayRef<StringRef> cpus) {
  std::string refused;
  for (StringRef cpu : cpus) {
    Expected<TargetInfo> target = resolveTarget(triple, cpu);
    if (!target) {
      consumeError(target.takeError());
      continue;
    }
    Expected<CpuFeatures> features = requiredFeatures(*target);
    if (features)
      continue;
    consumeError(features.takeError());
    refused += (refused.empty() ? "" : ",") + cpu.str();
  }
  return refused;
}

} // namespace

TEST(CpuFeatures, BitsAreThoseOfThisMachine) {
  unsetenv("CAMEO_CPU");
  StringMap<bool> host = sys::getHostCPUFeatures();
#if defined(__x86_64__)
  ArrayRef<CpuFeature> table = x86Features();
#else
  ArrayRef<CpuFeature> table = {};
#endif
  for (const CpuFeature &feature : table) {
    auto known = host.find(feature.name);
    if (known == host.end())
      continue;
    cameo_cpu cpu = {"it", {}};
    cpu.features[feature.word] = uint32_t(1) << feature.bit;
    EXPECT_EQ(cameo_choose_cpu(&cpu, 1) == 1, known->second) << feature.name.str();
  }
}

#if defined(__x86_64__)
extern "C" const uint32_t *const states_avx, *const states_avx512;

TEST(CpuFeatures, WithoutTheRegistersOfAvxThereIsNothingOfIt) {
  for (const CpuFeature &feature : x86Features()) {
    StringMap<bool> implied;
    X86::updateImpliedFeatures(feature.name, /*Enabled=*/true, implied);
    auto needs = [&](StringRef extension) { return feature.name == extension || implied.lookup(extension); };
    uint32_t bit = uint32_t(1) << feature.bit;
    EXPECT_EQ((states_avx512[feature.word] & bit) != 0, needs("avx512f")) << feature.name.str();
    EXPECT_EQ((states_avx[feature.word] & bit) != 0, needs("avx") && !needs("avx512f")) << feature.name.str();
  }
}
#endif

TEST(CpuFeatures, TheBaselineNeedsNone) { EXPECT_EQ(featuresOf(x86, "x86-64"), CpuFeatures()); }

TEST(CpuFeatures, LevelsBuildOnEachOther) {
  EXPECT_EQ(namesOf(x86, "x86-64-v2,x86-64-v4,x86-64,x86-64-v3"), "x86-64-v4,x86-64-v3,x86-64-v2,x86-64");
  EXPECT_EQ(namesOf(aarch64, "generic,neoverse-v1,neoverse-n1"), "neoverse-v1,neoverse-n1,generic");
}

TEST(CpuFeatures, ThisMachineHasWhatItsProcessorNeeds) {
  cameo_cpu cpu = {"native", {}};
  llvm::copy(featuresOf("", "native"), cpu.features);
  EXPECT_EQ(cameo_choose_cpu(&cpu, 1), 1);
}

TEST(CpuFeatures, OfTwoThatDifferTheLastOneIsPreferred) {
  EXPECT_EQ(namesOf(x86, "znver3,skylake-avx512"), "skylake-avx512,znver3");
  EXPECT_EQ(namesOf(x86, "skylake-avx512,znver3"), "znver3,skylake-avx512");
  EXPECT_EQ(namesOf(x86, "skylake-avx512,x86-64,znver3"), "znver3,skylake-avx512,x86-64");
}

TEST(CpuFeatures, WhatCannotBeToldApartIsRefused) {
  EXPECT_EQ(namesOf(x86, "nehalem,x86-64-v2"), "the CPUs 'nehalem' and 'x86-64-v2' have the same features that can be "
                                               "detected at run time: expected one of them");
  EXPECT_EQ(namesOf(x86, "x86-64-v3,x86-64,x86-64-v3"),
            "the CPU 'x86-64-v3' is named twice in 'x86-64-v3,x86-64,x86-64-v3'");
  EXPECT_EQ(namesOf(x86, "x86-64,"), "expected names of CPUs with one comma between, got 'x86-64,'");
  EXPECT_TRUE(StringRef(namesOf(x86, "x86-64,cortex-a76")).starts_with("unknown CPU 'cortex-a76'"));
}

/// A new version of LLVM may use features that are in no table.
TEST(CpuFeatures, FewProcessorsAreBeyondWhatCanBeAsked) {
  SmallVector<StringRef> names;
  X86::fillValidCPUArchList(names, /*Only64Bit=*/true);
  // They have additional registers that a kernel must preserve, and instructions of AVX10.2.
  EXPECT_EQ(refusedOf(x86, names), "novalake,diamondrapids");
  names.clear();
  AArch64::fillValidCPUArchList(names);
  EXPECT_EQ(refusedOf(aarch64, names), "");
}
