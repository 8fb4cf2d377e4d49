/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: convolutions by oneDNN. A plan is made once for each problem and kept: the convolution in the layouts that
 * oneDNN likes best, and what brings operands into them. An operand that oneDNN knows as it lies (floats and, where the
 * processor has them, bfloat16 and bytes, of any positive strides) is read in place or reordered by oneDNN; another is
 * gathered into packed floats first. Reordered filters are not kept from call to call, as any kernel may have written
 * the filter since. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "convolution.h"
#include "elements.h"
#include "onednn.h"

enum { PLANS = 1024, ALIGNMENT = 64 }; /* PLANS: a power of two, of which three quarters are used */

typedef struct plan {
  uwdnn_problem problem;
  int works;
  uwdnn_primitive convolution, reorder[UWDNN_ARGUMENTS]; /* reorder: before, or of the result after */
  int direct[UWDNN_ARGUMENTS];                           /* the program's own memory is given to oneDNN */
  cudnnDataType_t number[UWDNN_ARGUMENTS];               /* what the packed form is of */
  size_t at[UWDNN_ARGUMENTS], scratch_at, bytes;         /* in the memory for work */
} plan;

static const uwdnn_view *view_of(const uwdnn_problem *p, int i) { return i == 0 ? &p->x : i == 1 ? &p->w : &p->y; }
static int result_of(const uwdnn_problem *p) { return p->pass == UWDNN_FORWARD ? 2 : p->pass == UWDNN_DATA ? 0 : 1; }

static dnnl_data_type_t type_of(cudnnDataType_t type) {
  switch ((int)type) {
  case CUDNN_DATA_FLOAT: return dnnl_f32;
  case CUDNN_DATA_INT8: return dnnl_s8;
  case CUDNN_DATA_UINT8: return dnnl_u8;
  case CUDNN_DATA_INT32: return dnnl_s32;
#if CUDNN_MAJOR >= 8
  case CUDNN_DATA_BFLOAT16: return dnnl_bf16;
#endif
  default: return dnnl_data_type_undef;
  }
}

/* In what numbers oneDNN gets an operand. Bytes are exact only where the processor multiplies them in one step. */
static cudnnDataType_t number_of(const uwdnn_problem *p, int i) {
  cudnnDataType_t type = view_of(p, i)->type;
  if (p->x.type == CUDNN_DATA_INT8 || p->x.type == CUDNN_DATA_UINT8)
    return i == 2 ? CUDNN_DATA_INT32 : type;
#if CUDNN_MAJOR >= 8
  if (type == CUDNN_DATA_BFLOAT16 && i != result_of(p) && uwdnn_onednn_has(dnnl_cpu_isa_avx512_core_bf16))
    return type;
#endif
  return CUDNN_DATA_FLOAT;
}

static int is_direct(const uwdnn_problem *p, int i, cudnnDataType_t number) {
  const uwdnn_view *view = view_of(p, i);
  int good = view->type == number && view->vector == 1 && (i != result_of(p) || p->in_place);
  for (int d = 0; d < view->rank; d++)
    good &= view->strides[d] > 0;
  return good;
}

/* The layout of an operand as it is given, with a dimension of groups for filters of several. strides null: any. */
static int layout(const uwdnn_problem *p, int i, const int64_t *strides, dnnl_data_type_t type, uwdnn_layout *made) {
  const uwdnn_view *view = view_of(p, i);
  int64_t dims[CUDNN_DIM_MAX + 1], steps[CUDNN_DIM_MAX + 1];
  const int more = i == 1 && p->groups > 1;
  for (int d = 0; d < view->rank; d++) {
    dims[d + more] = view->dims[d];
    steps[d + more] = strides ? strides[d] : 0;
  }
  if (more) {
    dims[0] = p->groups;
    dims[1] /= p->groups;
    steps[0] = steps[1] * dims[1];
  }
  return uwdnn_layout_make(made, view->rank + more, dims, strides ? steps : NULL, type);
}

static void pack_strides(const uwdnn_view *view, int64_t *strides) {
  int64_t step = 1;
  for (int d = view->rank; d-- > 0; step *= view->dims[d])
    strides[d] = step;
}

static int is_channels_last(const uwdnn_problem *p, const plan *of) {
  return p->c > 1 && p->k > 1 && of->direct[0] && p->x.strides[1] == 1 && (!of->direct[2] || p->y.strides[1] == 1);
}

static int make_convolution(plan *of, const uwdnn_layout *given) {
  const uwdnn_problem *p = &of->problem;
  uwdnn_layout wanted[UWDNN_ARGUMENTS];
  const int as_given = is_channels_last(p, of);
  for (int i = 0; i < UWDNN_ARGUMENTS; i++)
    if (as_given && i != 1 && of->direct[i])
      wanted[i] = given[i];
    else if (!layout(p, i, NULL, type_of(of->number[i]), &wanted[i]))
      return 0;
  const int from = UWDNN_SPACE - p->space;
  int64_t dilation[UWDNN_SPACE], pad_end[UWDNN_SPACE];
  for (int d = 0; d < UWDNN_SPACE; d++) {
    dilation[d] = p->dilation[d] - 1;
    pad_end[d] = (p->out[d] - 1) * p->stride[d] + (p->kernel[d] - 1) * p->dilation[d] + 1 - p->in[d] - p->pad[d];
  }
  return uwdnn_make_convolution(&of->convolution, p->pass, wanted, p->stride + from, dilation + from, p->pad + from,
                                pad_end + from);
}

