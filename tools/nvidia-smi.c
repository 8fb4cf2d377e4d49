/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nvidia-smi as far as programs and scripts ask it: the list of devices (-L), a query in CSV (--query-gpu=…), the
 * table, and the summary of -q. All comes from the NVML beside it. A field that NVML has no answer to is [N/A], one
 * that nobody knows is refused, as there.
 */
#include "../include/nvml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROOM = 160 };

/* --- the fields of a query ---------------------------------------------------------------------------------------- */

typedef nvmlReturn_t ask(nvmlDevice_t device, char *to);

#define TEXT(function, ...)                                                                                            \
  static nvmlReturn_t ask_##function(nvmlDevice_t device, char *to) {                                                  \
    return nvmlDeviceGet##function(device, to, ROOM);                                                                  \
  }
TEXT(Name)
TEXT(UUID)
TEXT(Serial)
TEXT(VbiosVersion)

static nvmlReturn_t ask_index(nvmlDevice_t device, char *to) {
  unsigned int index;
  nvmlReturn_t result = nvmlDeviceGetIndex(device, &index);
  snprintf(to, ROOM, "%u", index);
  return result;
}
static nvmlReturn_t ask_count(nvmlDevice_t device, char *to) {
  unsigned int count;
  nvmlReturn_t result = nvmlDeviceGetCount_v2(&count);
  (void)device;
  snprintf(to, ROOM, "%u", count);
  return result;
}
static nvmlReturn_t ask_driver(nvmlDevice_t device, char *to) {
  (void)device;
  return nvmlSystemGetDriverVersion(to, ROOM);
}
static nvmlReturn_t ask_time(nvmlDevice_t device, char *to) {
  time_t now = time(NULL);
  (void)device;
  return strftime(to, ROOM, "%Y/%m/%d %H:%M:%S.000", localtime(&now)) ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}
static nvmlReturn_t ask_bus(nvmlDevice_t device, char *to) {
  nvmlPciInfo_t pci;
  nvmlReturn_t result = nvmlDeviceGetPciInfo_v3(device, &pci);
  snprintf(to, ROOM, "%s", result == NVML_SUCCESS ? pci.busId : "");
  return result;
}
static nvmlReturn_t ask_capability(nvmlDevice_t device, char *to) {
  int major, minor;
  nvmlReturn_t result = nvmlDeviceGetCudaComputeCapability(device, &major, &minor);
  snprintf(to, ROOM, "%d.%d", major, minor);
  return result;
}

#define NUMBER(name, type, call, format, value)                                                                        \
  static nvmlReturn_t ask_##name(nvmlDevice_t device, char *to) {                                                      \
    type found = {0};                                                                                                  \
    nvmlReturn_t result = call;                                                                                        \
    snprintf(to, ROOM, format, value);                                                                                 \
    return result;                                                                                                     \
  }
NUMBER(total, nvmlMemory_t, nvmlDeviceGetMemoryInfo(device, &found), "%llu", found.total >> 20)
NUMBER(used, nvmlMemory_t, nvmlDeviceGetMemoryInfo(device, &found), "%llu", found.used >> 20)
NUMBER(free, nvmlMemory_t, nvmlDeviceGetMemoryInfo(device, &found), "%llu", found.free >> 20)
NUMBER(busy, nvmlUtilization_t, nvmlDeviceGetUtilizationRates(device, &found), "%u", found.gpu)
NUMBER(busy_memory, nvmlUtilization_t, nvmlDeviceGetUtilizationRates(device, &found), "%u", found.memory)
NUMBER(heat, unsigned int, nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &found), "%u", found)
NUMBER(power, unsigned int, nvmlDeviceGetPowerUsage(device, &found), "%.2f", found * 1e-3)
NUMBER(power_limit, unsigned int, nvmlDeviceGetPowerManagementLimit(device, &found), "%.2f", found * 1e-3)
NUMBER(clock, unsigned int, nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &found), "%u", found)
NUMBER(clock_memory, unsigned int, nvmlDeviceGetClockInfo(device, NVML_CLOCK_MEM, &found), "%u", found)
NUMBER(most_clock, unsigned int, nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM, &found), "%u", found)
NUMBER(fan, unsigned int, nvmlDeviceGetFanSpeed(device, &found), "%u", found)
NUMBER(state, nvmlPstates_t, nvmlDeviceGetPerformanceState(device, &found), "P%d", (int)found)

static nvmlReturn_t ask_mode(nvmlDevice_t device, char *to) {
  nvmlComputeMode_t mode;
  nvmlReturn_t result = nvmlDeviceGetComputeMode(device, &mode);
  snprintf(to, ROOM, "%s",
           result == NVML_SUCCESS && mode != NVML_COMPUTEMODE_DEFAULT ? "Exclusive_Process" : "Default");
  return result;
}
static nvmlReturn_t ask_none(nvmlDevice_t device, char *to) {
  (void)device, (void)to;
  return NVML_ERROR_NOT_SUPPORTED;
}

