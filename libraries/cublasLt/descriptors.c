/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLASLt: handles, descriptors and their attributes, the one algorithm. Descriptors are plain memory, which may be
 * the caller's own, so a mark in them says what they are. (cuBLAS documentation, "cublasLt Helper Functions".) */
#include "internal.h"
#include "../common/version.h"

#include <stdlib.h>
#include <string.h>

static const char kind;

/* "Any valid cublasHandle_t can be used in place of cublasLtHandle_t with a simple cast" (cublasLtHandle_t). */
int uwl_lt_is_handle(cublasLtHandle_t handle) {
  return uwrt_handle_is(handle, &kind) || uwrt_handle_is(handle, &uwrt_blas_handle);
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *lightHandle) {
  NEED(lightHandle);
  void *fresh = malloc(16);
  if (!fresh || !uwrt_handle_add(fresh, &kind)) {
    free(fresh);
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
  *lightHandle = fresh;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t lightHandle) {
  if (!uwrt_handle_remove(lightHandle, &kind))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  free(lightHandle);
  return CUBLAS_STATUS_SUCCESS;
}
static const struct {
  cublasStatus_t status;
  const char *name;
} statuses[] = {
#define STATUS(name) {name, #name}
    STATUS(CUBLAS_STATUS_SUCCESS),       STATUS(CUBLAS_STATUS_NOT_INITIALIZED),  STATUS(CUBLAS_STATUS_ALLOC_FAILED),
    STATUS(CUBLAS_STATUS_INVALID_VALUE), STATUS(CUBLAS_STATUS_ARCH_MISMATCH),    STATUS(CUBLAS_STATUS_MAPPING_ERROR),
    STATUS(CUBLAS_STATUS_NOT_SUPPORTED), STATUS(CUBLAS_STATUS_EXECUTION_FAILED), STATUS(CUBLAS_STATUS_INTERNAL_ERROR),
    STATUS(CUBLAS_STATUS_LICENSE_ERROR)};
const char *cublasLtGetStatusName(cublasStatus_t status) {
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
    if (statuses[i].status == status)
      return statuses[i].name;
  return "unknown status";
}
const char *cublasLtGetStatusString(cublasStatus_t status) { return cublasLtGetStatusName(status); }
#define TELL(suffix, of, cuda)                                                                                         \
  UWLIB_TELLS size_t cublasLtGetVersion##suffix(void) { return (size_t)uwlib_version_number(of, 10000); }              \
  UWLIB_TELLS size_t cublasLtGetCudartVersion##suffix(void) { return cuda; }                                           \
  UWLIB_TELLS cublasStatus_t cublasLtGetProperty##suffix(libraryPropertyType type, int *value) {                       \
    NEED(value && (unsigned int)type <= PATCH_LEVEL);                                                                  \
    *value = (of)[type];                                                                                               \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }
UWLIB_FOR_EACH_VERSION(TELL, CUBLAS)
static size_t cache_capacity;
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *capacity) {
  NEED(capacity);
  *capacity = cache_capacity;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t capacity) {
  cache_capacity = capacity;
  return CUBLAS_STATUS_SUCCESS;
}
unsigned cublasLtDisableCpuInstructionsSetMask(unsigned mask) {
  (void)mask;
  return 0;
}

/* --- attributes: which field, and how many bytes ------------------------------------------------------------------ */

typedef struct field {
  int id;
  size_t offset, bytes;
} field;
#define FIELD_OF(type, id, name) {id, offsetof(type, name), sizeof(((type *)0)->name)}

static cublasStatus_t set(void *what, const field *fields, size_t count, int id, const void *buf, size_t bytes) {
  NEED(what && buf);
  for (size_t i = 0; i < count; i++)
    if (fields[i].id == id) {
      NEED(bytes == fields[i].bytes);
      memcpy((char *)what + fields[i].offset, buf, bytes);
      return CUBLAS_STATUS_SUCCESS;
    }
  return CUBLAS_STATUS_INVALID_VALUE;
}
static cublasStatus_t get(const void *what, const field *fields, size_t count, int id, void *buf, size_t bytes,
                          size_t *written) {
  NEED(what && (buf || (bytes == 0 && written)));
  for (size_t i = 0; i < count; i++)
    if (fields[i].id == id) {
      if (written)
        *written = fields[i].bytes;
      if (bytes == 0 && written)
        return CUBLAS_STATUS_SUCCESS;
      NEED(bytes == fields[i].bytes);
      memcpy(buf, (const char *)what + fields[i].offset, bytes);
      return CUBLAS_STATUS_SUCCESS;
    }
  return CUBLAS_STATUS_INVALID_VALUE;
}

