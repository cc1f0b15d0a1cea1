#include "utils/cameo/CompileArguments.h"

using namespace cameo;

void CompileArguments::declare(CommandLine &line) {
  line.positional("MODEL.onnx",
                  "The model: an ONNX file, or ONNX's text syntax (.onnxtxt). It must be a regular file, because it is "
                  "read in parts; pipes are refused.",
                  options.model);
  line.group("output");
  line.text("-o", "FILE",
            "Output file; '-' is standard output. Default: MODEL.o, MODEL.so or MODEL in the current directory, or "
            "standard output for text.",
            options.output, Completes::File);
  line.text("--header", "FILE", "C header of the object. Default: the name of the object with the ending .h.",
            options.header, Completes::File);
  line.text("--cpp-header", "FILE",
            "Also write a C++17 header to FILE, in the folder of the C header: a class with spans, constants for "
            "shapes and types, and the memory of runs.",
            options.cppHeader, Completes::File);
  line.choice("--emit",
              "What to write: onnx (the imported model), graph (simplified, with layouts), tasks (fused subgraphs), "
              "linalg (lowered tasks), nests (loop nests), loops (scheduled loops), llvm (LLVM IR), asm (assembly), "
              "obj (object and header), lib (shared library for 'cameo run'), exe (program that runs the model on "
              "random inputs). Default: obj.",
              allEmitNames(), emit);
  line.text("--task", "KEY",
            "Write only the task with this key. 'cameo tasks' and 'cameo bench --profile' print keys. For "
            "--emit=tasks, linalg, nests, loops, llvm and asm.",
            options.task);
  line.text("--prefix", "NAME",
            "Prefix of all symbols, a C identifier other than 'cameo', which is the prefix of the runtime. Models with "
            "different prefixes can be linked into one program. Default: the name of the model's file.",
            options.prefix);
  line.text("--weights", "FILE",
            "Write the weights to FILE instead of the object. The program maps the file with cameo_weights_map. "
            "Required above 2 GiB.",
            options.weights, Completes::File);
  line.text("--depfile", "FILE",
            "Write the files that the output depends on (model, external data, records) to FILE, as a rule for Make, "
            "Ninja and CMake.",
            options.depfile, Completes::File);
  line.group("budgets");
  line.bytes(
      "--max-arena",
      "Limit for the memory of a run, without inputs, outputs and weights. If the model needs more, tasks are "
      "reordered and scheduled for less memory, which costs time (-v prints how much). If that is not enough, nothing "
      "is written, and the error names the largest buffers at the peak. SIZE is in bytes, or with K, M or G.",
      options.budgets.arena);
  line.bytes("--max-text",
             "Limit for code and constants, without weights. If the model needs more, loops get smaller register "
             "blocks, which are less code, beginning where this costs the least time per byte. If that is not enough, "
             "nothing is written, and the error names the largest tasks.",
             options.budgets.text);
  line.bytes("--max-weights",
             "Limit for the weights, in the object or in a file. If the model needs more, filters of convolutions are "
             "stored as in the model instead of transformed for Winograd's method, beginning where this costs the "
             "least time per byte. If that is not enough, nothing is written, and the error names the largest weights.",
             options.budgets.weights);
  line.group("code");
  declareTarget(line, options, /*several=*/true);
  declareGpu(line, options);
  declareGpuLaunch(line, options);
  declareDimensions(line, options.sizes);
  declareForms(line, options.forms);
  declarePlugins(line, options.plugins);
  declareExterns(line, options);
  line.integer("--threads", "N", "Number of threads to schedule for. The object runs on any number. Default: 1.",
               threads, 1, CAMEO_MAX_THREADS);
  records.declare(line);
  declareRounding(line, options);
  line.flag("--no-libc",
            "Fail if the object needs any function of the C library but memcpy, memmove, memset and memcmp. The error "
            "names the nodes and the function. The object links with -nostdlib; from the runtime it needs one symbol, "
            "the ABI version.",
            options.noLibc);
  line.flag("--naive", "The reference path: one task per operator, plain loops.", options.naive);
  line.flag("--wide", "As --naive, with all numbers of float32 as float64: hardly rounds.", options.wide);
  line.group("messages");
  line.flag("--timing", "Print the time of each phase to standard error.", options.timing);
  line.flag("-v", "Say what is done, and print remarks.", options.verbose);
  line.text("--remarks", "REGEX",
            "Print the decisions of the passes whose names match, and their reasons: form-tasks (what is not fused), "
            "choose-layout (what is transposed), schedule-tasks (which convolutions use Winograd's method).",
            options.remarks);
}

CompileOptions CompileArguments::finish() const {
  CompileOptions result = options;
  result.emit = *parseEmit(emit);
  result.threads = static_cast<int>(threads);
  result.naive |= result.wide;
  result.records = records.get();
  return result;
}
