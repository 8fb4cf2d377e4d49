/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which library of NVIDIA's a file is, by its name or soname. Tools that make wheels add a hash to both:
 * libcudart-1b201d85.so.10.1 is libcudart.so.10.1.
 */
#ifndef UWLIB_IDENTITY_H
#define UWLIB_IDENTITY_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The name without a hash and without folders, into room bytes; 0: it does not fit, or names no shared library. */
static inline int uwlib_plain_name(const char *name, char *plain, size_t room) {
  enum { SHORTEST_HASH = 8 };
  const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name, *end = strstr(base, ".so"), *dash = NULL;
  for (const char *at = base; end && at < end; at++)
    dash = *at == '-' ? at : dash;
  size_t digits = dash ? strspn(dash + 1, "0123456789abcdef") : 0;
  const char *stop = dash && digits >= SHORTEST_HASH && dash + 1 + digits == end ? dash : end;
  if (!end || (end[3] && end[3] != '.'))
    return 0;
  int length = snprintf(plain, room, "%.*s%s", (int)(stop - base), base, end);
  return length > 0 && (size_t)length < room;
}

static inline int uwlib_is_stem(const char *plain, const char *stem) {
  size_t length = strlen(stem);
  return strncmp(plain, stem, length) == 0 && strncmp(plain + length, ".so", 3) == 0;
}

/* Those that unwarp has, and the numbers of their sonames in CUDA 12 and in 13. */
struct uwlib_own {
  const char *stem, *of_12, *of_13;
};

static inline const struct uwlib_own *uwlib_own(const char *plain) {
  static const struct uwlib_own all[] = {{"libcuda", "1", "1"},
                                         {"libcudart", "12", "13"},
                                         {"libnvrtc", "12", "13"},
                                         {"libnvJitLink", "12", "13"},
                                         {"libnvfatbin", "12", "13"},
                                         {"libnvvm", "4", "4"},
                                         {"libnvidia-ml", "1", "1"},
                                         {"libnvToolsExt", "1", "1"},
                                         {"libcublas", "12", "13"},
                                         {"libcublasLt", "12", "13"},
                                         {"libcufft", "11", "12"},
                                         {"libcufftw", "11", "12"},
                                         {"libcurand", "10", "10"},
                                         {"libcusolver", "11", "12"},
                                         {"libcusolverMg", "11", "12"},
                                         {"libcusparse", "12", "12"},
                                         {"libcudnn", "9", "9"},
                                         {"libnccl", "2", "2"},
                                         {"libunwarp_nccl", "2", "2"},
                                         {"libunwarp_magma", "2", "2"},
                                         {"libcudnn_ops_infer", "8", "8"},
                                         {"libcudnn_ops_train", "8", "8"},
                                         {"libcudnn_cnn_infer", "8", "8"},
                                         {"libcudnn_cnn_train", "8", "8"},
                                         {"libcudnn_adv_infer", "8", "8"},
                                         {"libcudnn_adv_train", "8", "8"}};
  static const struct uwlib_own part = {"libcudnn_", "9", "9"}; /* of cuDNN: libraries.mk says which */
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (uwlib_is_stem(plain, all[i].stem))
      return &all[i];
  return strncmp(plain, part.stem, strlen(part.stem)) == 0 ? &part : NULL;
}

static inline int uwlib_has_own(const char *plain) { return uwlib_own(plain) != NULL; }

/* One that it has not: how its name begins, and the wheel that brings NVIDIA's, with what versions of CUDA add to that name. */
struct uwlib_foreign {
  const char *begins, *wheel, *of_12, *of_13;
};

static inline const struct uwlib_foreign *uwlib_foreign(const char *plain) {
  static const struct uwlib_foreign all[] = {
      {"libcudnn", "nvidia-cudnn", "-cu12", "-cu13"},
      {"libnccl", "nvidia-nccl", "-cu12", "-cu13"},
      {"libnvshmem", "nvidia-nvshmem", "-cu12", "-cu13"},
      {"libcusparseLt", "nvidia-cusparselt", "-cu12", "-cu13"},
      {"libcupti", "nvidia-cuda-cupti", "-cu12", ""},
      {"libcufile", "nvidia-cufile", "-cu12", ""},
      {"libcutensor", "cutensor", "-cu12", "-cu13"},
      {"libnpp", "nvidia-npp", "-cu12", ""},
      {"libnvjpeg", "nvidia-nvjpeg", "-cu12", ""},
      {"libnvrtc-builtins", "nvidia-cuda-nvrtc", "-cu12", ""},
      {"libcufftMp", "nvidia-cufftmp", "-cu12", "-cu13"},
      {"libnvinfer", "tensorrt", "-cu12", "-cu13"},
      {"libcudss", "nvidia-cudss", "-cu12", "-cu13"},
      {"libcustatevec", "custatevec", "-cu12", "-cu13"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strncmp(plain, all[i].begins, strlen(all[i].begins)) == 0)
      return &all[i];
  return NULL;
}

#endif
