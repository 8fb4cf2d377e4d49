/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * --doctor: is everything there that a compile and its program need? A line for each thing: "ok" and what was found,
 * "note" for what only may matter, or the same error that a compile would give, with the way to get what is missing.
 * Last, a small program is compiled and run. --doctor=json says the same as JSON. */
#include "doctor.h"
#include "help.h"

#include "jobs.h"
#include "other_toolkit.h"
#include "packages.h"
#include "report.h"
#include "temp.h"
#include "toolchain.h"
#include "../support/files.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { NEEDED_MIB = 64, CLANG_MAJOR = 22 };

/* --doctor=json: an object with what else is a line each, on stdout. docs/schemas/doctor.json has its keys. */
static bool as_json;
static size_t things;

static void say_json(const char *state, const char *what, const char *found) {
  printf("%s\n  {\"state\": %s", things++ ? "," : "", uw_json_quoted(state));
  if (what)
    printf(", \"what\": %s", uw_json_quoted(what));
  printf(", \"found\": %s}", uw_json_quoted(found));
}

/* What would be an error of a compile. */
static void say_reported(const char *kind, const char *text) { say_json(kind, NULL, text); }

static void say(const char *state, const char *what, const char *found) {
  if (as_json) {
    say_json(state, what, found);
    return;
  }
  printf("%-5s %-18s %s\n", state, what, found);
  fflush(stdout); /* errors go to stderr in between */
}

/* What a command says on stdout and stderr; null if it fails. */
static const char *output_of(const char *what, uw_strings command) {
  uw_job job = {
      .what = what, .command = command, .output_file = uw_temp_path("out"), .error_file = uw_temp_path("err")};
  return job.output_file && job.error_file && uw_jobs_run(&job, 1) ? uw_read_file(job.output_file) : NULL;
}

static const char *version_of(const char *program) {
  uw_strings command = {0};
  uw_strings_add_many(&command, program, "--version", NULL);
  const char *text = output_of(program, command);
  return text ? text : "";
}

static bool check_clang(uw_toolchain *toolchain) {
  if (!uw_find_compiler(toolchain))
    return false;
  const char *at = strstr(version_of(toolchain->clangxx), "clang version ");
  if (!at || atoi(at + strlen("clang version ")) != CLANG_MAJOR)
    return uw_report_error("'%s' is not clang %d: %s", toolchain->clangxx, CLANG_MAJOR,
                           uw_how_to_install(UW_NEED_CLANG));
  say("ok", "clang", toolchain->clangxx);
  say("ok", "headers", toolchain->include_folder);
  return true;
}

/* What clang and lld do not bring. Elsewhere than in /usr clang may find it all the same, which the test program shows. */
static void look_for_system(void) {
  if (uw_has_c_library())
    say("ok", "C library", "its headers and start files are in /usr");
  else
    say("note", "C library",
        uw_format("its headers or start files are not in /usr: %s", uw_how_to_install(UW_NEED_C_LIBRARY)));
  if (uw_has_cxx_library())
    say("ok", "C++ library", "its headers and libstdc++.so are in /usr");
  else
    say("note", "C++ library",
        uw_format("its headers or libstdc++.so are not in /usr: %s", uw_how_to_install(UW_NEED_CXX_LIBRARY)));
}

static bool check_linker(uw_toolchain *toolchain) {
  if (!uw_find_linker(toolchain, NULL))
    return false;
  say("ok", "runtime", uw_format("%s/libunwarp.a", toolchain->library_folder));
  say("ok", "libomp", toolchain->omp_folder);
  if (toolchain->lld)
    say("ok", "lld", "links programs");
  else
    say("note", "lld", uw_format("is not there: ld links, more slowly (%s)", uw_how_to_install(UW_NEED_LLD)));
  if (!toolchain->have_mvec)
    say("note", "libmvec", "is not there: math functions are not vectorised");
  if (!toolchain->sleef)
    say("note", "SLEEF",
        uw_format(
            "is not there, or was not when unwarp was built: log and sin of double, … are computed lane by lane (%s)",
            uw_how_to_install(UW_NEED_SLEEF)));
  return true;
}

static bool check_libdevice(uw_toolchain *toolchain) {
  if (!uw_find_libdevice(toolchain))
    return false;
  say("ok", "libdevice", toolchain->libdevice);
  return true;
}

static bool check_temporary(void) {
  const char *file = uw_temp_file("probe", "x", 1);
  struct statvfs status;
  if (!file)
    return false;
  char *slash = strrchr(file, '/'), *folder = uw_copy_text(file, (size_t)(slash - file));
  unsigned long long free_mib =
      statvfs(folder, &status) == 0 ? (unsigned long long)status.f_bavail * status.f_frsize >> 20 : 0;
  if (free_mib < NEEDED_MIB)
    return uw_report_error("only %llu MiB are free for temporary files in '%s': set TMPDIR to a folder with more",
                           free_mib, folder);
  slash = strrchr(folder, '/');
  say("ok", "temporary files", uw_format("%.*s, %llu MiB free", (int)(slash - folder), folder, free_mib));
  return true;
}

