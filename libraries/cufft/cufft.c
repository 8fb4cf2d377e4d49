/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuFFT on FFTW (www.fftw.org/fftw3_doc, "Guru Interface"). A cuFFT plan is the layout of its signals; FFTW's plans are
 * made of it when they are first needed, one for each direction and one more for transforms in place, whose real rows
 * are padded. FFTW makes them by estimate, as measuring would write over the program's data. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
#include "../../include/cufft.h"
#include "../../include/cufftXt.h"
#include <fftw3.h>
#pragma GCC visibility pop
#include "../common/library.h"
#include "../common/version.h"

enum { RANK_MOST = 3, WORTH_THREADS = 1 << 15 };

typedef struct layout {
  long long embed[RANK_MOST], stride, dist;
} layout;

typedef struct plan {
  int made, auto_allocation;
  cufftType type;
  int rank, basic; /* basic: all lies close together */
  long long n[RANK_MOST], batch;
  layout in, out;
  cudaStream_t stream;
  void *fftw[2][2]; /* inverse, in place: fftw_plan or fftwf_plan */
  pthread_mutex_t lock;
} plan;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;    /* of the table */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER; /* FFTW makes one plan at a time */
static plan **plans;                                        /* by handle - 1; null: free */
static int capacity;

static plan *find(cufftHandle handle) {
  pthread_mutex_lock(&lock);
  plan *found = handle > 0 && handle <= capacity ? plans[handle - 1] : NULL;
  pthread_mutex_unlock(&lock);
  return found;
}

#define NEED(condition, result)                                                                                        \
  if (!(condition))                                                                                                    \
  return (result)
#define PLAN                                                                                                           \
  plan *own = find(handle);                                                                                            \
  NEED(own, CUFFT_INVALID_PLAN)

