#include "utils/cameo/ModelOptions.h"

#include "utils/Plugin/Plugin.h"

using namespace cameo;
using llvm::StringRef;

/// Adds NAME=NUMBER to a table. Errors call the name `what` and the syntax `form`.
static llvm::Error addNumber(StringRef text, StringRef what, StringRef form, llvm::StringMap<int64_t> &numbers) {
  auto [name, numberText] = text.rsplit('=');
  int64_t number = 0;
  if (name.empty() || numberText.getAsInteger(10, number) || number < 0)
    return llvm::createStringError("expected " + form + " of 0 or more, got '" + text + "'");
  if (!numbers.try_emplace(name, number).second)
    return llvm::createStringError(what + " '" + name + "' is given twice");
  return llvm::Error::success();
}

void cameo::declareDimensions(CommandLine &line, DimensionSizes &sizes) {
  line.repeated("--dim", "NAME=SIZE",
                "Fix the symbolic dimension NAME: its name in the ONNX graph, or INPUT:AXIS if it has none, such as "
                "x:0. A library also takes the names of its header. May be given several times. Default: each run "
                "chooses the size; then the files of --inputs "
                "determine it, and random inputs need this option.",
                [&sizes](StringRef text) { return addNumber(text, "dimension", "NAME=SIZE with a size", sizes); });
}

void cameo::declareForms(CommandLine &line, InputForms &forms) {
  line.repeated(
      "--length", "NAME=N",
      "Number of tensors in the sequence input NAME, which become the inputs NAME_0, NAME_1, ... May be given several "
      "times. Default: none, and a model with such an input is an error.",
      [&forms](StringRef text) { return addNumber(text, "length of", "NAME=N with a number", forms.lengths); });
  line.repeated(
      "--absent", "NAME",
      "No run passes the optional input NAME. May be given several times. Default: every run passes all of them.",
      [&forms](StringRef name) -> llvm::Error {
        if (!forms.absent.insert(name).second)
          return llvm::createStringError("input '" + name + "' is given twice");
        return llvm::Error::success();
      });
  line.repeated("--constant", "NAME=NUMBERS",
                "Fix the values of the input NAME: numbers separated by commas, or one number for all elements. Loops "
                "and Ranges that depend on the input then have a known length. May be given several times. Default: "
                "each run passes its own.",
                [&forms](StringRef text) -> llvm::Error {
                  auto [name, numbers] = text.rsplit('=');
                  if (name.empty() || numbers.empty())
                    return llvm::createStringError("expected NAME=NUMBERS, got '" + text + "'");
                  if (!forms.constants.try_emplace(name, numbers.str()).second)
                    return llvm::createStringError("input '" + name + "' is given twice");
                  return llvm::Error::success();
                });
  line.repeated("--alias", "INPUT=OUTPUT",
                "The caller may pass the same memory for INPUT and OUTPUT, a cache with room for the longest sequence; "
                "a run then writes the new rows only. The compiler finds such pairs by itself and lists them in the "
                "header. With this option a pair that cannot share memory is an error, and OUTPUT gets the shape of "
                "INPUT whatever the model states. May be given several times. Default: none.",
                [&forms](StringRef text) -> llvm::Error {
                  auto [input, output] = text.split('=');
                  if (input.empty() || output.empty())
                    return llvm::createStringError("expected INPUT=OUTPUT, got '" + text + "'");
                  if (!forms.aliases.try_emplace(output, input.str()).second)
                    return llvm::createStringError("output '" + output + "' is given twice");
                  return llvm::Error::success();
                });
  line.repeated(
      "--bound", "NAME=N",
      "Upper bound of an integer, in an input or a result named NAME, that decides a size or the number of iterations "
      "of a loop. Memory is planned for N; a run that exceeds it ends with CAMEO_BOUND_EXCEEDED. For a vector the "
      "bound holds for all elements, or for element I with NAME:I=N. With bounds, a Range, an Expand or a Loop may "
      "depend on computed values. May be given several times. Default: none, and a size without any bound is an error.",
      [&forms](StringRef text) { return addNumber(text, "bound of", "NAME=N with a number", forms.bounds); });
}

void cameo::declarePlugins(CommandLine &line, Plugins &plugins) {
  line.repeated(
      "--plugin", "FILE.so",
      "Shared library that extends the compiler: operators of other domains, graph passes, schedule steps or rules of "
      "the search. May be given several times. Default: none.",
      [&plugins](StringRef path) -> llvm::Error {
        llvm::Expected<const Plugin *> plugin = Plugin::load(path);
        if (!plugin)
          return plugin.takeError();
        if (llvm::is_contained(plugins, *plugin))
          return llvm::createStringError("plugin '" + path + "' is given twice");
        plugins.push_back(*plugin);
        return llvm::Error::success();
      },
      Completes::File);
}

