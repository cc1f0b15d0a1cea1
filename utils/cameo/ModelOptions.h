// Groups of options that several subcommands share, so that they are called and explained alike.
#ifndef CAMEO_UTILS_CAMEO_MODELOPTIONS_H
#define CAMEO_UTILS_CAMEO_MODELOPTIONS_H

#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/Run/ModelRunner.h"
#include "utils/cameo/CommandLine/CommandLine.h"

namespace cameo {

/// --dim NAME=SIZE.
void declareDimensions(CommandLine &line, DimensionSizes &sizes);

/// --length NAME=N, --absent NAME, --constant NAME=NUMBERS, --alias INPUT=OUTPUT and --bound NAME=N.
void declareForms(CommandLine &line, InputForms &forms);

/// --plugin, which may be given several times: each library is loaded at once.
void declarePlugins(CommandLine &line, Plugins &plugins);

/// --extern-ops, and for commands that link or run the model --extern-lib.
void declareExterns(CommandLine &line, ExternOperators &externs);
void declareExterns(CommandLine &line, CompileOptions &options);

/// --target and --cpu, which may name several processors where `several` says so.
void declareTarget(CommandLine &line, CompileOptions &options, bool several = false);

/// Adds --gpu and --gpu-math; `help` says what the first is for.
void declareGpuName(CommandLine &line, std::string &gpu, std::string &math, llvm::StringRef help);

/// Adds these, --gpu-code and --ptxas.
void declareGpu(CommandLine &line, CompileOptions &options);

/// --gpu-launch, of commands that compile whole models.
void declareGpuLaunch(CommandLine &line, CompileOptions &options);

/// --model, which may be given several times, and how these are compiled: sizes, forms and target, as declareTarget has
/// it. `help` says what they are for.
void declareModels(CommandLine &line, llvm::StringRef help, std::vector<std::string> &models, CompileOptions &options,
                   bool severalCpus = false);

/// What trades accuracy for speed: --winograd and --weights-type.
void declareRounding(CommandLine &line, CompileOptions &options);

/// --records and --records-policy.
struct RecordsArguments {
  void declare(CommandLine &line);
  RecordsOptions get() const;
  std::string file, policy = "warn";
};

/// --inputs, --seed, --largest-integer.
struct InputOptions {
  void declare(CommandLine &line);
  InputSource source(int64_t round = 0) const;
  std::string folder;
  int64_t seed = 0;
  int64_t largestInteger = 1;
};

/// --threads of a command that runs models.
void declareRunThreads(CommandLine &line, int64_t &threads);

} // namespace cameo

#endif
