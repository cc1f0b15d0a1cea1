// The functions of ONNX Runtime's C API that are needed here, by their index in its function table. The project
// guarantees that the table is never reordered, so its header is not needed to build.
#ifndef CAMEO_UTILS_DRIVER_RUN_ORTAPI_H
#define CAMEO_UTILS_DRIVER_RUN_ORTAPI_H

#include <cstddef>
#include <cstdint>

namespace cameo::ort {

/// The oldest version whose table has all of the functions below (release 1.17).
constexpr uint32_t apiVersion = 17;

/// Types of values other than tensors.
constexpr int sequenceType = 2, mapType = 3;

struct ApiBase {
  const void *const *(*getApi)(uint32_t version);
  const char *(*getVersion)();
};

// Opaque to us.
struct Env;
struct Session;
struct SessionOptions;
struct Status;
struct Value;
struct MemoryInfo;
struct Allocator;
struct TensorInfo;
struct TypeInfo;

/// An index in the table with the type of the function. Functions that can fail return a status, null on success.
template <int Place, typename Function> struct Entry {
  static Function *in(const void *const *table) {
    return reinterpret_cast<Function *>(const_cast<void *>(table[Place]));
  }
};

using GetErrorMessage = Entry<2, const char *(const Status *)>;
using CreateEnv = Entry<3, Status *(int loggingLevel, const char *name, Env **)>;
using CreateSession = Entry<7, Status *(const Env *, const char *path, const SessionOptions *, Session **)>;
using Run =
    Entry<9, Status *(Session *, const void *runOptions, const char *const *inputNames, const Value *const *inputs,
                      size_t inputCount, const char *const *outputNames, size_t outputCount, Value **outputs)>;
using CreateSessionOptions = Entry<10, Status *(SessionOptions **)>;
using SetGraphOptimizationLevel = Entry<23, Status *(SessionOptions *, int level)>;
using SetIntraOpNumThreads = Entry<24, Status *(SessionOptions *, int threads)>;
using SetInterOpNumThreads = Entry<25, Status *(SessionOptions *, int threads)>;
using GetInputCount = Entry<30, Status *(const Session *, size_t *)>;
using GetOutputCount = Entry<31, Status *(const Session *, size_t *)>;
using GetInputType = Entry<33, Status *(const Session *, size_t index, TypeInfo **)>;
using GetInputName = Entry<36, Status *(const Session *, size_t index, Allocator *, char **)>;
using GetOutputName = Entry<37, Status *(const Session *, size_t index, Allocator *, char **)>;
using CreateTensor = Entry<48, Status *(Allocator *, const int64_t *shape, size_t rank, int elementType, Value **)>;
using CreateTensorWithData = Entry<49, Status *(const MemoryInfo *, void *data, size_t bytes, const int64_t *shape,
                                                size_t rank, int elementType, Value **)>;
using GetTensorMutableData = Entry<51, Status *(Value *, void **)>;
using FillStringTensor = Entry<52, Status *(Value *, const char *const *strings, size_t count)>;
using GetStringTensorDataLength = Entry<53, Status *(const Value *, size_t *bytes)>;
using GetStringTensorContent =
    Entry<54, Status *(const Value *, void *strings, size_t bytes, size_t *offsets, size_t count)>;
/// The result belongs to the type, and is null for other types than tensors.
using CastToTensorInfo = Entry<55, Status *(const TypeInfo *, const TensorInfo **)>;
using GetTensorElementType = Entry<60, Status *(const TensorInfo *, int *)>;
using GetDimensionsCount = Entry<61, Status *(const TensorInfo *, size_t *)>;
using GetDimensions = Entry<62, Status *(const TensorInfo *, int64_t *, size_t)>;
using GetDimensionNames = Entry<63, Status *(const TensorInfo *, const char **, size_t)>;
using GetTensorTypeAndShape = Entry<65, Status *(const Value *, TensorInfo **)>;
using GetValueType = Entry<67, Status *(const Value *, int *)>;
using CreateCpuMemoryInfo = Entry<69, Status *(int allocatorType, int memoryType, MemoryInfo **)>;
using AllocatorFree = Entry<76, Status *(Allocator *, void *)>;
using GetDefaultAllocator = Entry<78, Status *(Allocator **)>;
using GetValue = Entry<80, Status *(const Value *, int index, Allocator *, Value **)>;
using GetValueCount = Entry<81, Status *(const Value *, size_t *)>;
using CreateValue = Entry<82, Status *(const Value *const *elements, size_t count, int valueType, Value **)>;
using ReleaseEnv = Entry<92, void(Env *)>;
using ReleaseStatus = Entry<93, void(Status *)>;
using ReleaseMemoryInfo = Entry<94, void(MemoryInfo *)>;
using ReleaseSession = Entry<95, void(Session *)>;
using ReleaseValue = Entry<96, void(Value *)>;
using ReleaseTypeInfo = Entry<98, void(TypeInfo *)>;
using ReleaseTensorInfo = Entry<99, void(TensorInfo *)>;
using ReleaseSessionOptions = Entry<100, void(SessionOptions *)>;
using AddSessionConfigEntry = Entry<130, Status *(SessionOptions *, const char *key, const char *value)>;
using HasValue = Entry<192, Status *(const Value *, int *)>;

} // namespace cameo::ort

#endif