static int is_double(cufftType type) { return type >= CUFFT_Z2Z; }
static int from_real(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
static int to_real(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }
static int is_type(cufftType type) {
  return type == CUFFT_C2C || type == CUFFT_Z2Z || from_real(type) || to_real(type);
}

/* --- plans -------------------------------------------------------------------------------------------------------- */

__attribute__((constructor)) static void start(void) {
  fftw_init_threads();
  fftwf_init_threads();
}

cufftResult cufftCreate(cufftHandle *handle) {
  NEED(handle, CUFFT_INVALID_VALUE);
  plan *fresh = calloc(1, sizeof *fresh);
  NEED(fresh, CUFFT_ALLOC_FAILED);
  pthread_mutex_init(&fresh->lock, NULL);
  fresh->auto_allocation = 1;
  pthread_mutex_lock(&lock);
  int at = 0;
  while (at < capacity && plans[at])
    at++;
  if (at == capacity) {
    plan **more = realloc(plans, (size_t)(2 * capacity + 16) * sizeof *more);
    if (more) {
      plans = more;
      memset(plans + capacity, 0, (size_t)(capacity + 16) * sizeof *plans);
      capacity = 2 * capacity + 16;
    }
  }
  if (at < capacity)
    plans[at] = fresh;
  pthread_mutex_unlock(&lock);
  if (find(at + 1) != fresh) {
    free(fresh);
    return CUFFT_ALLOC_FAILED;
  }
  *handle = at + 1;
  return CUFFT_SUCCESS;
}

static void destroy_fftw(plan *own) {
  pthread_mutex_lock(&planner);
  for (int i = 0; i < 4; i++) {
    void **one = &own->fftw[i / 2][i % 2];
    if (*one && is_double(own->type))
      fftw_destroy_plan(*one);
    else if (*one)
      fftwf_destroy_plan(*one);
    *one = NULL;
  }
  pthread_mutex_unlock(&planner);
}

cufftResult cufftDestroy(cufftHandle handle) {
  PLAN;
  if (!uwl_is_capturing(own->stream))
    cudaStreamSynchronize(own->stream);
  pthread_mutex_lock(&lock);
  plans[handle - 1] = NULL;
  pthread_mutex_unlock(&lock);
  destroy_fftw(own);
  pthread_mutex_destroy(&own->lock);
  free(own);
  return CUFFT_SUCCESS;
}

/* What a plan would be; nothing of it is null or negative. */
static cufftResult describe(plan *gives, int rank, const long long *n, const long long *inembed, long long istride,
                            long long idist, const long long *onembed, long long ostride, long long odist,
                            cufftType type, long long batch) {
  NEED(is_type(type), CUFFT_INVALID_TYPE);
  NEED(rank >= 1 && rank <= RANK_MOST && n, CUFFT_INVALID_VALUE);
  NEED(batch > 0, CUFFT_INVALID_SIZE);
  gives->type = type;
  gives->rank = rank;
  gives->batch = batch;
  gives->basic = !inembed || !onembed;
  for (int i = 0; i < rank; i++) {
    NEED(n[i] > 0, CUFFT_INVALID_SIZE);
    gives->n[i] = n[i];
    gives->in.embed[i] = gives->basic ? 0 : inembed[i];
    gives->out.embed[i] = gives->basic ? 0 : onembed[i];
    NEED(gives->basic || i == 0 || (inembed[i] > 0 && onembed[i] > 0), CUFFT_INVALID_VALUE);
  }
  NEED(gives->basic || (istride > 0 && ostride > 0 && idist >= 0 && odist >= 0), CUFFT_INVALID_VALUE);
  gives->in.stride = istride;
  gives->in.dist = idist;
  gives->out.stride = ostride;
  gives->out.dist = odist;
  return CUFFT_SUCCESS;
}

static cufftResult make(cufftHandle handle, int rank, const long long *n, const long long *inembed, long long istride,
                        long long idist, const long long *onembed, long long ostride, long long odist, cufftType type,
                        long long batch, size_t *workSize) {
  plan wanted = {0};
  PLAN;
  NEED(workSize, CUFFT_INVALID_VALUE);
  NEED(!own->made, CUFFT_INVALID_PLAN);
  cufftResult result = describe(&wanted, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
  if (result != CUFFT_SUCCESS)
    return result;
  own->type = wanted.type;
  own->rank = wanted.rank;
  own->basic = wanted.basic;
  own->batch = wanted.batch;
  own->in = wanted.in;
  own->out = wanted.out;
  memcpy(own->n, wanted.n, sizeof own->n);
  own->made = 1;
  *workSize = 0;
  return CUFFT_SUCCESS;
}

/* Rows of the last dimension: as many elements as that side has, or for real ones in place as many as the complex side
 * takes. */
static layout basic_layout(const plan *own, int is_output, int in_place) {
  const int last = own->rank - 1;
  const int real_side = is_output ? to_real(own->type) : from_real(own->type);
  const int has_real = from_real(own->type) || to_real(own->type);
  const long long half = own->n[last] / 2 + 1;
  layout gives = {.stride = 1, .dist = 1};
  for (int i = 0; i < own->rank; i++) {
    gives.embed[i] = own->n[i];
    if (i == last && has_real)
      gives.embed[i] = !real_side ? half : in_place ? 2 * half : own->n[i];
    gives.dist *= gives.embed[i];
  }
  return gives;
}

static void *make_fftw(const plan *own, int inverse, int in_place) {
  const layout in = own->basic ? basic_layout(own, 0, in_place) : own->in;
  const layout out = own->basic ? basic_layout(own, 1, in_place) : own->out;
  fftw_iodim64 dims[RANK_MOST], batch = {own->batch, in.dist, out.dist};
  long long is = in.stride, os = out.stride, total = own->batch;
  for (int i = own->rank - 1; i >= 0; i--) {
    dims[i] = (fftw_iodim64){own->n[i], is, os};
    is *= in.embed[i];
    os *= out.embed[i];
    total *= own->n[i];
  }
  /* By estimate no data is touched, so that any addresses do; they only say whether this is in place. */
  static double one[2], other[2];
  void *from = one, *to = in_place ? one : other;
  const int threads = total >= WORTH_THREADS ? uwl_threads() : 1, sign = inverse ? FFTW_BACKWARD : FFTW_FORWARD;
  const unsigned int keep = own->rank == 1 && !in_place ? FFTW_PRESERVE_INPUT : FFTW_DESTROY_INPUT;
  const unsigned int flags = FFTW_ESTIMATE | FFTW_UNALIGNED | (to_real(own->type) ? keep : 0);
  const int rank = own->rank;
  void *made;
  pthread_mutex_lock(&planner);
  if (is_double(own->type)) {
    fftw_plan_with_nthreads(threads);
    made = from_real(own->type) ? fftw_plan_guru64_dft_r2c(rank, dims, 1, &batch, from, to, flags)
           : to_real(own->type) ? fftw_plan_guru64_dft_c2r(rank, dims, 1, &batch, from, to, flags)
                                : fftw_plan_guru64_dft(rank, dims, 1, &batch, from, to, sign, flags);
  } else {
    const fftwf_iodim64 *fdims = dims, *fbatch = &batch;
    fftwf_plan_with_nthreads(threads);
    made = from_real(own->type) ? fftwf_plan_guru64_dft_r2c(rank, fdims, 1, fbatch, (void *)from, (void *)to, flags)
           : to_real(own->type) ? fftwf_plan_guru64_dft_c2r(rank, fdims, 1, fbatch, (void *)from, (void *)to, flags)
                                : fftwf_plan_guru64_dft(rank, fdims, 1, fbatch, (void *)from, (void *)to, sign, flags);
  }
  pthread_mutex_unlock(&planner);
  return made;
}

static void *fftw_of(plan *own, int inverse, int in_place) {
  pthread_mutex_lock(&own->lock);
  void **one = &own->fftw[inverse][in_place];
  if (!*one)
    *one = make_fftw(own, inverse, in_place);
  void *found = *one;
  pthread_mutex_unlock(&own->lock);
  return found;
}

/* --- transforms --------------------------------------------------------------------------------------------------- */

typedef struct transform {
  cufftType type;
  void *fftw, *from, *to;
} transform;

UWL_OPERATION(cufftExec, transform) {
  void *plan_of = call->fftw;
  switch (call->type) {
  case CUFFT_C2C: fftwf_execute_dft(plan_of, call->from, call->to); break;
  case CUFFT_R2C: fftwf_execute_dft_r2c(plan_of, call->from, call->to); break;
  case CUFFT_C2R: fftwf_execute_dft_c2r(plan_of, call->from, call->to); break;
  case CUFFT_Z2Z: fftw_execute_dft(plan_of, call->from, call->to); break;
  case CUFFT_D2Z: fftw_execute_dft_r2c(plan_of, call->from, call->to); break;
  case CUFFT_Z2D: fftw_execute_dft_c2r(plan_of, call->from, call->to); break;
  }
}

static cufftResult execute(cufftHandle handle, cufftType type, void *from, void *to, int direction) {
  PLAN;
  NEED(own->made, CUFFT_INVALID_PLAN);
  NEED(own->type == type, CUFFT_INVALID_TYPE);
  NEED(from && to && (direction == CUFFT_FORWARD || direction == CUFFT_INVERSE), CUFFT_INVALID_VALUE);
  transform call = {type, fftw_of(own, direction == CUFFT_INVERSE, from == to), from, to};
  NEED(call.fftw, CUFFT_SETUP_FAILED);
  return uwl_launch(UWL_STUB(cufftExec), own->stream, &call) == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata, cufftComplex *odata, int direction) {
  return execute(plan, CUFFT_C2C, idata, odata, direction);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleComplex *odata, int direction) {
  return execute(plan, CUFFT_Z2Z, idata, odata, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *idata, cufftComplex *odata) {
  return execute(plan, CUFFT_R2C, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *idata, cufftReal *odata) {
  return execute(plan, CUFFT_C2R, idata, odata, CUFFT_INVERSE);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *idata, cufftDoubleComplex *odata) {
  return execute(plan, CUFFT_D2Z, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleReal *odata) {
  return execute(plan, CUFFT_Z2D, idata, odata, CUFFT_INVERSE);
}

/* --- the many ways to make a plan --------------------------------------------------------------------------------- */

#define WIDE(name, from)                                                                                               \
  long long name##_wide[RANK_MOST];                                                                                    \
  for (int i = 0; from && rank >= 1 && rank <= RANK_MOST && i < rank; i++)                                             \
    name##_wide[i] = from[i];
#define OR_NULL(name, from) ((from) ? name##_wide : NULL)

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                                long long idist, long long *onembed, long long ostride, long long odist, cufftType type,
                                long long batch, size_t *workSize) {
  return make(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, workSize);
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                              int ostride, int odist, cufftType type, int batch, size_t *workSize) {
  WIDE(n, n)
  WIDE(in, inembed)
  WIDE(out, onembed)
  return make(plan, rank, OR_NULL(n, n), OR_NULL(in, inembed), istride, idist, OR_NULL(out, onembed), ostride, odist,
              type, batch, workSize);
}
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *workSize) {
  return make(plan, 1, (long long[]){nx}, NULL, 1, 0, NULL, 1, 0, type, batch, workSize);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *workSize) {
  return make(plan, 2, (long long[]){nx, ny}, NULL, 1, 0, NULL, 1, 0, type, 1, workSize);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *workSize) {
  return make(plan, 3, (long long[]){nx, ny, nz}, NULL, 1, 0, NULL, 1, 0, type, 1, workSize);
}

/* A new handle, kept where making it worked. */
#define PLAN_BY(call)                                                                                                  \
  size_t bytes;                                                                                                        \
  cufftHandle fresh;                                                                                                   \
  NEED(plan, CUFFT_INVALID_VALUE);                                                                                     \
  cufftResult result = cufftCreate(&fresh);                                                                            \
  if (result == CUFFT_SUCCESS && (result = (call)) != CUFFT_SUCCESS)                                                   \
    cufftDestroy(fresh);                                                                                               \
  if (result == CUFFT_SUCCESS)                                                                                         \
    *plan = fresh;                                                                                                     \
  return result
cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch) {
  PLAN_BY(cufftMakePlan1d(fresh, nx, type, batch, &bytes));
}
cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type) {
  PLAN_BY(cufftMakePlan2d(fresh, nx, ny, type, &bytes));
}
cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type) {
  PLAN_BY(cufftMakePlan3d(fresh, nx, ny, nz, type, &bytes));
}
cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                          int ostride, int odist, cufftType type, int batch) {
  PLAN_BY(cufftMakePlanMany(fresh, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, &bytes));
}

