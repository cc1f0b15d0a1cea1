/* Checks descriptions, because generic tools load them from libraries of unknown origin. */
#include "cameo/runtime.h"

size_t cameo_element_bytes(int32_t element_type) {
  switch (element_type) {
  case CAMEO_UINT8:
  case CAMEO_INT8:
  case CAMEO_BOOL:
  case CAMEO_FLOAT8E4M3FN:
  case CAMEO_FLOAT8E4M3FNUZ:
  case CAMEO_FLOAT8E5M2:
  case CAMEO_FLOAT8E5M2FNUZ:
  case CAMEO_FLOAT8E8M0:
  case CAMEO_FLOAT4E2M1:
  case CAMEO_UINT4:
  case CAMEO_INT4:
  case CAMEO_UINT2:
  case CAMEO_INT2:
    return 1;
  case CAMEO_UINT16:
  case CAMEO_INT16:
  case CAMEO_FLOAT16:
  case CAMEO_BFLOAT16:
    return 2;
  case CAMEO_FLOAT32:
  case CAMEO_INT32:
  case CAMEO_UINT32:
    return 4;
  case CAMEO_INT64:
  case CAMEO_FLOAT64:
  case CAMEO_UINT64:
    return 8;
  case CAMEO_STRING:
    return sizeof(const char *);
  }
  return 0;
}

/* Returns the number of dynamic dimensions. */
static uint64_t dimension_count(const cameo_model_description *model) {
  return (uint64_t)model->symbol_count + model->derived_count + model->greatest_count;
}

int cameo_tensor_is_data_sized(const cameo_model_description *model, const cameo_tensor_description *tensor) {
  if (!model || !tensor || !tensor->shape)
    return 0;
  for (int32_t axis = 0; axis < tensor->rank; ++axis)
    if (tensor->shape[axis] < -(int64_t)((uint64_t)model->symbol_count + model->derived_count))
      return 1;
  return 0;
}

/* Returns the size of a dimension that is stored as `stated`, or a negative number if it is not valid. */
static int64_t dimension(const cameo_model_description *model, int64_t stated, const int64_t *symbols) {
  if (stated >= 0)
    return stated;
  uint64_t number = (uint64_t)(-1 - stated);
  if (!model || (!symbols && model->symbol_count > 0) || number >= dimension_count(model))
    return -1;
  if (number < model->symbol_count)
    return symbols[number];
  return model->derived_size(symbols, (uint32_t)number - model->symbol_count);
}

cameo_status cameo_tensor_shape(const cameo_model_description *model, const cameo_tensor_description *tensor,
                                const int64_t *symbols, int64_t *shape) {
  if (!tensor || tensor->rank < 0 || (tensor->rank > 0 && (!tensor->shape || !shape)))
    return CAMEO_INVALID_ARGUMENT;
  for (int32_t axis = 0; axis < tensor->rank; ++axis) {
    shape[axis] = dimension(model, tensor->shape[axis], symbols);
    if (shape[axis] < 0)
      return CAMEO_INVALID_ARGUMENT;
  }
  return CAMEO_OK;
}

cameo_status cameo_tensor_bytes(const cameo_model_description *model, const cameo_tensor_description *tensor,
                                const int64_t *symbols, uint64_t *bytes) {
  if (!tensor || !bytes || tensor->rank < 0 || (tensor->rank > 0 && !tensor->shape))
    return CAMEO_INVALID_ARGUMENT;
  uint64_t product = cameo_element_bytes(tensor->element_type);
  if (product == 0)
    return CAMEO_INVALID_ARGUMENT;
  int is_empty = 0, is_too_large = 0;
  for (int32_t axis = 0; axis < tensor->rank; ++axis) {
    int64_t size = dimension(model, tensor->shape[axis], symbols);
    if (size < 0)
      return CAMEO_INVALID_ARGUMENT;
    is_empty |= size == 0;
    is_too_large |= size > 0 && product > INT64_MAX / (uint64_t)size;
    product *= (uint64_t)size;
  }
  if (is_too_large && !is_empty) /* the other dimensions of an empty tensor may be huge */
    return CAMEO_INVALID_ARGUMENT;
  *bytes = is_empty ? 0 : product;
  return CAMEO_OK;
}

static cameo_status check_tensor(const cameo_model_description *model, const cameo_tensor_description *tensor) {
  if (!tensor->name || tensor->rank < 0 || (tensor->rank > 0 && !tensor->shape))
    return CAMEO_INVALID_ARGUMENT;
  int is_static = 1;
  for (int32_t axis = 0; axis < tensor->rank; ++axis) {
    int64_t size = tensor->shape[axis];
    if (size >= 0)
      continue;
    is_static = 0;
    if (-1 - size >= (int64_t)dimension_count(model))
      return CAMEO_INVALID_ARGUMENT;
  }
  if (!is_static)
    return cameo_element_bytes(tensor->element_type) ? CAMEO_OK : CAMEO_INVALID_ARGUMENT;
  uint64_t bytes = 0;
  cameo_status status = cameo_tensor_bytes(model, tensor, NULL, &bytes);
  if (status != CAMEO_OK)
    return status;
  return bytes == tensor->size_bytes ? CAMEO_OK : CAMEO_INVALID_ARGUMENT;
}

static cameo_status check_tensors(const cameo_model_description *model, const cameo_tensor_description *tensors,
                                  uint32_t count) {
  if (count > 0 && !tensors)
    return CAMEO_INVALID_ARGUMENT;
  for (uint32_t i = 0; i < count; ++i) {
    cameo_status status = check_tensor(model, &tensors[i]);
    if (status != CAMEO_OK)
      return status;
  }
  return CAMEO_OK;
}

cameo_status cameo_model_check(const cameo_model_description *model) {
  if (!model)
    return CAMEO_INVALID_ARGUMENT;
  if (model->abi_version != CAMEO_ABI_VERSION || model->struct_bytes != sizeof *model)
    return CAMEO_ABI_MISMATCH;
  if (!model->name || !model->target || !model->workspace_size || !model->run)
    return CAMEO_INVALID_ARGUMENT;
  if ((model->task_count > 0 && !model->tasks) || (model->symbol_count > 0 && !model->symbols) ||
      (model->derived_count > 0 && !model->derived) ||
      (model->derived_count + model->greatest_count > 0 && !model->derived_size))
    return CAMEO_INVALID_ARGUMENT;
  cameo_status status = check_tensors(model, model->inputs, model->input_count);
  if (status != CAMEO_OK)
    return status;
  return check_tensors(model, model->outputs, model->output_count);
}
