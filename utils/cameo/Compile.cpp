// cameo compile: an ONNX file becomes an object and a header, or what --emit asks for.
#include "utils/Driver/CompileModel.h"
#include "utils/cameo/Command.h"
#include "utils/cameo/ModelOptions.h"

using namespace cameo;

namespace {

class CompileCommand : public Command {
public:
  void declare(CommandLine &line) override {
    line.description("Compiles MODEL.onnx to MODEL.o and MODEL.h in the current directory: C functions with the prefix MODEL_ that run "
                     "the model, weights included. Link them with libcameo_rt.a. All files are written completely or not at all.");
    line.positional("MODEL.onnx", "The model: binary, or ONNX's text syntax (.onnxtxt). A file, since it is read in parts; a pipe is refused.", options.model);
    line.group("output");
    line.text("-o", "FILE",
              "What to write; '-' is standard output. Default: MODEL.o, MODEL.so or MODEL in the current directory; "
              "standard output for text.",
              options.output, Completes::File);
    line.text("--header", "FILE", "The C header that goes with the object. Default: the object's name with .h.",
              options.header, Completes::File);
    line.choice("--emit",
                "Stop early, or go further: onnx (as imported), graph (simplified, layouts chosen), tasks (fused "
                "subgraphs), linalg (tasks lowered), loops (scheduled), llvm (LLVM IR), asm (assembly), obj (object and header), lib (shared library, which "
                "'cameo run' opens), exe (program that runs the model on random inputs). Default: obj.",
                allEmitNames(), emit);
    line.text("--task", "KEY",
              "Show only the task with this key, as 'cameo tasks' and 'cameo bench --profile' print it; with --emit=tasks, linalg, loops, llvm or asm.",
              options.task);
    line.text("--prefix", "NAME",
              "Beginning of all symbols, a C identifier; not 'cameo', with which the runtime's begin. Models with different prefixes link into one program. "
              "Default: the model's file name.",
              options.prefix);
    line.text("--weights", "FILE",
              "Write the weights to FILE instead of the object; the program maps it with cameo_weights_map. "
              "Needed above 2 GiB.",
              options.weights, Completes::File);
    line.group("code");
    declareTarget(line, options);
    declareDimensions(line, options.sizes);
    declareForms(line, options.forms);
    line.integer("--threads", "N",
                 "Threads that schedules are made for. The object runs on any number. Default: 1.", threads, 1, CAMEO_MAX_THREADS);
    records.declare(line);
    declareRounding(line, options);
    line.flag("--naive", "The reference path: one task per operator, plain loops.", options.naive);
    line.flag("--wide", "As --naive, with all numbers of float32 as float64: hardly rounds.", options.wide);
    line.group("messages");
    line.flag("--timing", "Print the time of each phase to standard error.", options.timing);
    line.flag("-v", "Say what is done, and print remarks.", options.verbose);
    line.example("cameo compile resnet18.onnx", "Writes resnet18.o and resnet18.h for this machine.");
    line.example("cameo compile bert.onnx --dim batch=4 --target=aarch64-linux-gnu --cpu=cortex-a76 -o build/bert.o",
                 "Fixes a symbolic dimension and compiles for another machine.");
    line.example("cameo compile net.onnx --emit=tasks", "Prints the network as fused tasks.");
    line.example("cameo compile net.onnx --emit=asm --task a791207ff3a641951b2f6214afcc7fb9", "Prints the assembly of one of them.");
  }

  int run() override {
    options.emit = *parseEmit(emit);
    options.threads = static_cast<int>(threads);
    options.naive |= options.wide;
    options.records = records.get();
    return llvm::succeeded(compileModel(options)) ? 0 : 1;
  }

private:
  CompileOptions options;
  RecordsArguments records;
  std::string emit = "obj";
  int64_t threads = 1;
};

} // namespace

std::unique_ptr<Command> cameo::createCompileCommand() { return std::make_unique<CompileCommand>(); }