/// Adds the operators of a list. An empty list stands for all operators that the compiler does not know.
static llvm::Error addExterns(StringRef list, ExternOperators &externs) {
  externs.all |= list.empty();
  llvm::SmallVector<StringRef> names;
  list.split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/!list.empty());
  for (StringRef name : names) {
    auto [domain, opType] = name.contains(':') ? name.rsplit(':') : std::pair(StringRef(), name);
    if (opType.empty())
      return llvm::createStringError("expected DOMAIN:OPERATOR, or the OPERATOR of ONNX, got '" + name + "'");
    externs.named.insert(ExternOperators::key(domain == "ai.onnx" ? "" : domain, opType));
  }
  return llvm::Error::success();
}

void cameo::declareExterns(CommandLine &line, ExternOperators &externs) {
  line.repeatedOptional(
      "--extern-ops", "DOMAIN:OPERATOR,...",
      "Leave operators to C functions of the program, whose prototypes are in the generated header: those of the list, "
      "or without a list every operator that neither the compiler nor a plugin knows. The types and shapes of their "
      "results are inferred for operators that the compiler knows, and otherwise taken from the model. May be given "
      "several times. Default: an unknown operator is an error.",
      [&externs](StringRef list) { return addExterns(list, externs); });
}

void cameo::declareExterns(CommandLine &line, CompileOptions &options) {
  declareExterns(line, options.externs);
  line.repeated(
      "--extern-lib", "FILE",
      "Object, archive or shared library with the functions of --extern-ops, for commands that link or run the model. "
      "May be given several times. Default: none.",
      [&options](StringRef file) {
        options.externFiles.push_back(file.str());
        return llvm::Error::success();
      },
      Completes::File);
}

void cameo::declareTarget(CommandLine &line, CompileOptions &options, bool several) {
  line.text("--target", "TRIPLE",
            "Target triple, such as x86_64-linux-gnu or aarch64-linux-gnu. Default: this machine.", options.target);
  std::string list =
      several
          ? " A list, such as x86-64-v2,x86-64-v3,x86-64-v4, gives code for each; equal packed weights are stored "
            "once. The first run chooses the best code for the machine; CAMEO_CPU=NAME restricts the choice to NAME."
          : "";
  line.text("--cpu", several ? "NAME[,NAME...]" : "NAME",
            "Processor, by its name in LLVM: x86-64-v3, skylake-avx512, cortex-a76, ...; 'native' is this machine's." +
                list + " Default: native, and the baseline of another target.",
            options.cpu);
  std::string keys;
  for (const MachineParameter &parameter : machineParameters())
    if (parameter.isSettable)
      keys += (keys.empty() ? "" : "; ") + parameter.name.str() + ", " + parameter.description.str();
  line.text("--machine", "KEY=VALUE,...|FILE",
            "Properties of a core that differ from what is known of the processor. They change which schedules are "
            "chosen, not which instructions are used. FILE is an output of 'cameo calibrate'. Keys: " +
                keys +
                ". Default: values from LLVM and a table of processors; for this machine also its real cache sizes.",
            options.machine, Completes::File);
}

static std::vector<std::string> gpuWords() {
  auto names = llvm::map_range(gpuMachines(), [](const GpuMachine &machine) { return machine.name.str(); });
  return {names.begin(), names.end()};
}

static void declareGpuMath(CommandLine &line, std::string &math) {
  line.choice("--gpu-math",
              "How a GPU multiplies float32: f32 (float32 products), or on its matrix units with float32 sums: 3xtf32 "
              "(each number is the sum of two tf32 numbers; nearly as exact as f32), tf32 (numbers are rounded to 11 "
              "bits), f16 or bf16 (numbers are rounded to these types; f16 turns numbers beyond its range into "
              "infinity). Everything else is float32. Default: f32.",
              {gpuMathNames().begin(), gpuMathNames().end()}, math);
}

void cameo::declareGpuName(CommandLine &line, std::string &gpu, std::string &math, StringRef help) {
  line.choice("--gpu",
              (help + " The name is an architecture or a device. Default: the processor runs the model.").str(),
              gpuWords(), gpu);
  declareGpuMath(line, math);
}

void cameo::declareGpu(CommandLine &line, CompileOptions &options) {
  line.choices("--gpu",
               "Run the model on an NVIDIA GPU. The object contains code for it, and the program uses cameo/gpu.h, "
               "which loads the driver with the model. Names are architectures or devices. A list, such as "
               "sm_80,sm_90a, gives code for each, and loading chooses what fits the device; schedules are made for "
               "the one with the lowest compute capability. Default: the processor runs the model.",
               gpuWords(), options.gpu);
  declareGpuMath(line, options.gpuMath);
  line.choice(
      "--gpu-code",
      "Kind of the GPU code: auto (binary code if ptxas is found, and PTX, which the driver compiles), ptx (PTX only), "
      "binary (as auto, but without ptxas an error), host (code of this machine, for the emulator). Default: auto.",
      {"auto", "ptx", "binary", "host"}, options.gpuCodeName);
  line.text("--ptxas", "FILE",
            "NVIDIA's assembler. Default: ptxas in PATH, in the folder bin of CUDA_PATH, or in /usr/local/cuda/bin. "
            "Its results are cached in the folder CAMEO_CACHE, or in cameo in the user's cache folder (XDG_CACHE_HOME, "
            "~/.cache), up to 256 MB; CAMEO_CACHE=off disables the cache.",
            options.ptxas, Completes::File);
}

