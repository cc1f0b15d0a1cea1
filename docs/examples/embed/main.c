/* A program that holds the compiler: a model from memory becomes an object and a header in memory. */
#include <cameo/compiler.h>

#include <stdio.h>
#include <string.h>

static const char model[] = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                            "double (float[4] x) => (float[4] y) { y = Add(x, x) }\n";

static void print_message(void *user, cameo_compiler_severity severity, const char *place, const char *message) {
  fprintf(user, "%s%s: %s\n", severity == CAMEO_COMPILER_ERROR ? "error: " : "", place, message);
}

int main(void) {
  cameo_compiler *compiler = cameo_compiler_create();
  cameo_compiler_set_message_handler(compiler, print_message, stderr);
  cameo_compiler_set_model(compiler, "twice.onnxtxt", model, strlen(model));
  cameo_compiler_keep_outputs(compiler);
  cameo_compiler_status status = cameo_compiler_run(compiler);
  size_t object_bytes = 0, header_bytes = 0;
  const char *object = cameo_compiler_get_output(compiler, CAMEO_COMPILER_MAIN, &object_bytes);
  cameo_compiler_get_output(compiler, CAMEO_COMPILER_HEADER, &header_bytes);
  if (status == CAMEO_COMPILER_SUCCESS && header_bytes > 0 && object_bytes > 4)
    printf("%.3s object and its header\n", object + 1);
  cameo_compiler_destroy(compiler);
  return status == CAMEO_COMPILER_SUCCESS ? 0 : 1;
}
