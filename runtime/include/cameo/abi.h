/* The contract between a compiled model and everything that calls it: generated headers, libcameo_rt.a, generic tools
 * and objects of other versions. Plain C11 and C++; depends on nothing. Versioned like a schema: a change to any type
 * below raises CAMEO_ABI_VERSION, which also renames the symbol that every object refers to, so that an object and a
 * runtime of different versions fail at link time. */
#ifndef CAMEO_ABI_H
#define CAMEO_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAMEO_ABI_VERSION 4

/* Referred to by every object, defined by the runtime of the same version; holds CAMEO_ABI_VERSION. */
extern const uint32_t cameo_abi_4;

/* Alignment, in bytes, of the workspace and of an external weights file's mapping. Inputs and outputs need only the
 * alignment of their element type. */
#define CAMEO_ALIGNMENT 64

typedef enum cameo_status {
  CAMEO_OK = 0,
  /* A null buffer, a misaligned workspace, a dimension out of range. */
  CAMEO_INVALID_ARGUMENT = 1,
  /* A description or context of another ABI version. */
  CAMEO_ABI_MISMATCH = 2,
  /* Only from functions of the runtime that create something; `run` allocates nothing. */
  CAMEO_OUT_OF_MEMORY = 3,
  /* An external weights file that is absent, short or of another model. */
  CAMEO_WEIGHTS_MISMATCH = 4,
  /* A file could not be opened or mapped. */
  CAMEO_IO_ERROR = 5,
  /* The area for texts is too small: its member `used` says how many bytes were asked for. */
  CAMEO_TEXT_AREA_FULL = 6,
  /* The object is for several processors, and this machine is none of them, see cameo_choose_cpu. */
  CAMEO_UNSUPPORTED_CPU = 7,
  /* A function of the program that computes a node (--extern-ops) returned another status than 0. */
  CAMEO_EXTERN_FAILED = 8,
  /* The model is for a GPU: `run` was called, which is for processors, or there is no driver or device for it, see
   * cameo/gpu.h. */
  CAMEO_NO_GPU = 9,
  /* The driver of the GPU reported an error: cameo_gpu_error has its words. */
  CAMEO_GPU_FAILED = 10,
  /* The run has found a size, or a number of rounds, for which the model was not compiled (--bound). */
  CAMEO_BOUND_EXCEEDED = 11
} cameo_status;

/* Element types, numbered as ONNX's TensorProto.DataType. BOOL is one byte, 0 or 1. Elements of 4 and 2 bits take a
 * byte each, too: the element is its low bits. Outputs have zeros in the others, those of inputs are not read. An
 * element of type STRING is the address of a text in UTF-8 that ends at its first zero byte: `const char *const *` for
 * an input. Never null. */
typedef enum cameo_element_type {
  CAMEO_FLOAT32 = 1,
  CAMEO_UINT8 = 2,
  CAMEO_INT8 = 3,
  CAMEO_UINT16 = 4,
  CAMEO_INT16 = 5,
  CAMEO_INT32 = 6,
  CAMEO_INT64 = 7,
  CAMEO_STRING = 8,
  CAMEO_BOOL = 9,
  CAMEO_FLOAT16 = 10,
  CAMEO_FLOAT64 = 11,
  CAMEO_UINT32 = 12,
  CAMEO_UINT64 = 13,
  CAMEO_BFLOAT16 = 16,
  CAMEO_FLOAT8E4M3FN = 17,
  CAMEO_FLOAT8E4M3FNUZ = 18,
  CAMEO_FLOAT8E5M2 = 19,
  CAMEO_FLOAT8E5M2FNUZ = 20,
  CAMEO_UINT4 = 21,
  CAMEO_INT4 = 22,
  CAMEO_FLOAT4E2M1 = 23,
  CAMEO_FLOAT8E8M0 = 24,
  CAMEO_UINT2 = 25,
  CAMEO_INT2 = 26
} cameo_element_type;

/* One input or output: dense, row-major. */
typedef struct cameo_tensor_description {
  const char *name; /* as in the ONNX graph */
  /* `rank` dimensions. Where the size is dynamic: -1 - i for the model's symbol number i; from symbol_count on, i is
   * symbol_count and the number of a derived size. From symbol_count + derived_count on, the data decides (how many
   * boxes are found), of outputs alone: i is that and the number of the size that it is at most. */
  const int64_t *shape;
  uint64_t size_bytes; /* 0 where the run knows it (and for an empty tensor) */
  int32_t rank;
  int32_t element_type; /* cameo_element_type */
} cameo_tensor_description;

/* Of a tensor that a function of the program gets (--extern-ops). */
typedef struct cameo_shape {
  int64_t rank;
  int64_t elements;     /* the product of the sizes */
  const int64_t *sizes; /* `rank` of them */
} cameo_shape;

/* One task: a fused subgraph, the unit of tuning and of profiling. */
typedef struct cameo_task_description {
  const char *name;     /* of the ONNX nodes it holds, joined by '+' */
  const char *key;      /* the canonical task key */
  double flops;         /* of one execution; below 0: the sizes of the run decide */
  double bytes;         /* read and written, each operand once; below 0: as above */
  const char *schedule; /* how it is computed, in short, for people */
} cameo_task_description;