void cameo::declareGpuLaunch(CommandLine &line, CompileOptions &options) {
  line.choice(
      "--gpu-launch",
      "How a run launches the kernels of a GPU: dispatch (one launch per kernel), persistent (one launch for all "
      "kernels, whose blocks stay on the device and synchronise by counters; an error if the host has to wait for "
      "computed values), auto (persistent if it is possible and estimated to be faster). Default: dispatch.",
      {"dispatch", "persistent", "auto"}, options.gpuLaunch);
  line.choice("--gpu-dependent-launch",
              "Whether the launch of a kernel may begin while the one before it still runs, on GPUs of compute "
              "capability 9.0 and later (programmatic dependent launch): on or off. A kernel then fetches weights, and "
              "waits before it accesses anything else. Default: on.",
              {"on", "off"}, options.gpuDependentLaunch);
}

void cameo::declareModels(CommandLine &line, StringRef help, std::vector<std::string> &models, CompileOptions &options,
                          bool severalCpus) {
  line.repeated(
      "--model", "MODEL.onnx", help.str(),
      [&models](StringRef path) {
        models.push_back(path.str());
        return llvm::Error::success();
      },
      Completes::File);
  declareDimensions(line, options.sizes);
  declareForms(line, options.forms);
  declarePlugins(line, options.plugins);
  declareExterns(line, options);
  declareTarget(line, options, severalCpus);
}

void cameo::declareRounding(CommandLine &line, CompileOptions &options) {
  line.choice("--winograd",
              "Use Winograd's method for 3x3 convolutions, which needs fewer multiplications: off, f2 and f4 (tiles of "
              "2x2 and 4x4 outputs, wherever they fit), auto (where a rule estimates it to be faster). Rounding errors "
              "grow with the tile; that of f4 is about 1e-5 of the largest output. Default: auto.",
              {"auto", "off", "f2", "f4"}, options.winograd);
  line.choice("--weights-type",
              "Type of stored matrices that are multiplied with a single row, as in decoders: bf16 (half the bytes), "
              "int8 with a scale per column (a quarter). Such products are limited by memory and become faster by "
              "about the same factor. Results change; 'cameo verify' with this option prints by how much. If the "
              "number of rows is dynamic, the weights stay as they are, with a warning. Default: as-is, no rounding.",
              {"as-is", "bf16", "int8"}, options.weightsType);
}

void RecordsArguments::declare(CommandLine &line) {
  line.text("--records", "FILE",
            "Use the tuning records in FILE, which 'cameo tune' writes: each task gets the fastest schedule that was "
            "recorded for the target and --threads. Default: none; rules choose the schedules.",
            file, Completes::File);
  line.choice("--records-policy",
              "What happens if a task has no record: locked (an error, which says why), warn (a warning), off (records "
              "are not used). Tasks with dynamic sizes that were not tuned keep their default schedules; locked and "
              "warn name them. Default: warn.",
              {"locked", "warn", "off"}, policy);
}

RecordsOptions RecordsArguments::get() const {
  RecordsPolicy kind = policy == "locked" ? RecordsPolicy::Locked
                       : policy == "off"  ? RecordsPolicy::Off
                                          : RecordsPolicy::Warn;
  return {file, kind};
}

void InputOptions::declare(CommandLine &line) {
  line.text("--inputs", "DIR",
            "Folder with a file NAME.npy or NAME.pb per input; '/' in NAME becomes '_' in the name of the file. bf16 "
            "is stored as f32. Default: random values.",
            folder, Completes::Folder);
  line.integer("--seed", "N", "Seed of the random values. Default: 0.", seed, 0, INT64_MAX / 2);
  line.integer("--largest-integer", "N",
               "Random integers of 16 bits and more are between 0 and N. Ids, masks and positions must not exceed what "
               "the model allows. Default: 1.",
               largestInteger, 0, INT32_MAX);
}

InputSource InputOptions::source(int64_t round) const {
  return {folder, static_cast<uint64_t>(seed + round), largestInteger};
}

void cameo::declareRunThreads(CommandLine &line, int64_t &threads) {
  line.integer("--threads", "N",
               "Number of threads, including the calling one; 0: CAMEO_NUM_THREADS, or else one per CPU. Default: 1.",
               threads, 0, CAMEO_MAX_THREADS);
}
