#define _GNU_SOURCE
#include "machine.h"

#include "cameo/abi.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { own_machine = EM_X86_64 };
#elif defined(__aarch64__)
enum { own_machine = EM_AARCH64 };
#elif defined(__arm__)
enum { own_machine = EM_ARM };
#elif defined(__riscv)
enum { own_machine = EM_RISCV };
#else
enum { own_machine = EM_NONE };
#endif

static const char *name_of_machine(uint32_t machine) {
  switch (machine) {
  case EM_X86_64:
    return "x86-64";
  case EM_AARCH64:
    return "AArch64";
  case EM_ARM:
    return "ARM";
  case EM_RISCV:
    return "RISC-V";
  default:
    return "another machine";
  }
}

bool fits_machine(const cameo_package_target *target, char *reason, size_t size) {
  /* CPUID is slow on a virtual machine, and most packages are for the same target as the one before. */
  static cameo_package_target fitting;
  if (target->machine == fitting.machine && memcmp(target, &fitting, sizeof(fitting)) == 0)
    return true;
  if (target->machine != own_machine) {
    snprintf(reason, size, "expected candidates for %s, the architecture of this machine, got candidates for %s",
             name_of_machine(own_machine), name_of_machine(target->machine));
    return false;
  }
  cameo_cpu needed = {.name = ""};
  memcpy(needed.features, target->features, sizeof(needed.features));
  unsetenv("CAMEO_CPU");
  if (cameo_choose_cpu(&needed, 1) == 0) {
    snprintf(reason, size, "this machine's processor lacks instructions that the candidates may use");
    return false;
  }
  fitting = *target;
  return true;
}

/* Reads the first line of a file and removes characters that JSON would have to escape; "" if there is none. */
static void read_line(const char *path, const char *key, char *line, size_t size) {
  static char text[8192];
  line[0] = 0;
  FILE *file = fopen(path, "r");
  while (file && fgets(text, sizeof(text), file)) {
    const char *begin = text;
    if (key && strncmp(text, key, strlen(key)) != 0)
      continue;
    if (key && (begin = strchr(text, ':')) != NULL)
      for (++begin; *begin == ' ';)
        ++begin;
    size_t used = 0;
    for (; begin && *begin && used + 1 < size; ++begin)
      if (*begin >= ' ' && *begin <= '~' && *begin != '"' && *begin != '\\')
        line[used++] = *begin;
    line[used] = 0;
    break;
  }
  if (file)
    fclose(file);
}

/* Returns the size of a cache of CPU 0 in bytes, or 0 if the system does not provide it. */
static long cache_bytes(int level) {
  for (int index = 0; index < 8; ++index) {
    char path[96], text[32];
    snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/level", index);
    read_line(path, NULL, text, sizeof(text));
    if (atoi(text) != level)
      continue;
    snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
    read_line(path, NULL, text, sizeof(text));
    char *unit = text;
    long bytes = strtol(text, &unit, 10);
    return *unit == 'K' ? bytes * 1024 : *unit == 'M' ? bytes * 1024 * 1024 : bytes;
  }
  return 0;
}

/* Reads the names of features in the form of /proc/cpuinfo. */
static void read_features(char *text, size_t size) {
  read_line("/proc/cpuinfo", "flags", text, size);
  if (!text[0])
    read_line("/proc/cpuinfo", "Features", text, size);
  if (!text[0])
    read_line("/proc/cpuinfo", "isa", text, size);
}

double temperature(void) {
  static bool is_told = true;
  char heat[32] = "";
  if (is_told)
    read_line("/sys/class/thermal/thermal_zone0/temp", NULL, heat, sizeof(heat));
  is_told = heat[0] != 0;
  return is_told ? atof(heat) / 1000 : 0;
}

const char *describe_machine(void) {
  static char text[6656];
  if (text[0])
    return text;
  struct utsname system;
  char cpu[96], governor[48], frequency[32];
  static char features[4096];
  memset(&system, 0, sizeof(system));
  uname(&system);
  read_line("/proc/cpuinfo", "model name", cpu, sizeof(cpu));
  if (!cpu[0])
    read_line("/proc/cpuinfo", "CPU part", cpu, sizeof(cpu));
  read_features(features, sizeof(features));
  read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", NULL, governor, sizeof(governor));
  read_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", NULL, frequency, sizeof(frequency));
  const char *asked = getenv("CAMEO_WORKER_GPU"), *gpu = asked && strcmp(asked, "1") == 0 ? name_of_gpu() : "";
  size_t size = sizeof(text);
  long cpus = sysconf(_SC_NPROCESSORS_ONLN), l1 = cache_bytes(1), l2 = cache_bytes(2), l3 = cache_bytes(3);
  int used = snprintf(text, size,
                      "{\"machine\":\"%s\",\"system\":\"%s "
                      "%s\",\"cpu\":\"%s\",\"cpus\":%ld,\"l1_bytes\":%ld,\"l2_bytes\":%ld,\"l3_bytes\":%ld",
                      system.machine, system.sysname, system.release, cpu, cpus, l1, l2, l3);
  /* After the text for users, further properties that distinguish machines. */
  static char apart[sizeof(features) + 256];
  snprintf(apart, sizeof(apart), "%s %s %ld %ld %ld %ld %s", system.machine, cpu, cpus, l1, l2, l3, features);
  used += snprintf(text + used, size - (size_t)used,
                   ",\"identity\":\"%s, %s, %ld CPUs, caches of %ld and %ld bytes, %08x%s%s\"", system.machine, cpu,
                   cpus, l2, l3, (unsigned)(cameo_package_digest(apart, strlen(apart)) >> 32), gpu[0] ? ", " : "", gpu);
  if (gpu[0])
    used += snprintf(text + used, size - (size_t)used, ",\"gpu\":\"%s\"", gpu);
  if (governor[0])
    used += snprintf(text + used, size - (size_t)used, ",\"governor\":\"%s\"", governor);
  if (frequency[0])
    used += snprintf(text + used, size - (size_t)used, ",\"mhz\":%.0f", atof(frequency) / 1000);
  snprintf(text + used, size - (size_t)used, ",\"features\":\"%s\"}", features);
  return text;
}