/* --- sizes of work areas: 0 for what could be planned ------------------------------------------------------------- */

static cufftResult size_of(int rank, const long long *n, cufftType type, long long batch, size_t *workSize) {
  plan wanted = {0};
  NEED(workSize, CUFFT_INVALID_VALUE);
  cufftResult result = describe(&wanted, rank, n, NULL, 1, 0, NULL, 1, 0, type, batch);
  if (result == CUFFT_SUCCESS)
    *workSize = 0;
  return result;
}
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *workSize) {
  return size_of(1, (long long[]){nx}, type, batch, workSize);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *workSize) {
  return size_of(2, (long long[]){nx, ny}, type, 1, workSize);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *workSize) {
  return size_of(3, (long long[]){nx, ny, nz}, type, 1, workSize);
}
cufftResult cufftEstimateMany(int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
                              int odist, cufftType type, int batch, size_t *workSize) {
  (void)inembed, (void)istride, (void)idist, (void)onembed, (void)ostride, (void)odist;
  WIDE(n, n)
  return size_of(rank, OR_NULL(n, n), type, batch, workSize);
}
#define OF_HANDLE                                                                                                      \
  PLAN;                                                                                                                \
  (void)own
cufftResult cufftGetSize1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *workSize) {
  OF_HANDLE;
  return cufftEstimate1d(nx, type, batch, workSize);
}
cufftResult cufftGetSize2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *workSize) {
  OF_HANDLE;
  return cufftEstimate2d(nx, ny, type, workSize);
}
cufftResult cufftGetSize3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t *workSize) {
  OF_HANDLE;
  return cufftEstimate3d(nx, ny, nz, type, workSize);
}
cufftResult cufftGetSizeMany(cufftHandle handle, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                             int ostride, int odist, cufftType type, int batch, size_t *workArea) {
  OF_HANDLE;
  return cufftEstimateMany(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, workArea);
}
cufftResult cufftGetSizeMany64(cufftHandle handle, int rank, long long *n, long long *inembed, long long istride,
                               long long idist, long long *onembed, long long ostride, long long odist, cufftType type,
                               long long batch, size_t *workSize) {
  (void)inembed, (void)istride, (void)idist, (void)onembed, (void)ostride, (void)odist;
  OF_HANDLE;
  return size_of(rank, n, type, batch, workSize);
}
cufftResult cufftGetSize(cufftHandle handle, size_t *workSize) {
  PLAN;
  NEED(own->made, CUFFT_INVALID_PLAN);
  NEED(workSize, CUFFT_INVALID_VALUE);
  *workSize = 0;
  return CUFFT_SUCCESS;
}