static size_t room(plan *of, size_t bytes) {
  size_t at = of->bytes;
  of->bytes += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return at;
}

static int make_plan(plan *of) {
  const uwdnn_problem *p = &of->problem;
  uwdnn_layout given[UWDNN_ARGUMENTS];
  size_t scratch = 0;
  for (int i = 0; i < UWDNN_ARGUMENTS; i++) {
    int64_t packed[CUDNN_DIM_MAX];
    of->number[i] = number_of(p, i);
    of->direct[i] = is_direct(p, i, of->number[i]);
    pack_strides(view_of(p, i), packed);
    if (!layout(p, i, of->direct[i] ? view_of(p, i)->strides : packed, type_of(of->number[i]), &given[i]))
      return 0;
  }
  if (!make_convolution(of, given))
    return 0;
  for (int i = 0; i < UWDNN_ARGUMENTS; i++) {
    const uwdnn_layout *best = &of->convolution.layouts[i];
    const int is_result = i == result_of(p);
    if (uwdnn_layout_same(&given[i], best))
      continue;
    if (!uwdnn_make_reorder(&of->reorder[i], is_result ? best : &given[i], is_result ? &given[i] : best))
      return 0;
    of->at[i] = room(of, uwdnn_layout_bytes(best));
    scratch = of->reorder[i].scratch_bytes > scratch ? of->reorder[i].scratch_bytes : scratch;
  }
  of->scratch_at = room(of, of->convolution.scratch_bytes > scratch ? of->convolution.scratch_bytes : scratch);
  return 1;
}

/* --- plans that are kept ------------------------------------------------------------------------------------------ */

static plan *_Atomic plans[PLANS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int kept;

static size_t place_of(const uwdnn_problem *problem) {
  const unsigned char *bytes = (const unsigned char *)problem;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < sizeof *problem; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash >> 32 & (PLANS - 1);
}

/* Its place, or the free one where it would be. */
static size_t look_up(const uwdnn_problem *problem) {
  size_t at = place_of(problem);
  for (const plan *one; (one = plans[at]) && memcmp(&one->problem, problem, sizeof *problem) != 0;)
    at = (at + 1) & (PLANS - 1);
  return at;
}

/* Null: there is no memory, or too many problems are kept; then GEMM does it. */
static const plan *find(const uwdnn_problem *problem) {
  const plan *found = plans[look_up(problem)];
  if (found)
    return found;
  pthread_mutex_lock(&lock);
  const size_t at = look_up(problem);
  if (!plans[at] && kept < PLANS / 4 * 3) {
    plan *fresh = calloc(1, sizeof *fresh);
    if (fresh) {
      fresh->problem = *problem;
      fresh->works = make_plan(fresh);
      plans[at] = fresh;
      kept++;
    }
  }
  found = plans[at];
  pthread_mutex_unlock(&lock);
  return found;
}

static int is_exact_here(const uwdnn_problem *p) {
  if (p->x.type != CUDNN_DATA_INT8 && p->x.type != CUDNN_DATA_UINT8)
    return p->x.type != CUDNN_DATA_DOUBLE;
  return uwdnn_onednn_has(dnnl_cpu_isa_avx512_core_vnni) || uwdnn_onednn_has(dnnl_cpu_isa_avx2_vnni);
}

int uwdnn_onednn_convolves(const uwdnn_problem *problem) {
  if (!uwdnn_onednn() || !is_exact_here(problem))
    return 0;
  const plan *found = find(problem);
  return found && found->works;
}

/* --- the work ----------------------------------------------------------------------------------------------------- */

/* An operand in its direct or packed form. */
static void *form(const plan *of, int i, const void *at) {
  static const int slots[UWDNN_ARGUMENTS] = {UWL_SCRATCH_A, UWL_SCRATCH_B, UWL_SCRATCH_C};
  if (of->direct[i])
    return (void *)at;
  const uwdnn_view *view = view_of(&of->problem, i);
  void *packed = uwdnn_memory(slots[i], (size_t)uwdnn_view_count(view) * uwdnn_type_bytes(of->number[i]));
  if (i != result_of(&of->problem))
    uwdnn_gather(view, at, of->number[i], packed);
  return packed;
}

const void *uwdnn_onednn_convolve(const uwdnn_problem *problem, const uwdnn_operands *operands, cudnnDataType_t *type) {
  const plan *of = find(problem);
  const int result = result_of(problem);
  const void *const given[] = {operands->x, operands->w, operands->y};
  char *work = uwdnn_memory(UWL_SCRATCH_WORK, of->bytes);
  void *forms[UWDNN_ARGUMENTS], *best[UWDNN_ARGUMENTS];
  for (int i = 0; i < UWDNN_ARGUMENTS; i++) {
    forms[i] = form(of, i, given[i]);
    best[i] = of->reorder[i].made ? work + of->at[i] : forms[i];
    if (of->reorder[i].made && i != result)
      uwdnn_run(&of->reorder[i], (void *const[]){forms[i], best[i]}, work + of->scratch_at);
  }
  uwdnn_run(&of->convolution, best, work + of->scratch_at);
  if (of->reorder[result].made)
    uwdnn_run(&of->reorder[result], (void *const[]){best[result], forms[result]}, work + of->scratch_at);
  *type = of->number[result];
  return of->direct[result] ? NULL : forms[result];
}
