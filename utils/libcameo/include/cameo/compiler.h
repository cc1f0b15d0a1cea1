/* The compiler as a library, libcameo.so: an ONNX model from a file or from memory becomes an object file and a header,
 * or what 'cameo compile' makes beside them, in files or in memory.
 *
 *   cameo_compiler *compiler = cameo_compiler_create();
 *   cameo_compiler_add_argument(compiler, "net.onnx");
 *   cameo_compiler_add_argument(compiler, "--cpu=x86-64-v3");
 *   cameo_compiler_status status = cameo_compiler_run(compiler);
 *   cameo_compiler_destroy(compiler);
 *
 * What is said here stays so in all versions with the same CAMEO_COMPILER_API_VERSION. Options are those of 'cameo
 * compile', whose help explains them. The compiler installs no signal handlers and changes no state of the process but
 * files that it is told to write; it needs no environment, but --emit=exe, which runs the C compiler that CC names.
 *
 * Threads: each compiler is used by one thread at a time, but for cameo_compiler_cancel. Several compilers may run at
 * the same time. */
#ifndef CAMEO_COMPILER_H
#define CAMEO_COMPILER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAMEO_COMPILER_API_VERSION 1

/* The CAMEO_COMPILER_API_VERSION of the library that is loaded. */
int cameo_compiler_api_version(void);

/* The version of the compiler, such as "0.1.0". */
const char *cameo_compiler_version(void);

typedef enum cameo_compiler_status {
  CAMEO_COMPILER_SUCCESS = 0,
  CAMEO_COMPILER_FAILURE = 1,  /* the messages say why */
  CAMEO_COMPILER_CANCELLED = 2 /* by cameo_compiler_cancel */
} cameo_compiler_status;

typedef enum cameo_compiler_severity {
  CAMEO_COMPILER_ERROR = 0,
  CAMEO_COMPILER_WARNING = 1,
  CAMEO_COMPILER_NOTE = 2,  /* belongs to the message before it */
  CAMEO_COMPILER_REMARK = 3 /* only with the argument -v */
} cameo_compiler_severity;

/* One compilation: arguments, then a run. */
typedef struct cameo_compiler cameo_compiler;

/* Never NULL: where memory is exhausted, the process ends. */
cameo_compiler *cameo_compiler_create(void);

/* With all that it holds, outputs in memory included. NULL is allowed. */
void cameo_compiler_destroy(cameo_compiler *compiler);

/* A message of one line, in UTF-8 without its end. `place` is the file and the node that it is about, such as
 * "net.onnx: node #17 'Conv_17'"; "" where it is about an argument. Both are valid during the call. */
typedef void (*cameo_compiler_message_handler)(void *user, cameo_compiler_severity severity, const char *place,
                                               const char *message);

/* What the compiler does now: "import", "graph", ..., as --timing names it. "" when it returns to its caller. */
typedef void (*cameo_compiler_phase_handler)(void *user, const char *phase);

/* Who hears messages; without one, or with NULL, they go to standard error. The handler is called from one thread at a
 * time, and not always from the one that calls cameo_compiler_run. It must not use the compiler, except to cancel it.
 */
void cameo_compiler_set_message_handler(cameo_compiler *compiler, cameo_compiler_message_handler handler, void *user);
void cameo_compiler_set_phase_handler(cameo_compiler *compiler, cameo_compiler_phase_handler handler, void *user);

/* One argument of 'cameo compile': the model, "--option=value", "-o=file" or a flag such as "--naive". The string is
 * copied. A wrong one is reported, and changes nothing. */
cameo_compiler_status cameo_compiler_add_argument(cameo_compiler *compiler, const char *argument);

/* The model from memory, in place of a file: binary protobuf, or ONNX's text syntax if `path` ends as such files do.
 * `path` names it in messages and symbols, and its folder is where external data lies; no file needs to be there. The
 * bytes are not copied: they stay until the run is over. A second one takes the place of the first; NULL as `path`
 * takes it away. */
void cameo_compiler_set_model(cameo_compiler *compiler, const char *path, const void *data, size_t size);

/* Outputs stay in memory, and no file is written. Then the arguments name no output file; with --weights, whose value
 * is not looked at, the weights are an output of their own. --emit=lib and --emit=exe are linked into files and cannot
 * stay in memory. */
void cameo_compiler_keep_outputs(cameo_compiler *compiler);

/* Compiles. Output files exist completely after success, and not at all after anything else. May be called again, with
 * more arguments or the same. */
cameo_compiler_status cameo_compiler_run(cameo_compiler *compiler);

/* From any thread or handler: the run, or else the next one, ends soon with CAMEO_COMPILER_CANCELLED: before the next
 * pass over the model. The generation of machine code is one pass. */
void cameo_compiler_cancel(cameo_compiler *compiler);

typedef enum cameo_compiler_output {
  CAMEO_COMPILER_MAIN = 0,   /* what --emit says: the object, or text */
  CAMEO_COMPILER_HEADER = 1, /* the C header that goes with an object */
  CAMEO_COMPILER_WEIGHTS = 2 /* with --weights: the file that the program maps */
} cameo_compiler_output;

/* An output that stayed in memory, and its size in bytes; NULL and 0 where there is none. The compiler's, until it runs
 * again or is destroyed. No zero byte follows. */
const void *cameo_compiler_get_output(const cameo_compiler *compiler, cameo_compiler_output output, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
