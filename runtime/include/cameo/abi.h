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
  /* The external weights file is missing, too short, or of another model. */
  CAMEO_WEIGHTS_MISMATCH = 4,
  /* A file could not be opened or mapped. */
  CAMEO_IO_ERROR = 5,
  /* The text area is too small; its member `used` holds the number of bytes that were requested. */
  CAMEO_TEXT_AREA_FULL = 6,
  /* The object has code for several processors, and this machine supports none of them, see cameo_choose_cpu. */
  CAMEO_UNSUPPORTED_CPU = 7,
  /* A function of the program that computes a node (--extern-ops) returned a status other than 0. */
  CAMEO_EXTERN_FAILED = 8,
  /* The model is for a GPU, and either the `run` of its description was called, which is for CPUs, or there is no
   * driver or no suitable device, see cameo/gpu.h. */
  CAMEO_NO_GPU = 9,
  /* The GPU driver reported an error; cameo_gpu_error returns its message. */
  CAMEO_GPU_FAILED = 10,
  /* The run computed a size or a number of iterations that exceeds the bound of the model (--bound). */
  CAMEO_BOUND_EXCEEDED = 11
} cameo_status;

/* Element types, numbered as in ONNX's TensorProto.DataType. A BOOL is one byte, 0 or 1. An element of 4 or 2 bits also
 * takes one byte and is stored in its low bits; the high bits are zero in outputs and ignored in inputs. An element of
 * type STRING is the address of a UTF-8 string that ends at its first zero byte: an input is a `const char *const *`.
 * The address is never null. */
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
  /* `rank` dimensions. A dynamic dimension is stored as -1 - i. If i < symbol_count, the dimension is symbol number i.
   * Else if i < symbol_count + derived_count, it is derived size number i - symbol_count. Else it is data-dependent,
   * which only occurs in outputs (for example the number of boxes), and its upper bound is greatest size number i -
   * symbol_count - derived_count. */
  const int64_t *shape;
  uint64_t size_bytes; /* 0 if the size is dynamic (and for an empty tensor) */
  int32_t rank;
  int32_t element_type; /* cameo_element_type */
} cameo_tensor_description;

/* Shape of a tensor that is passed to a function of the program (--extern-ops). */
typedef struct cameo_shape {
  int64_t rank;
  int64_t elements;     /* the product of the sizes */
  const int64_t *sizes; /* `rank` of them */
} cameo_shape;

/* One task: a fused subgraph, the unit of tuning and of profiling. */
typedef struct cameo_task_description {
  const char *name;     /* names of its ONNX nodes, joined by '+' */
  const char *key;      /* the canonical task key */
  double flops;         /* of one execution; negative if it depends on dynamic sizes */
  double bytes;         /* bytes read and written, each operand once; negative as above */
  const char *schedule; /* short description of the schedule, for users */
} cameo_task_description;

/* Memory of the caller for strings that a run creates, such as formatted numbers. `run` clears the area at its start.
 * Strings in the area stay valid until the caller reuses it. Strings of outputs may lie in the area, in an input, or in
 * the model. If the area is too small, the run continues with empty strings in place of those that do not fit, and
 * returns CAMEO_TEXT_AREA_FULL. Then `used` exceeds `capacity` and holds the size that would have been sufficient (more
 * may be needed if the contents of strings decide which other strings are created). */
typedef struct cameo_text_area {
  char *memory; /* `capacity` bytes; may be null if `capacity` is 0 */
  uint64_t capacity;
  uint64_t used; /* set by `run` */
} cameo_text_area;

/* Executes iterations [begin, end) of the parallel loop of a kernel. Iterations are independent of each other. */
typedef void (*cameo_kernel)(void *const *buffers, int64_t begin, int64_t end);

/* Optional services for `run`. With a null context, or null members, it uses the calling thread only and does not
 * profile. */
typedef struct cameo_context {
  uint32_t abi_version; /* CAMEO_ABI_VERSION */
  int32_t thread_count; /* parallel_for is called only if this is above 1 */
  /* Must call `kernel` for all of [0, extent), in pieces, on any threads, and return when all pieces are done. */
  void (*parallel_for)(void *parallel_user, cameo_kernel kernel, void *const *buffers, int64_t extent);
  void *parallel_user;
  /* Called before (begin = 1) and after (begin = 0) each task, on the thread that called `run`. */
  void (*profile)(void *profile_user, uint32_t task_index, int32_t begin);
  void *profile_user;
  const void *weights; /* base address of the external weights, for a model compiled with --weights; else unused */
} cameo_context;

