/* Runs net.h's model without C library, and prints the processor whose code ran. */
#include "net.h"

static _Alignas(NET_ALIGNMENT) char workspace[NET_WORKSPACE_BYTES];

static long call(long number, long a, const void *b, long c) {
  __asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return number;
}

__asm__(".globl _start\n_start: andq $-16, %rsp\n call begin");

void begin(void) {
  static const int64_t ids[NET_INPUT_IDS_ELEMENTS];
  static float y[NET_OUTPUT_Y_ELEMENTS];
  net_inputs in = {.ids = ids};
  net_outputs out = {.y = y};
  if (net_run(&in, &out, workspace, 0) != CAMEO_OK || !net_cpu())
    call(60, 1, 0, 0);
  long length = 0;
  while (net_cpu()[length])
    ++length;
  call(1, 1, net_cpu(), length);
  call(60, 0, 0, 0);
}

/* What the object may call. */
void *memset(void *to, int value, unsigned long count) {
  for (char *at = to; count > 0; --count)
    *at++ = (char)value;
  return to;
}
