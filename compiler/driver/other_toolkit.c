/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVIDIA's CUDA tool kit in a folder where clang looks without -I: installers put links into /usr/local/include,
 * distributions the headers into /usr/include, people the folder into CPATH. Its headers are written for its own
 * compiler and know each other's insides: a program that gets one of them beside ours ends in errors of theirs. So for
 * clang they are not there, by an overlay of its file system: of a file whose entry in the overlay leads nowhere it
 * says "not found", and __has_include that too.
 *
 * What the user's -I names is the user's. Thrust and CUB in /usr/include are packages of the distribution's own, for
 * any compiler. */
#include "other_toolkit.h"

#include "option_values.h"
#include "temp.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Files and folders of the tool kit, beside others in a folder that is for all. */
static const char *const names[] = {"builtin_types.h",
                                    "channel_descriptor.h",
                                    "common_functions.h",
                                    "cooperative_groups*",
                                    "crt",
                                    "cuComplex.h",
                                    "cub",
                                    "cublas*.h",
                                    "cuda",
                                    "cuda.h",
                                    "cudaEGL*.h",
                                    "cudaGL*.h",
                                    "cudaProfiler*.h",
                                    "cudaTypedefs.h",
                                    "cudaVDPAU*.h",
                                    "cuda_*.h",
                                    "cuda_*.hpp",
                                    "cudalibxt.h",
                                    "cudart_platform.h",
                                    "cudla.h",
                                    "cudnn*.h",
                                    "cudss*.h",
                                    "cufft*.h",
                                    "cufile.h",
                                    "cupti*.h",
                                    "curand*.h",
                                    "cusolver*.h",
                                    "cusparse*.h",
                                    "cutensor*",
                                    "device_*functions.h*",
                                    "device_launch_parameters.h",
                                    "device_types.h",
                                    "driver_functions.h",
                                    "driver_types.h",
                                    "fatbinary_section.h",
                                    "generated_cuda*.h",
                                    "generated_nvtx_meta.h",
                                    "host_config.h",
                                    "host_defines.h",
                                    "library_types.h",
                                    "math_constants.h",
                                    "math_functions.h*",
                                    "mma.h",
                                    "nccl*",
                                    "npp*.h",
                                    "nv",
                                    "nvFatbin.h",
                                    "nvJitLink.h",
                                    "nvPTXCompiler.h",
                                    "nvToolsExt*.h",
                                    "nv_decode.h",
                                    "nvblas.h",
                                    "nvjpeg.h",
                                    "nvml.h",
                                    "nvperf_*.h",
                                    "nvrtc.h",
                                    "nvtx3",
                                    "nvvm.h",
                                    "sm_??_*.h*",
                                    "surface_*.h",
                                    "texture_*.h",
                                    "thrust",
                                    "vector_functions.h*",
                                    "vector_types.h"};

static bool is_of_toolkit(const char *name, bool in_distribution) {
  if (in_distribution && (strcmp(name, "thrust") == 0 || strcmp(name, "cub") == 0))
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (fnmatch(names[i], name, 0) == 0)
      return true;
  return false;
}

uw_strings uw_other_toolkit_folders(void) {
  static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
  uw_strings folders = {0}, found = {0};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (getenv(variables[i]))
      uw_strings_add_split(&folders, getenv(variables[i]), ':');
  uw_strings_add_many(&folders, "/usr/local/include", "/usr/include", NULL);
  for (size_t i = 0; i < folders.count; i++) {
    const char *path = realpath(folders.items[i], NULL); /* the overlay wants it absolute */
    const char *folder = folders.items[i][0] == '/' ? folders.items[i] : path;
    if (path && uw_is_cuda_include_folder(path) && !uw_strings_contains(&found, folder))
      uw_strings_add(&found, folder);
  }
  return found;
}

static void hide(uw_strings *entries, const char *path, int depth) {
  enum { DEEPEST = 16 }; /* links may go round */
  struct stat status;
  DIR *stream = NULL;
  if (stat(path, &status) != 0 || (S_ISDIR(status.st_mode) && (depth == DEEPEST || !(stream = opendir(path)))))
    return;
  if (!stream) {
    uw_strings_add(entries, uw_format("{\"type\": \"file\", \"name\": %s, \"external-contents\": \"/nonexistent\"}",
                                      uw_json_quoted(path)));
    return;
  }
  for (struct dirent *entry; (entry = readdir(stream));)
    if (entry->d_name[0] != '.')
      hide(entries, uw_format("%s/%s", path, entry->d_name), depth + 1);
  closedir(stream);
}

static void hide_toolkit(uw_strings *entries, const char *folder) {
  DIR *stream = opendir(folder);
  if (!stream)
    return;
  for (struct dirent *entry; (entry = readdir(stream));)
    if (is_of_toolkit(entry->d_name, strcmp(folder, "/usr/include") == 0))
      hide(entries, uw_format("%s/%s", folder, entry->d_name), 0);
  closedir(stream);
}

static const char *write_overlay(const uw_strings *entries) {
  static const char head[] = "{\"version\": 0, \"use-external-names\": false, \"roots\": [\n", tail[] = "\n]}\n";
  size_t room = sizeof head + sizeof tail, length;
  for (size_t i = 0; i < entries->count; i++)
    room += strlen(entries->items[i]) + 2;
  char *text = uw_need_memory(malloc(room)), *to = stpcpy(text, head);
  for (size_t i = 0; i < entries->count; i++)
    to = stpcpy(stpcpy(to, i ? ",\n" : ""), entries->items[i]);
  length = (size_t)(stpcpy(to, tail) - text);
  return uw_temp_file("other-toolkit.yaml", text, length);
}

const char *uw_hide_other_toolkit(void) {
  static bool looked;
  static const char *overlay;
  if (looked)
    return overlay;
  looked = true;
  uw_strings folders = uw_other_toolkit_folders(), entries = {0};
  for (size_t i = 0; i < folders.count; i++)
    hide_toolkit(&entries, folders.items[i]);
  return overlay = entries.count ? write_overlay(&entries) : NULL;
}