#define L(id, name) FIELD_OF(lt_layout, CUBLASLT_MATRIX_LAYOUT_##id, name)
static const field layout_fields[] = {L(TYPE, type),
                                      L(ORDER, order),
                                      L(ROWS, rows),
                                      L(COLS, cols),
                                      L(LD, ld),
                                      L(BATCH_COUNT, batch),
                                      L(STRIDED_BATCH_OFFSET, batch_stride),
                                      L(PLANE_OFFSET, plane)};
#define D(id, name) FIELD_OF(lt_matmul, CUBLASLT_MATMUL_DESC_##id, name)
static const field matmul_fields[] = {D(COMPUTE_TYPE, compute),
                                      D(SCALE_TYPE, scale),
                                      D(POINTER_MODE, pointer_mode),
                                      D(TRANSA, trans_a),
                                      D(TRANSB, trans_b),
                                      D(TRANSC, trans_c),
                                      D(FILL_MODE, fill),
                                      D(EPILOGUE, epilogue),
                                      D(BIAS_POINTER, bias),
                                      D(BIAS_BATCH_STRIDE, bias_stride),
                                      D(EPILOGUE_AUX_POINTER, aux),
                                      D(EPILOGUE_AUX_LD, aux_ld),
                                      D(EPILOGUE_AUX_BATCH_STRIDE, aux_stride),
                                      D(ALPHA_VECTOR_BATCH_STRIDE, alpha_stride),
                                      D(SM_COUNT_TARGET, sm_count),
                                      D(A_SCALE_POINTER, scale_a),
                                      D(B_SCALE_POINTER, scale_b),
                                      D(C_SCALE_POINTER, scale_c),
                                      D(D_SCALE_POINTER, scale_d),
                                      D(AMAX_D_POINTER, amax),
                                      D(EPILOGUE_AUX_DATA_TYPE, aux_type),
                                      D(FAST_ACCUM, fast),
                                      D(BIAS_DATA_TYPE, bias_type)};
#define T(id, name) FIELD_OF(lt_transform, CUBLASLT_MATRIX_TRANSFORM_DESC_##id, name)
static const field transform_fields[] = {T(SCALE_TYPE, scale), T(POINTER_MODE, pointer_mode), T(TRANSA, trans_a),
                                         T(TRANSB, trans_b)};
#define P(id, name) FIELD_OF(lt_preference, CUBLASLT_MATMUL_PREF_##id, name)
static const field preference_fields[] = {P(SEARCH_MODE, search),
                                          P(MAX_WORKSPACE_BYTES, workspace),
                                          P(REDUCTION_SCHEME_MASK, reduction),
                                          P(MIN_ALIGNMENT_A_BYTES, align[0]),
                                          P(MIN_ALIGNMENT_B_BYTES, align[1]),
                                          P(MIN_ALIGNMENT_C_BYTES, align[2]),
                                          P(MIN_ALIGNMENT_D_BYTES, align[3]),
                                          P(MAX_WAVES_COUNT, waves),
                                          P(IMPL_MASK, implementation)};
#define COUNT(fields) (sizeof(fields) / sizeof *(fields))

/* Create, Destroy, Set and Get of a kind of descriptor; init makes one in place. */
#define DESCRIPTOR(Name, Type, own, mark_, fields, parameters, arguments, Attribute)                                   \
  _Static_assert(sizeof(own) <= sizeof(Type##Opaque_t), "a descriptor fits");                                          \
  cublasStatus_t cublasLt##Name##Create parameters {                                                                   \
    NEED(what);                                                                                                        \
    Type##Opaque_t *fresh = malloc(sizeof *fresh);                                                                     \
    if (!fresh)                                                                                                        \
      return CUBLAS_STATUS_ALLOC_FAILED;                                                                               \
    cublasStatus_t status = cublasLt##Name##Init_internal arguments;                                                   \
    if (status == CUBLAS_STATUS_SUCCESS)                                                                               \
      *what = fresh;                                                                                                   \
    else                                                                                                               \
      free(fresh);                                                                                                     \
    return status;                                                                                                     \
  }                                                                                                                    \
  cublasStatus_t cublasLt##Name##Destroy(Type##_t what) {                                                              \
    NEED(what && ((own *)what)->mark == mark_);                                                                        \
    ((own *)what)->mark = 0;                                                                                           \
    free(what);                                                                                                        \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  cublasStatus_t cublasLt##Name##SetAttribute(Type##_t what, Attribute attr, const void *buf, size_t sizeInBytes) {    \
    NEED(what && ((own *)what)->mark == mark_);                                                                        \
    return set(what, fields, COUNT(fields), (int)attr, buf, sizeInBytes);                                              \
  }                                                                                                                    \
  cublasStatus_t cublasLt##Name##GetAttribute(Type##_t what, Attribute attr, void *buf, size_t sizeInBytes,            \
                                              size_t *sizeWritten) {                                                   \
    NEED(what && ((own *)what)->mark == mark_);                                                                        \
    return get(what, fields, COUNT(fields), (int)attr, buf, sizeInBytes, sizeWritten);                                 \
  }