/* What is found first under the names that build systems call. */
static void look_for_others(void) {
  const char *nvcc = uw_find_program("nvcc"), *cmake = uw_find_program("cmake");
  char *real = nvcc ? realpath(nvcc, NULL) : NULL, *own = realpath("/proc/self/exe", NULL);
  const char *root = uw_find_toolkit(), *launcher = root ? uw_format("%s/bin/nvcc", root) : NULL; /* packaging/wheel */
  if (real && ((own && strcmp(real, own) == 0) || (launcher && strcmp(real, launcher) == 0)))
    say("ok", "nvcc", uw_format("%s, which is unwarp", nvcc));
  else if (nvcc)
    say("note", "nvcc",
        uw_format("%s is another one: Makefiles want NVCC=unwarp, CMake -DCMAKE_CUDA_COMPILER=unwarp", nvcc));
  if (cmake) {
    const char *at = strstr(version_of(cmake), "version ");
    int major = 0, minor = 0;
    if (at && sscanf(at, "version %d.%d", &major, &minor) == 2 && (major < 3 || (major == 3 && minor < 18)))
      say("note", "cmake", uw_format("%s is %d.%d: CUDA as a language wants 3.18", cmake, major, minor));
    else
      say("ok", "cmake", cmake);
  }
  if (!uw_find_program("llvm-addr2line-22") && !uw_find_program("/usr/lib/llvm-22/bin/llvm-addr2line") &&
      !uw_find_program("llvm-addr2line") && !uw_find_program("addr2line"))
    say("note", "addr2line",
        uw_format("is not there: a kernel that faults does not say its line (%s)",
                  uw_how_to_install(UW_NEED_BINUTILS)));
}

static void look_for_headers(void) {
  uw_strings folders = uw_other_toolkit_folders();
  for (size_t i = 0; i < folders.count; i++)
    say("ok", "other headers", uw_format("NVIDIA's are in %s: they are not used", folders.items[i]));
}

static void look_at_threads(void) {
  cpu_set_t set;
  int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
  const char *threads = getenv("OMP_NUM_THREADS");
  if (!threads) {
    say("ok", "threads", uw_format("as many as cores: %d", cores));
    return;
  }
  if (atoi(threads) < 1) {
    say("note", "threads",
        uw_format("OMP_NUM_THREADS=%s is no number: programs say so, and take %d, for the cores", threads, cores));
    return;
  }
  bool one = atoi(threads) == 1 && cores > 1;
  say(one || atoi(threads) > cores ? "note" : "ok", "threads",
      uw_format("OMP_NUM_THREADS=%s, and there are %d cores", threads, cores));
}

/* A barrier, shared memory, a warp operation, math, a template: each program that compiles has some of these. */
static const char test_program[] =
    "#include <cstdio>\n"
    "#include <vector>\n"
    "template <typename T> __global__ void reverse(T *data) {\n"
    "  __shared__ T block[64];\n"
    "  block[threadIdx.x] = data[blockIdx.x * 64 + threadIdx.x] + T(__shfl_sync(~0u, 2, 0)) * sqrtf(T(4));\n"
    "  __syncthreads();\n"
    "  data[blockIdx.x * 64 + threadIdx.x] = block[63 - threadIdx.x];\n"
    "}\n"
    "int main() {\n"
    "  float *data;\n"
    "  std::vector<float> host(512);\n"
    "  for (int i = 0; i < 512; i++)\n"
    "    host[i] = float(i);\n"
    "  cudaMalloc(&data, 512 * sizeof(float));\n"
    "  cudaMemcpy(data, host.data(), 512 * sizeof(float), cudaMemcpyHostToDevice);\n"
    "  reverse<<<8, 64>>>(data);\n"
    "  cudaMemcpy(host.data(), data, 512 * sizeof(float), cudaMemcpyDeviceToHost);\n"
    "  for (int i = 0; i < 512; i++)\n"
    "    if (host[i] != float(i - i % 64 + 63 - i % 64 + 4))\n"
    "      return 1;\n"
    "  puts(\"right\");\n"
    "}\n";

static bool check_program(void) {
  const char *source = uw_temp_file("test.cu", test_program, sizeof test_program - 1), *program = uw_temp_path("test");
  if (!source || !program)
    return false;
  uw_strings command = {0};
  uw_strings_add_many(&command, "/proc/self/exe", "-O2", source, "-o", program, NULL);
  uw_job job = {.what = "compiling a test program", .command = command};
  if (!uw_jobs_run(&job, 1))
    return uw_report_error("a test program does not compile: see above");
  uw_strings run = {0};
  uw_strings_add(&run, program);
  const char *said = output_of("running a test program", run);
  if (!said || strcmp(said, "right\n") != 0)
    return uw_report_error("a test program compiles, and %s", said ? "computes something else" : "does not run");
  say("ok", "a test program", uw_format("compiled in %.1f s, and right", job.seconds));
  return true;
}

bool uw_doctor(bool json) {
  uw_toolchain toolchain = {0};
  as_json = json;
  if (json) {
    uw_report_to(say_reported);
    printf("{\"version\": %s, \"things\": [", uw_json_quoted(UW_VERSION));
  }
  uw_temp_begin(NULL, false);
  bool good = check_temporary();
  if (good) {
    good &= check_clang(&toolchain);
    good &= toolchain.clangxx && check_linker(&toolchain);
    good &= check_libdevice(&toolchain);
    look_for_system();
    look_for_others();
    look_for_headers();
    look_at_threads();
  }
  good = good && check_program();
  if (json) {
    uw_report_to(NULL);
    printf("\n], \"good\": %s}\n", good ? "true" : "false");
    return good;
  }
  say(good ? "ok" : "NO", "", good ? "unwarp can compile and run programs here" : "something is missing: see above");
  return good;
}