/* --- settings ----------------------------------------------------------------------------------------------------- */

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  PLAN;
  own->stream = stream;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void *workArea) {
  (void)workArea;
  OF_HANDLE;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int autoAllocate) {
  PLAN;
  own->auto_allocation = autoAllocate != 0;
  return CUFFT_SUCCESS;
}
#define TELL(suffix, of, cuda)                                                                                         \
  UWLIB_TELLS cufftResult cufftGetVersion##suffix(int *version) {                                                      \
    NEED(version, CUFFT_INVALID_VALUE);                                                                                \
    *version = uwlib_version_number(of, 1000);                                                                         \
    return CUFFT_SUCCESS;                                                                                              \
  }                                                                                                                    \
  UWLIB_TELLS cufftResult cufftGetProperty##suffix(libraryPropertyType type, int *value) {                             \
    NEED(value && (unsigned int)type <= PATCH_LEVEL, CUFFT_INVALID_VALUE);                                             \
    *value = (of)[type];                                                                                               \
    return CUFFT_SUCCESS;                                                                                              \
  }
UWLIB_FOR_EACH_VERSION(TELL, CUFFT)
/* Both properties are about compiling kernels for a plan. */
static int is_property(cufftProperty property) {
  return property == NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT ||
         property == NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS;
}
cufftResult cufftSetPlanPropertyInt64(cufftHandle handle, cufftProperty property, const long long inputValueInt) {
  (void)inputValueInt;
  OF_HANDLE;
  return is_property(property) ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}