#define BEGIN_INIT(what, Type, size)                                                                                   \
  NEED((what) && (size) >= sizeof(Type));                                                                              \
  memset(what, 0, sizeof(Type))

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t matLayout, size_t size, cudaDataType type,
                                                 uint64_t rows, uint64_t cols, int64_t ld) {
  BEGIN_INIT(matLayout, cublasLtMatrixLayoutOpaque_t, size);
  *(lt_layout *)matLayout = (lt_layout){LT_LAYOUT, (uint32_t)type, CUBLASLT_ORDER_COL, 1, rows, cols, ld, 0, 0};
  return CUBLAS_STATUS_SUCCESS;
}
DESCRIPTOR(MatrixLayout, cublasLtMatrixLayout, lt_layout, LT_LAYOUT, layout_fields,
           (cublasLtMatrixLayout_t * what, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld),
           (fresh, sizeof *fresh, type, rows, cols, ld), cublasLtMatrixLayoutAttribute_t)

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t matmulDesc, size_t size,
                                               cublasComputeType_t computeType, cudaDataType_t scaleType) {
  BEGIN_INIT(matmulDesc, cublasLtMatmulDescOpaque_t, size);
  *(lt_matmul *)matmulDesc = (lt_matmul){.mark = LT_MATMUL,
                                         .compute = (int32_t)computeType,
                                         .scale = (int32_t)scaleType,
                                         .fill = CUBLAS_FILL_MODE_FULL,
                                         .epilogue = CUBLASLT_EPILOGUE_DEFAULT,
                                         .aux_type = -1,
                                         .bias_type = -1};
  return CUBLAS_STATUS_SUCCESS;
}
DESCRIPTOR(MatmulDesc, cublasLtMatmulDesc, lt_matmul, LT_MATMUL, matmul_fields,
           (cublasLtMatmulDesc_t * what, cublasComputeType_t computeType, cudaDataType_t scaleType),
           (fresh, sizeof *fresh, computeType, scaleType), cublasLtMatmulDescAttributes_t)

cublasStatus_t cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t transformDesc, size_t size,
                                                        cudaDataType scaleType) {
  BEGIN_INIT(transformDesc, cublasLtMatrixTransformDescOpaque_t, size);
  *(lt_transform *)transformDesc = (lt_transform){.mark = LT_TRANSFORM, .scale = (int32_t)scaleType};
  return CUBLAS_STATUS_SUCCESS;
}
DESCRIPTOR(MatrixTransformDesc, cublasLtMatrixTransformDesc, lt_transform, LT_TRANSFORM, transform_fields,
           (cublasLtMatrixTransformDesc_t * what, cudaDataType scaleType), (fresh, sizeof *fresh, scaleType),
           cublasLtMatrixTransformDescAttributes_t)

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t pref, size_t size) {
  BEGIN_INIT(pref, cublasLtMatmulPreferenceOpaque_t, size);
  *(lt_preference *)pref = (lt_preference){.mark = LT_PREFERENCE,
                                           .reduction = CUBLASLT_REDUCTION_SCHEME_MASK,
                                           .align = {256, 256, 256, 256},
                                           .implementation = ~0ull};
  return CUBLAS_STATUS_SUCCESS;
}
DESCRIPTOR(MatmulPreference, cublasLtMatmulPreference, lt_preference, LT_PREFERENCE, preference_fields,
           (cublasLtMatmulPreference_t * what), (fresh, sizeof *fresh), cublasLtMatmulPreferenceAttributes_t)

/* --- the algorithm: its configuration is kept, its capabilities are all ------------------------------------------- */