/* One of the processors that an object has code for. */
typedef struct cameo_cpu {
  const char *name; /* LLVM's name, such as "x86-64-v3" */
  /* Feature bits that the machine must have. x86-64: words of CPUID: ECX of leaf 1; EBX, ECX and EDX of leaf 7; EAX and
   * EDX of leaf 7, subleaf 1; ECX of leaf 0x80000001; 0. Features whose registers the operating system does not save
   * count as missing. AArch64: the lower and the upper half of AT_HWCAP, then of AT_HWCAP2, as defined by Linux; 0. */
  uint32_t features[8];
} cameo_cpu;

/* Returns the number, from 1 on, of the first of `count` processors that this machine supports, or 0 if it supports
 * none. An object for several processors calls this in its first run and stores the result. If the environment variable
 * CAMEO_CPU is set and not empty, only the processor of that name is considered, so that tests can run the code for
 * older machines. Allocates nothing. On x86-64 this works without a C library, and CAMEO_CPU is then ignored. */
int32_t cameo_choose_cpu(const cameo_cpu *cpus, uint32_t count);

/* Describes a model to generic tools; every object exports one as PREFIX_description. All pointers are valid as long as
 * the object is loaded. */
typedef struct cameo_model_description {
  uint32_t abi_version;  /* CAMEO_ABI_VERSION */
  uint32_t struct_bytes; /* sizeof(cameo_model_description) of the compiler */
  const char *name;
  const char *target; /* "triple/cpu" that the object was compiled for; several CPUs are separated by commas */
  const cameo_tensor_description *inputs;
  const cameo_tensor_description *outputs;
  /* In order of first execution. With several CPUs, the tasks of each CPU follow those of the one before. */
  const cameo_task_description *tasks;
  const char *const *symbols; /* names of the input dimensions whose sizes the caller sets for each run */
  const char *const *derived; /* the other dynamic sizes as expressions such as "past + 1", for users */
  uint32_t input_count;
  uint32_t output_count;
  uint32_t task_count;
  uint32_t symbol_count;
  uint32_t derived_count;
  uint32_t greatest_count; /* number of upper bounds of data-dependent dimensions */
  uint32_t makes_texts;    /* 1 if `run` takes a cameo_text_area */
  uint64_t weights_bytes;
  uint64_t external_weights_hash; /* 0: the weights are in the object */
  /* For each output, the number of the input whose memory it may share, or -1; null if all are -1. With such a shared
   * buffer, for example a key-value cache, `run` writes only the new rows instead of copying the others from the input.
   * In all other cases the memory of an output must not overlap that of an input. */
  const int32_t *shared_inputs;
  /* In the functions below, `symbols` holds one size for each symbol; it is null if symbol_count is 0. Sizes are
   * invalid if one is negative or above 2^48, if another dimension becomes negative, if a node of the model does not
   * accept them, or if a size in bytes exceeds 2^63 - 1. A null `symbols` is invalid if symbol_count is not 0. */
  /* Returns derived size number `index`, or, from derived_count on, greatest size number `index` - derived_count.
   * Returns -1 for invalid sizes. The pointer is null if there are none of these sizes. */
  int64_t (*derived_size)(const int64_t *symbols, uint32_t index);
  /* Returns the size of the workspace in bytes, or UINT64_MAX for invalid sizes. The workspace must be aligned to
   * CAMEO_ALIGNMENT. */
  uint64_t (*workspace_size)(const int64_t *symbols);
  /* Runs the model. Reentrant; allocates nothing; changes no global state, except that an object for several processors
   * stores which one it has detected. `inputs` and `outputs` hold one pointer for each tensor, in the order above.
   * After the outputs, there is one more pointer for each output with data-dependent dimensions, in their order: an
   * int64_t[rank] that receives its dimensions, or null. Such an output must have room for its greatest sizes, and is
   * dense in its actual sizes. If the model creates strings, the last pointer is a cameo_text_area. `workspace` is
   * scratch memory of this call only; its contents are undefined before and after. Returns CAMEO_INVALID_ARGUMENT for
   * invalid sizes, also if only the data makes them invalid; the outputs are then undefined. */
  cameo_status (*run)(const void *const *inputs, void *const *outputs, const int64_t *symbols, void *workspace,
                      const cameo_context *context);
} cameo_model_description;

#ifdef __cplusplus
}
#endif
#endif
