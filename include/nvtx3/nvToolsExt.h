/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The NVTX annotations (NVIDIA Tools Extension, version 3): marks and ranges that a program draws into a profiler's
 * time line. No profiler listens here, so each call does what NVTX does without one: nothing, at no cost.
 */
#ifndef UNWARP_NVTX3_NVTOOLSEXT_H
#define UNWARP_NVTX3_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2) /* what push and pop return when nobody counts */
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef union nvtxMessageValue_t {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType; /* nvtxColorType_t */
  uint32_t color;
  int32_t payloadType; /* nvtxPayloadType_t */
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType; /* nvtxMessageType_t */
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define UNWARP_NVTX(type, name, parameters, result)                                                                    \
  static inline type name parameters { return result; }
#define UNWARP_NVTX_NOTHING(name, parameters)                                                                          \
  static inline void name parameters {}
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

UNWARP_NVTX_NOTHING(nvtxInitialize, (const void *reserved))
UNWARP_NVTX_NOTHING(nvtxMarkEx, (const nvtxEventAttributes_t *event))
UNWARP_NVTX_NOTHING(nvtxMarkA, (const char *message))
UNWARP_NVTX_NOTHING(nvtxMarkW, (const wchar_t *message))
UNWARP_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t *event), 0)
UNWARP_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char *message), 0)
UNWARP_NVTX(nvtxRangeId_t, nvtxRangeStartW, (const wchar_t *message), 0)
UNWARP_NVTX_NOTHING(nvtxRangeEnd, (nvtxRangeId_t id))
UNWARP_NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t *event), NVTX_NO_PUSH_POP_TRACKING)
UNWARP_NVTX(int, nvtxRangePushA, (const char *message), NVTX_NO_PUSH_POP_TRACKING)
UNWARP_NVTX(int, nvtxRangePushW, (const wchar_t *message), NVTX_NO_PUSH_POP_TRACKING)
UNWARP_NVTX(int, nvtxRangePop, (void), NVTX_NO_PUSH_POP_TRACKING)
UNWARP_NVTX_NOTHING(nvtxNameCategoryA, (uint32_t category, const char *name))
UNWARP_NVTX_NOTHING(nvtxNameCategoryW, (uint32_t category, const wchar_t *name))
UNWARP_NVTX_NOTHING(nvtxNameOsThreadA, (uint32_t thread, const char *name))
UNWARP_NVTX_NOTHING(nvtxNameOsThreadW, (uint32_t thread, const wchar_t *name))

UNWARP_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *name), NULL)
UNWARP_NVTX(nvtxDomainHandle_t, nvtxDomainCreateW, (const wchar_t *name), NULL)
UNWARP_NVTX_NOTHING(nvtxDomainDestroy, (nvtxDomainHandle_t domain))
UNWARP_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA, (nvtxDomainHandle_t domain, const char *text), NULL)
UNWARP_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringW, (nvtxDomainHandle_t domain, const wchar_t *text), NULL)
UNWARP_NVTX_NOTHING(nvtxDomainNameCategoryA, (nvtxDomainHandle_t domain, uint32_t category, const char *name))
UNWARP_NVTX_NOTHING(nvtxDomainNameCategoryW, (nvtxDomainHandle_t domain, uint32_t category, const wchar_t *name))
UNWARP_NVTX_NOTHING(nvtxDomainMarkEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event))
UNWARP_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event), 0)
UNWARP_NVTX_NOTHING(nvtxDomainRangeEnd, (nvtxDomainHandle_t domain, nvtxRangeId_t id))
UNWARP_NVTX(int, nvtxDomainRangePushEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event),
            NVTX_NO_PUSH_POP_TRACKING)
UNWARP_NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t domain), NVTX_NO_PUSH_POP_TRACKING)

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#undef UNWARP_NVTX
#undef UNWARP_NVTX_NOTHING

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#endif

#endif
