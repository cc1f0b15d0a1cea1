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
                "Size of the symbolic dimension NAME: its name in the ONNX graph, or INPUT:AXIS where it has none, "
                "such as x:0. May be given several times. "
                "Default: each run chooses; then files of --inputs have the sizes, and random inputs need this option.",
                [&sizes](StringRef text) { return addNumber(text, "dimension", "NAME=SIZE with a size", sizes); });
}

void cameo::declareForms(CommandLine &line, InputForms &forms) {
  line.repeated(
      "--length", "NAME=N",
      "Number of tensors in the input NAME, which is a sequence: they become the inputs NAME_0, NAME_1, ... May be "
      "given "
      "several times. Default: none, and an error for a model that has such an input.",
      [&forms](StringRef text) { return addNumber(text, "length of", "NAME=N with a number", forms.lengths); });
  line.repeated("--absent", "NAME",
                "No run gets the optional input NAME. May be given several times. Default: all runs get all of them.",
                [&forms](StringRef name) -> llvm::Error {
                  if (!forms.absent.insert(name).second)
                    return llvm::createStringError("input '" + name + "' is given twice");
                  return llvm::Error::success();
                });
  line.repeated("--constant", "NAME=NUMBERS",
                "The input NAME is the same in every run: these numbers, with commas between, or one for all elements. "
                "So the rounds of a loop or "
                "the length of a Range may be known. May be given several times. Default: every run has its own.",
                [&forms](StringRef text) -> llvm::Error {
                  auto [name, numbers] = text.rsplit('=');
                  if (name.empty() || numbers.empty())
                    return llvm::createStringError("expected NAME=NUMBERS, got '" + text + "'");
                  if (!forms.constants.try_emplace(name, numbers.str()).second)
                    return llvm::createStringError("input '" + name + "' is given twice");
                  return llvm::Error::success();
                });
  line.repeated("--alias", "INPUT=OUTPUT",
                "A caller may pass the memory of INPUT, a cache with room for the longest sequence, as that of OUTPUT: "
                "a run then writes new rows alone. That a run can do so is found by "
                "itself, and the header says where; with the option it is an error where it cannot, and OUTPUT has the "
                "shape of INPUT, whatever the model states. May be given several times. "
                "Default: none.",
                [&forms](StringRef text) -> llvm::Error {
                  auto [input, output] = text.split('=');
                  if (input.empty() || output.empty())
                    return llvm::createStringError("expected INPUT=OUTPUT, got '" + text + "'");
                  if (!forms.aliases.try_emplace(output, input.str()).second)
                    return llvm::createStringError("output '" + output + "' is given twice");
                  return llvm::Error::success();
                });
  line.repeated("--bound", "NAME=N",
                "The integer that NAME holds, an input or what a node makes, is a size or a number of rounds, and N at "
                "most: memory is planned for N, and a run "
                "that finds more ends with CAMEO_BOUND_EXCEEDED. Of a vector it holds for all its numbers, and with "
                "NAME:I=N for that at place I. So a Range, an Expand "
                "or a Loop may go by what a run computes. May be given several times. Default: none, and an error "
                "where nothing else bounds a size.",
                [&forms](StringRef text) { return addNumber(text, "bound of", "NAME=N with a number", forms.bounds); });
}