static const cublasLtMatmulAlgo_t only = {{0x756e77617270ull}};

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc,
                                       cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                                       cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                                       const cublasLtMatmulAlgo_t *algo, cublasLtMatmulHeuristicResult_t *result) {
  NEED(result && algo);
  cublasStatus_t status = uwl_lt_check(lightHandle, operationDesc, Adesc, Bdesc, Cdesc, Ddesc);
  *result = (cublasLtMatmulHeuristicResult_t){.algo = *algo, .state = status, .wavesCount = 1};
  return status;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc,
                                              cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                                              cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                                              cublasLtMatmulPreference_t preference, int requestedAlgoCount,
                                              cublasLtMatmulHeuristicResult_t heuristicResultsArray[],
                                              int *returnAlgoCount) {
  NEED(requestedAlgoCount > 0 && heuristicResultsArray && returnAlgoCount);
  NEED(preference && ((lt_preference *)preference)->mark == LT_PREFERENCE);
  cublasStatus_t status =
      cublasLtMatmulAlgoCheck(lightHandle, operationDesc, Adesc, Bdesc, Cdesc, Ddesc, &only, heuristicResultsArray);
  *returnAlgoCount = status == CUBLAS_STATUS_SUCCESS;
  return status;
}
cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t lightHandle, cublasComputeType_t computeType,
                                        cudaDataType_t scaleType, cudaDataType_t Atype, cudaDataType_t Btype,
                                        cudaDataType_t Ctype, cudaDataType_t Dtype, int requestedAlgoCount,
                                        int algoIdsArray[], int *returnAlgoCount) {
  (void)computeType, (void)scaleType, (void)Atype, (void)Btype, (void)Ctype, (void)Dtype;
  if (!uwl_lt_is_handle(lightHandle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  NEED(requestedAlgoCount > 0 && algoIdsArray && returnAlgoCount);
  algoIdsArray[0] = 0;
  *returnAlgoCount = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t lightHandle, cublasComputeType_t computeType,
                                      cudaDataType_t scaleType, cudaDataType_t Atype, cudaDataType_t Btype,
                                      cudaDataType_t Ctype, cudaDataType_t Dtype, int algoId,
                                      cublasLtMatmulAlgo_t *algo) {
  (void)computeType, (void)scaleType, (void)Atype, (void)Btype, (void)Ctype, (void)Dtype;
  if (!uwl_lt_is_handle(lightHandle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  NEED(algo && algoId == 0);
  *algo = only;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                 cublasLtMatmulAlgoCapAttributes_t attr, void *buf, size_t sizeInBytes,
                                                 size_t *sizeWritten) {
  NEED(algo && algo->data[0] == only.data[0]);
  if (attr == CUBLASLT_ALGO_CAP_TILE_IDS || attr == CUBLASLT_ALGO_CAP_STAGES_IDS) { /* lists, with nothing in them */
    if (sizeWritten)
      *sizeWritten = 0;
    return CUBLAS_STATUS_SUCCESS;
  }
  const size_t bytes = attr == CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS ? 8 : 4;
  uint64_t value =
      attr == CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT || attr == CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT ||
              (attr >= CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES && attr <= CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES)
          ? 1
      : attr == CUBLASLT_ALGO_CAP_POINTER_MODE_MASK
          ? CUBLASLT_POINTER_MODE_MASK_HOST | CUBLASLT_POINTER_MODE_MASK_DEVICE
      : attr == CUBLASLT_ALGO_CAP_EPILOGUE_MASK ? 0x3ff
                                                : 0;
  if (sizeWritten)
    *sizeWritten = bytes;
  if (sizeInBytes == 0 && sizeWritten)
    return CUBLAS_STATUS_SUCCESS;
  NEED(buf && sizeInBytes == bytes);
  memcpy(buf, &value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}
/* Value i of the configuration lies in half a word of the algorithm, after its mark. */
cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attr, const void *buf,
                                                    size_t sizeInBytes) {
  NEED(algo && algo->data[0] == only.data[0] && buf && sizeInBytes >= 2 && sizeInBytes <= 4 && (unsigned int)attr < 14);
  memcpy((char *)&algo->data[1] + 4 * attr, buf, sizeInBytes);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attr, void *buf,
                                                    size_t sizeInBytes, size_t *sizeWritten) {
  NEED(algo && algo->data[0] == only.data[0] && (unsigned int)attr < 14);
  if (sizeWritten)
    *sizeWritten = 4;
  if (sizeInBytes == 0 && sizeWritten)
    return CUBLAS_STATUS_SUCCESS;
  NEED(buf && sizeInBytes >= 2 && sizeInBytes <= 4);
  memcpy(buf, (const char *)&algo->data[1] + 4 * attr, sizeInBytes);
  return CUBLAS_STATUS_SUCCESS;
}

/* Nothing is logged. */
cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback) {
  (void)callback;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetFile(FILE *file) {
  (void)file;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerOpenFile(const char *logFile) {
  (void)logFile;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetLevel(int level) {
  NEED(level >= 0 && level <= 5);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetMask(int mask) {
  NEED(mask >= 0);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerForceDisable(void) { return CUBLAS_STATUS_SUCCESS; }