static const struct field {
  const char *name, *other, *unit; /* other: the older name */
  ask *ask;
} fields[] = {
    {"timestamp", "", "", ask_time},
    {"driver_version", "", "", ask_driver},
    {"count", "", "", ask_count},
    {"name", "gpu_name", "", ask_Name},
    {"index", "", "", ask_index},
    {"uuid", "gpu_uuid", "", ask_UUID},
    {"serial", "gpu_serial", "", ask_Serial},
    {"vbios_version", "", "", ask_VbiosVersion},
    {"pci.bus_id", "gpu_bus_id", "", ask_bus},
    {"compute_cap", "", "", ask_capability},
    {"compute_mode", "", "", ask_mode},
    {"memory.total", "", "MiB", ask_total},
    {"memory.used", "", "MiB", ask_used},
    {"memory.free", "", "MiB", ask_free},
    {"utilization.gpu", "", "%", ask_busy},
    {"utilization.memory", "", "%", ask_busy_memory},
    {"temperature.gpu", "", "", ask_heat},
    {"power.draw", "power.draw.instant", "W", ask_power},
    {"power.limit", "enforced.power.limit", "W", ask_power_limit},
    {"clocks.sm", "clocks.current.sm", "MHz", ask_clock},
    {"clocks.gr", "clocks.current.graphics", "MHz", ask_clock},
    {"clocks.mem", "clocks.current.memory", "MHz", ask_clock_memory},
    {"clocks.max.sm", "clocks.max.graphics", "MHz", ask_most_clock},
    {"fan.speed", "", "%", ask_fan},
    {"pstate", "", "", ask_state},
    {"persistence_mode", "", "", ask_none},
    {"ecc.mode.current", "", "", ask_none},
    {"mig.mode.current", "", "", ask_none},
    {"display_active", "", "", ask_none},
    {"display_mode", "", "", ask_none},
};

static const struct field *field_of(const char *name) {
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (strcmp(name, fields[i].name) == 0 || (*fields[i].other && strcmp(name, fields[i].other) == 0))
      return &fields[i];
  return NULL;
}

static const char *answer(const struct field *field, nvmlDevice_t device, char text[ROOM]) {
  return field->ask(device, text) == NVML_SUCCESS ? text : "[N/A]";
}

/* --- the forms ---------------------------------------------------------------------------------------------------- */

static int query(char *names, const char *format, const nvmlDevice_t *devices, unsigned int count) {
  enum { MOST = 64 };
  const struct field *asked[MOST];
  int asked_count = 0, header = !strstr(format, "noheader"), units = !strstr(format, "nounits");
  if (strncmp(format, "csv", 3) != 0) {
    printf("\"--format=\" switch is missing value. Please run 'nvidia-smi -h' for help.\n");
    return 2;
  }
  for (char *name = strtok(names, ", "); name; name = strtok(NULL, ", ")) {
    if (asked_count == MOST || !(asked[asked_count++] = field_of(name))) {
      printf("Field \"%s\" is not a valid field to query.\n", name);
      return 2;
    }
  }
  for (int i = 0; header && i < asked_count; i++)
    printf("%s%s%s%s%s", i ? ", " : "", asked[i]->name, units && *asked[i]->unit ? " [" : "",
           units ? asked[i]->unit : "", units && *asked[i]->unit ? "]" : "");
  if (header)
    putchar('\n');
  for (unsigned int d = 0; d < count; d++) {
    for (int i = 0; i < asked_count; i++) {
      char text[ROOM];
      const char *found = answer(asked[i], devices[d], text);
      printf("%s%s%s%s", i ? ", " : "", found, units && found == text && *asked[i]->unit ? " " : "",
             units && found == text ? asked[i]->unit : "");
    }
    putchar('\n');
  }
  return 0;
}

static void versions(char driver[ROOM], int *cuda) {
  if (nvmlSystemGetDriverVersion(driver, ROOM) != NVML_SUCCESS)
    strcpy(driver, "N/A");
  if (nvmlSystemGetCudaDriverVersion_v2(cuda) != NVML_SUCCESS)
    *cuda = 0;
}

static const char *value(const char *name, nvmlDevice_t device, char text[ROOM]) {
  return answer(field_of(name), device, text);
}