cufftResult cufftGetPlanPropertyInt64(cufftHandle handle, cufftProperty property, long long *returnPtrValue) {
  OF_HANDLE;
  NEED(is_property(property) && returnPtrValue, CUFFT_INVALID_VALUE);
  *returnPtrValue = 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftResetPlanProperty(cufftHandle handle, cufftProperty property) {
  OF_HANDLE;
  return is_property(property) ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

/* --- cufftXt.h ---------------------------------------------------------------------------------------------------- */

static int type_of(cudaDataType in, cudaDataType out, cudaDataType execution, cufftType *type) {
  const struct {
    cudaDataType in, out, execution;
    cufftType type;
  } known[] = {{CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
               {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
               {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].in == in && known[i].out == out && known[i].execution == execution) {
      *type = known[i].type;
      return 1;
    }
  return 0;
}

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                                long long idist, cudaDataType inputtype, long long *onembed, long long ostride,
                                long long odist, cudaDataType outputtype, long long batch, size_t *workSize,
                                cudaDataType executiontype) {
  cufftType type;
  NEED(find(plan), CUFFT_INVALID_PLAN);
  NEED(type_of(inputtype, outputtype, executiontype, &type), CUFFT_NOT_SUPPORTED);
  return make(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, workSize);
}
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                               long long idist, cudaDataType inputtype, long long *onembed, long long ostride,
                               long long odist, cudaDataType outputtype, long long batch, size_t *workSize,
                               cudaDataType executiontype) {
  (void)inembed, (void)istride, (void)idist, (void)onembed, (void)ostride, (void)odist;
  cufftType type;
  NEED(find(plan), CUFFT_INVALID_PLAN);
  NEED(type_of(inputtype, outputtype, executiontype, &type), CUFFT_NOT_SUPPORTED);
  return size_of(rank, n, type, batch, workSize);
}
cufftResult cufftXtExec(cufftHandle handle, void *input, void *output, int direction) {
  PLAN;
  const int real = from_real(own->type) || to_real(own->type);
  return execute(handle, own->type, input, output,
                 real ? (from_real(own->type) ? CUFFT_FORWARD : CUFFT_INVERSE) : direction);
}
cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int *whichGPUs) {
  OF_HANDLE;
  NEED(nGPUs >= 1 && whichGPUs, CUFFT_INVALID_VALUE);
  return nGPUs == 1 ? CUFFT_SUCCESS : CUFFT_NOT_SUPPORTED;
}
cufftResult cufftXtSetWorkArea(cufftHandle handle, void **workArea) {
  (void)workArea;
  OF_HANDLE;
  return CUFFT_SUCCESS;
}
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle handle, cufftXtWorkAreaPolicy policy, size_t *workSize) {
  (void)policy, (void)workSize;
  OF_HANDLE;
  return CUFFT_SUCCESS;
}
#define REFUSED(name, parameters, ...)                                                                                 \
  cufftResult name parameters {                                                                                        \
    __VA_ARGS__;                                                                                                       \
    return CUFFT_NOT_SUPPORTED;                                                                                        \
  }
REFUSED(cufftXtSetCallback, (cufftHandle plan, void **callback_routine, cufftXtCallbackType cbType, void **caller_info),
        (void)plan, (void)callback_routine, (void)cbType, (void)caller_info)
REFUSED(cufftXtClearCallback, (cufftHandle plan, cufftXtCallbackType cbType), (void)plan, (void)cbType)
REFUSED(cufftXtSetCallbackSharedSize, (cufftHandle plan, cufftXtCallbackType cbType, size_t sharedSize), (void)plan,
        (void)cbType, (void)sharedSize)