/* Memory of the caller for texts that a run makes, such as numbers that are written out. `run` empties it at its begin.
 * Texts in it live as long as the caller leaves it alone; those of outputs may lie in it, in an input, or in the model.
 * A run that finds it too small goes on with empty texts in place of those that have no room, and ends with
 * CAMEO_TEXT_AREA_FULL: then `used` is above `capacity`, and says how large an area would have held them (more may be
 * needed where texts decide which others are made). */
typedef struct cameo_text_area {
  char *memory; /* `capacity` bytes; may be null for none */
  uint64_t capacity;
  uint64_t used; /* set by `run` */
} cameo_text_area;

/* A kernel executes iterations [begin, end) of its parallel range. Iterations are independent of each other. */
typedef void (*cameo_kernel)(void *const *buffers, int64_t begin, int64_t end);

/* What `run` may use besides its arguments. A null context, or null members, mean: this thread alone, no profile. */
typedef struct cameo_context {
  uint32_t abi_version; /* CAMEO_ABI_VERSION */
  int32_t thread_count; /* parallel_for is called only when this is above 1 */
  /* Must call kernel over all of [0, extent), in pieces, from any threads, and return when all are done. */
  void (*parallel_for)(void *parallel_user, cameo_kernel kernel, void *const *buffers, int64_t extent);
  void *parallel_user;
  /* Called before (begin = 1) and after (begin = 0) each task, on the thread that called `run`. */
  void (*profile)(void *profile_user, uint32_t task_index, int32_t begin);
  void *profile_user;
  const void *weights; /* base of the external weights, for a model compiled with --weights; else unused */
} cameo_context;

/* A processor that an object is for, one of several. */
typedef struct cameo_cpu {
  const char *name; /* as LLVM has it: "x86-64-v3" */
  /* What a machine must have, as its architecture numbers it. x86-64: of CPUID, ECX of leaf 1; EBX, ECX and EDX of leaf
   * 7; EAX and EDX of leaf 7, part 1; ECX of leaf 0x80000001; 0; all as far as the operating system keeps their
   * registers. AArch64: the lower and the upper half of AT_HWCAP, then of AT_HWCAP2, as Linux has them; 0. */
  uint32_t features[8];
} cameo_cpu;

/* The number of the first of `count` processors that this machine can stand for, counted from 1; 0 for none. The first
 * run of an object for several processors calls it, and remembers the answer. The environment variable CAMEO_CPU, where
 * it has a value, admits only the processor of that name: so tests reach the code for older machines. Allocates
 * nothing; on x86-64 it needs no C library, and there is no such variable without one. */
int32_t cameo_choose_cpu(const cameo_cpu *cpus, uint32_t count);

/* Describes a model to generic tools; every object exports one as PREFIX_description. All pointers live as long as
 * the program. */
typedef struct cameo_model_description {
  uint32_t abi_version;  /* CAMEO_ABI_VERSION */
  uint32_t struct_bytes; /* sizeof(cameo_model_description) of the compiler */
  const char *name;
  const char *target; /* "triple/cpu" that the object was compiled for; of several CPUs all, with commas between */
  const cameo_tensor_description *inputs;
  const cameo_tensor_description *outputs;
  /* In order of first execution; where there are several CPUs, those of each behind those of the one before. */
  const cameo_task_description *tasks;
  const char *const *symbols; /* names of the dimensions of the inputs whose sizes each run chooses */
  const char *const *derived; /* the other dynamic sizes, such as "past + 1", for people to read */
  uint32_t input_count;
  uint32_t output_count;
  uint32_t task_count;
  uint32_t symbol_count;
  uint32_t derived_count;
  uint32_t greatest_count; /* sizes that dimensions which data decides are at most */
  uint32_t makes_texts;    /* 1 where `run` takes a cameo_text_area */
  uint64_t weights_bytes;
  uint64_t external_weights_hash; /* 0: the weights are in the object */
  /* Per output, the number of the input whose memory it may be, or -1; null where all are -1. So a cache is one buffer:
   * `run` writes the rows that are new, where it copies the others from an input elsewhere. Any other memory of an
   * input must not be that of an output. */
  const int32_t *shared_inputs;
  /* Below, `symbols` holds one size per symbol; null when symbol_count is 0. Sizes are refused when one is negative or
   * above 2^48, when they make another dimension negative, when a node of the model cannot join them, or when a size in
   * bytes passes 2^63 - 1; and when `symbols` is null though there are some. */
  /* The derived size number `index`, and from derived_count on the greatest size number `index` - derived_count; -1
   * where it is refused. Null when there are none. */
  int64_t (*derived_size)(const int64_t *symbols, uint32_t index);
  /* Bytes of workspace, at a multiple of CAMEO_ALIGNMENT; UINT64_MAX for sizes that `run` refuses. */
  uint64_t (*workspace_size)(const int64_t *symbols);
  /* Reentrant; allocates nothing; changes no global state, but that an object for several processors remembers which
   * one it has found. `inputs`, `outputs`: one pointer each, in the order above; behind the outputs one more for each
   * whose size data decides, in their order: an int64_t[rank] that gets its dimensions, or null. Such an output has
   * room for its greatest sizes and is dense in the sizes that it got. The last one is a cameo_text_area for a model
   * that makes texts. CAMEO_INVALID_ARGUMENT for refused sizes, also those that only the data shows to be so; outputs
   * are undefined then. `workspace`: scratch of this call alone, contents undefined before and after. */
  cameo_status (*run)(const void *const *inputs, void *const *outputs, const int64_t *symbols, void *workspace,
                      const cameo_context *context);
} cameo_model_description;

#ifdef __cplusplus
}
#endif
#endif