void cameo::declarePlugins(CommandLine &line, Plugins &plugins) {
  line.repeated(
      "--plugin", "FILE.so",
      "Shared library that adds operators of domains of its own, graph passes or sketch rules to the compiler. May be "
      "given several times. Default: none.",
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
  line.repeatedOptional("--extern-ops", "DOMAIN:OPERATOR,...",
                        "Leave operators to functions of the program, whose prototypes are in the generated header: "
                        "all that neither the compiler nor a plugin "
                        "knows, or those of the list, known or not. Types and shapes of their results are those that "
                        "the compiler infers for an operator of its own, else those that the model states. May be "
                        "given several times. Default: an unknown operator "
                        "is an error.",
                        [&externs](StringRef list) { return addExterns(list, externs); });
}

void cameo::declareExterns(CommandLine &line, CompileOptions &options) {
  declareExterns(line, options.externs);
  line.repeated(
      "--extern-lib", "FILE",
      "Object, archive or shared library with the functions of --extern-ops; the model is linked with it where it is "
      "linked at all. May be given several times. Default: none.",
      [&options](StringRef file) {
        options.externFiles.push_back(file.str());
        return llvm::Error::success();
      },
      Completes::File);
}

void cameo::declareTarget(CommandLine &line, CompileOptions &options, bool several) {
  line.text("--target", "TRIPLE",
            "Machine to compile for, such as x86_64-linux-gnu or aarch64-linux-gnu. Default: this machine.",
            options.target);
  std::string list = several ? " Several, as in x86-64-v2,x86-64-v3,x86-64-v4, are code for each, weights once where "
                               "they are packed alike: the first run takes what fits "
                               "the machine best, and CAMEO_CPU=NAME allows NAME alone."
                             : "";
  line.text("--cpu", several ? "NAME[,NAME...]" : "NAME",
            "Processor to compile for, as LLVM names it: x86-64-v3, skylake-avx512, cortex-a76, ...; 'native' is this "
            "machine's." +
                list + " Default: native, and the baseline of another target.",
            options.cpu);
  std::string keys;
  for (const MachineParameter &parameter : machineParameters())
    if (parameter.isSettable)
      keys += (keys.empty() ? "" : "; ") + parameter.name.str() + ", " + parameter.description.str();
  line.text(
      "--machine", "KEY=VALUE,...|FILE",
      "What is to be known of a core where it is another than is assumed of the processor: it decides how fast code "
      "is, not what it needs. FILE is what 'cameo calibrate' "
      "measured. Keys: " +
          keys +
          ". Default: what LLVM and a table say of the processor, and for this machine's the sizes of its caches.",
      options.machine, Completes::File);
}

static std::vector<std::string> gpuWords() {
  auto names = llvm::map_range(gpuMachines(), [](const GpuMachine &machine) { return machine.name.str(); });
  return {names.begin(), names.end()};
}

static void declareGpuMath(CommandLine &line, std::string &math) {
  line.choice("--gpu-math",
              "What a GPU multiplies where the model has float32: f32 (numbers as they are), or what its matrix units "
              "take, which add up in float32: 3xtf32 (each number as the sum of two of tf32, nearly as exact as f32), "
              "tf32 (numbers rounded to 11 bits), f16, bf16 (to these types; what float16 cannot hold becomes "
              "infinite). All else stays in float32. Default: f32.",
              {gpuMathNames().begin(), gpuMathNames().end()}, math);
}

void cameo::declareGpuName(CommandLine &line, std::string &gpu, std::string &math, StringRef help) {
  line.choice("--gpu",
              (help + " The name is that of an architecture or a device. Default: the processor runs the model.").str(),
              gpuWords(), gpu);
  declareGpuMath(line, math);
}

void cameo::declareGpu(CommandLine &line, CompileOptions &options) {
  line.choices("--gpu",
               "Have an NVIDIA GPU run the model. The object then has code for it, and the program calls cameo/gpu.h, "
               "which looks for the driver when it loads the model. Names are those of "
               "architectures and devices. Of several, as in sm_80,sm_90a, there is code for each, and loading takes "
               "what fits the device; schedules are those of the one with the lowest compute capability. Default: the "
               "processor runs the model.",
               gpuWords(), options.gpu);
  declareGpuMath(line, options.gpuMath);
  line.choice("--gpu-code",
              "What the code for a GPU is: auto (that of the architecture where ptxas is found, and PTX, which the "
              "driver compiles), ptx (PTX alone), binary (as auto, and an error without ptxas), host (for the "
              "emulator, which runs it on this machine). Default: auto.",
              {"auto", "ptx", "binary", "host"}, options.gpuCodeName);
  line.text("--ptxas", "FILE",
            "NVIDIA's assembler. Default: ptxas in PATH, in bin of the folder CUDA_PATH, or in /usr/local/cuda/bin. "
            "What it made "
            "is kept in the folder that CAMEO_CACHE names, or else in cameo of the user's folder for caches "
            "(XDG_CACHE_HOME, ~/.cache), at most 256 MB of it; CAMEO_CACHE=off keeps nothing.",
            options.ptxas, Completes::File);
}

void cameo::declareGpuLaunch(CommandLine &line, CompileOptions &options) {
  line.choice(
      "--gpu-launch",
      "How a run launches the kernels of a GPU: dispatch (each by itself), persistent (all as one kernel, whose "
      "blocks stay on the device for the run and wait for each other by counters; an error where the host waits "
      "for what data decides), auto (persistent where it can be and is estimated to save time). Default: dispatch.",
      {"dispatch", "persistent", "auto"}, options.gpuLaunch);
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
  line.choice(
      "--winograd",
      "3x3 convolutions by Winograd's minimal filtering, which takes fewer products: off, f2 and f4 for tiles of "
      "2x2 and 4x4 outputs wherever they fit, auto for what a rule finds fastest. Rounding errors grow with the "
      "tile: f4 is off by some 1e-5 of the largest output. Default: auto.",
      {"auto", "off", "f2", "f4"}, options.winograd);
  line.choice(
      "--weights-type",
      "Stores the matrices that one row is multiplied with, as in the decoding of text, in fewer bits: bf16 halves "
      "them, int8 with a scale per column quarters them, and such products take about as much less time. Results "
      "change: 'cameo verify' with the option says by how much. Where it is known only at run time how many rows there "
      "are, "
      "weights stay as they are, which a warning says. Default: as-is, which rounds nothing.",
      {"as-is", "bf16", "int8"}, options.weightsType);
}

void RecordsArguments::declare(CommandLine &line) {
  line.text("--records", "FILE",
            "Take schedules from the tuning records in FILE ('cameo tune' writes them): of each task the fastest that "
            "fits the target and --threads. Default: none, schedules come from rules.",
            file, Completes::File);
  line.choice("--records-policy",
              "What a task without a record is: locked is an error, which says why it has none; warn is a warning; off "
              "leaves the "
              "records aside. A task with dynamic sizes cannot be tuned, and has its default schedule: "
              "both say which. Default: warn.",
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
            "Folder with one file per input, NAME.npy or NAME.pb (a slash in NAME is '_' in the file's name); bf16 is "
            "held as f32). "
            "Default: random values.",
            folder, Completes::Folder);
  line.integer("--seed", "N", "Seed of the random values. Default: 0.", seed, 0, INT64_MAX / 2);
  line.integer(
      "--largest-integer", "N",
      "Random integers of 16 bits and more are between 0 and N: ids, masks and positions must not be larger than "
      "the model allows. Default: 1.",
      largestInteger, 0, INT32_MAX);
}

InputSource InputOptions::source(int64_t round) const {
  return {folder, static_cast<uint64_t>(seed + round), largestInteger};
}

void cameo::declareRunThreads(CommandLine &line, int64_t &threads) {
  line.integer("--threads", "N", "Threads, this one included; 0 is CAMEO_NUM_THREADS, or else one per CPU. Default: 1.",
               threads, 0, CAMEO_MAX_THREADS);
}
