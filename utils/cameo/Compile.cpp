// cameo compile: compiles an ONNX file to an object and a header, or to the output of --emit.
#include "utils/Driver/CompileModel.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/cameo/CompileArguments.h"

using namespace cameo;

namespace {

class CompileCommand : public Command {
public:
  void declare(CommandLine &line) override {
    line.description("Compiles MODEL.onnx to MODEL.o and MODEL.h in the current directory. The object has C functions "
                     "with the prefix MODEL_ that run the model, and its weights. Link it with libcameo_rt.a. Every "
                     "file is written completely or not at all.");
    arguments.declare(line);
    line.example("cameo compile resnet18.onnx", "Writes resnet18.o and resnet18.h for this machine.");
    line.example("cameo compile bert.onnx --dim batch=4 --target=aarch64-linux-gnu --cpu=cortex-a76 -o build/bert.o",
                 "Fixes a symbolic dimension and compiles for another machine.");
    line.example("cameo compile net.onnx --cpu=x86-64-v2,x86-64-v3,x86-64-v4 -v",
                 "One object for many machines; prints what each processor's code takes.");
    line.example("cameo compile net.onnx --max-arena=2M --max-text=512K",
                 "Checks that the model fits; 'cameo size' shows what takes the memory.");
    line.example("cameo compile net.onnx --emit=tasks", "Prints the network as fused tasks.");
    line.example("cameo compile net.onnx --emit=asm --task a791207ff3a641951b2f6214afcc7fb9",
                 "Prints the assembly of one of them.");
  }

  int run() override { return llvm::succeeded(compileModel(arguments.finish())) ? 0 : 1; }

private:
  CompileArguments arguments;
};

} // namespace

std::unique_ptr<Command> cameo::createCompileCommand() { return std::make_unique<CompileCommand>(); }