static int table(const nvmlDevice_t *devices, unsigned int count) {
  static const char line[] =
      "+-----------------------------------------------------------------------------------------+";
  char driver[ROOM], text[8][ROOM];
  int cuda;
  versions(driver, &cuda);
  printf("%s\n| NVIDIA-SMI %-19.19s Driver Version: %-14.14s CUDA Version: %2d.%-8d |\n%s\n", line, driver, driver,
         cuda / 1000, cuda % 1000 / 10, line);
  printf("| %-4s%-40s%-20s%-24s|\n", "GPU", "Name", "Memory-Usage", "GPU-Util");
  for (unsigned int d = 0; d < count; d++) {
    char memory[2 * ROOM + 16];
    snprintf(memory, sizeof memory, "%sMiB / %sMiB", value("memory.used", devices[d], text[0]),
             value("memory.total", devices[d], text[1]));
    printf("| %3s %-38.38s %-21.21s %3s%% %-19s|\n", value("index", devices[d], text[2]),
           value("name", devices[d], text[3]), memory, value("utilization.gpu", devices[d], text[4]), "");
  }
  printf("%s\n", line);
  return 0;
}

static int summary(const nvmlDevice_t *devices, unsigned int count) {
  char driver[ROOM], text[ROOM];
  int cuda;
  versions(driver, &cuda);
  printf("\n==============NVSMI LOG==============\n\n%-42s: %s\n%-42s: %d.%d\n\n%-42s: %u\n", "Driver Version", driver,
         "CUDA Version", cuda / 1000, cuda % 1000 / 10, "Attached GPUs", count);
  for (unsigned int d = 0; d < count; d++) {
    printf("GPU %s\n", value("pci.bus_id", devices[d], text));
    printf("    %-38s: %s\n", "Product Name", value("name", devices[d], text));
    printf("    %-38s: %s\n", "GPU UUID", value("uuid", devices[d], text));
    printf("    FB Memory Usage\n        %-34s: %s MiB\n", "Total", value("memory.total", devices[d], text));
    printf("        %-34s: %s MiB\n        ", "Used", value("memory.used", devices[d], text));
    printf("%-34s: %s MiB\n", "Free", value("memory.free", devices[d], text));
  }
  return 0;
}

static int list(const nvmlDevice_t *devices, unsigned int count) {
  char text[3][ROOM];
  for (unsigned int d = 0; d < count; d++)
    printf("GPU %s: %s (UUID: %s)\n", value("index", devices[d], text[0]), value("name", devices[d], text[1]),
           value("uuid", devices[d], text[2]));
  return 0;
}

/* `--query-gpu=a,b`, or the value is the next word; null: this is another option. */
static char *value_of(const char *option, int count, char **arguments, int *at) {
  size_t length = strlen(option);
  if (strncmp(arguments[*at], option, length) != 0)
    return NULL;
  if (arguments[*at][length] == '=')
    return arguments[*at] + length + 1;
  return !arguments[*at][length] && *at + 1 < count ? arguments[++*at] : NULL;
}

int main(int count, char **arguments) {
  enum { MOST = 64 };
  nvmlDevice_t devices[MOST];
  unsigned int device_count = 0, kept = 0;
  char *names = NULL, *format = "", *which = NULL, *found;
  int lists = 0, sums_up = 0;
  for (int i = 1; i < count; i++) {
    if ((found = value_of("--query-gpu", count, arguments, &i)))
      names = found;
    else if ((found = value_of("--format", count, arguments, &i)))
      format = found;
    else if ((found = value_of("--id", count, arguments, &i)) || (found = value_of("-i", count, arguments, &i)))
      which = found;
    else if (strcmp(arguments[i], "-L") == 0 || strcmp(arguments[i], "--list-gpus") == 0)
      lists = 1;
    else if (strcmp(arguments[i], "-q") == 0 || strcmp(arguments[i], "--query") == 0)
      sums_up = 1;
    else if (strcmp(arguments[i], "-h") == 0 || strcmp(arguments[i], "--help") == 0)
      return puts("nvidia-smi of unwarp: -L, -q, -i INDEX_OR_UUID, --query-gpu=FIELD,… "
                  "--format=csv[,noheader][,nounits], or nothing for a table") < 0;
    else {
      printf("Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n");
      fprintf(stderr, "nvidia-smi: unwarp's does not know '%s'\n", arguments[i]);
      return 2;
    }
  }
  if (nvmlInit_v2() != NVML_SUCCESS || nvmlDeviceGetCount_v2(&device_count) != NVML_SUCCESS) {
    puts("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.");
    return 9;
  }
  for (unsigned int d = 0; d < device_count && kept < MOST; d++) {
    char index[ROOM], uuid[ROOM];
    if (nvmlDeviceGetHandleByIndex_v2(d, &devices[kept]) != NVML_SUCCESS)
      continue;
    snprintf(index, sizeof index, "%u", d);
    kept += !which || strcmp(which, index) == 0 || strcmp(which, value("uuid", devices[kept], uuid)) == 0;
  }
  if (which && !kept) {
    puts("No devices were found");
    return 6;
  }
  int status = names     ? query(names, format, devices, kept)
               : lists   ? list(devices, kept)
               : sums_up ? summary(devices, kept)
                         : table(devices, kept);
  nvmlShutdown();
  return fflush(stdout) == 0 ? status : 1;
}
