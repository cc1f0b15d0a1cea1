// Groups of options that several subcommands share, so that they have the same names and help.
#ifndef CAMEO_UTILS_CAMEO_MODELOPTIONS_H
#define CAMEO_UTILS_CAMEO_MODELOPTIONS_H

#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/Run/ModelRunner.h"
#include "utils/cameo/CommandLine/CommandLine.h"

namespace cameo {

/// Adds --dim NAME=SIZE.
void declareDimensions(CommandLine &line, DimensionSizes &sizes);

/// Adds --length NAME=N, --absent NAME, --constant NAME=NUMBERS, --alias INPUT=OUTPUT and --bound NAME=N.
void declareForms(CommandLine &line, InputForms &forms);

/// Adds --plugin, which may be given several times. A library is loaded as soon as its option is parsed.
void declarePlugins(CommandLine &line, Plugins &plugins);

/// Add --extern-ops; for commands that link or run the model also --extern-lib.
void declareExterns(CommandLine &line, ExternOperators &externs);
void declareExterns(CommandLine &line, CompileOptions &options);

/// Adds --target and --cpu, which may name several CPUs if `several` is set.
void declareTarget(CommandLine &line, CompileOptions &options, bool several = false);

/// Adds --gpu and --gpu-math. `help` describes the purpose of --gpu.
void declareGpuName(CommandLine &line, std::string &gpu, std::string &math, llvm::StringRef help);

/// Adds --gpu, --gpu-math, --gpu-code and --ptxas.
void declareGpu(CommandLine &line, CompileOptions &options);

/// Adds --gpu-launch, for commands that compile whole models.
void declareGpuLaunch(CommandLine &line, CompileOptions &options);

/// Adds --model, which may be given several times, and the options for compiling these models: sizes, forms and the
/// options of declareTarget. `help` describes the purpose of the models.
void declareModels(CommandLine &line, llvm::StringRef help, std::vector<std::string> &models, CompileOptions &options,
                   bool severalCpus = false);

/// Adds the options that trade accuracy for speed: --winograd and --weights-type.
void declareRounding(CommandLine &line, CompileOptions &options);

/// The options --records and --records-policy.
struct RecordsArguments {
  void declare(CommandLine &line);
  RecordsOptions get() const;
  std::string file, policy = "warn";
};

/// The options --inputs, --seed and --largest-integer.
struct InputOptions {
  void declare(CommandLine &line);
  InputSource source(int64_t round = 0) const;
  std::string folder;
  int64_t seed = 0;
  int64_t largestInteger = 1;
};

/// Adds --threads, for commands that run models.
void declareRunThreads(CommandLine &line, int64_t &threads);

} // namespace cameo

#endif
