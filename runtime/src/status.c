#include "cameo/runtime.h"

const char *cameo_status_message(cameo_status status) {
  switch (status) {
  case CAMEO_OK:
    return "success";
  case CAMEO_INVALID_ARGUMENT:
    return "invalid argument: a null or misaligned buffer, or a value out of range";
  case CAMEO_ABI_MISMATCH:
    return "the model and the runtime have different ABI versions";
  case CAMEO_OUT_OF_MEMORY:
    return "out of memory or threads";
  case CAMEO_WEIGHTS_MISMATCH:
    return "the weights file is missing, too short or of another model";
  case CAMEO_IO_ERROR:
    return "a file could not be opened or mapped";
  case CAMEO_TEXT_AREA_FULL:
    return "the text area is too small for the strings of the run";
  case CAMEO_UNSUPPORTED_CPU:
    return "the model is not compiled for the processor of this machine";
  case CAMEO_NO_GPU:
    return "the model is compiled for a GPU, and there is no driver or device that can run it";
  case CAMEO_GPU_FAILED:
    return "the driver of the GPU reported an error";
  case CAMEO_BOUND_EXCEEDED:
    return "a computed size or number of iterations exceeds its bound in the model";
  case CAMEO_EXTERN_FAILED:
    return "a function of the program that computes a node failed";
  }
  return "unknown status";
}
