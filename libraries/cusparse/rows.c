/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Any sparse matrix, or its transpose, by rows. Only CSR with indices of 32 bits is that already; all others are
 * counted into rows, which takes a pass over the indices and one over the values. Entries of a row keep the order in
 * which the matrix has them. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

int uwl_has_rows(const struct cusparseSpMatDescr *m) {
  const int64_t most = INT32_MAX - 1;
  return uwl_value_bytes(m->type) && m->rows * m->block_rows < most && m->cols * m->block_cols < most &&
         m->nnz * m->block_rows * m->block_cols < most;
}

typedef struct entry {
  int64_t row, column, value;
} entry;

/* Calls f for each entry, in the matrix' order. */
static void for_each(const struct cusparseSpMatDescr *m, void (*f)(void *, entry), void *data) {
  if (m->format == CUSPARSE_FORMAT_COO) {
    for (int64_t i = 0; i < m->nnz; i++)
      f(data, (entry){uwl_index_at(m->offsets, m->offsets_type, i) - m->base,
                      uwl_index_at(m->indices, m->index_type, i) - m->base, i});
    return;
  }
  const int64_t outer = m->format == CUSPARSE_FORMAT_CSC ? m->cols : m->rows, br = m->block_rows, bc = m->block_cols;
  for (int64_t o = 0; o < outer; o++) {
    const int64_t from = uwl_index_at(m->offsets, m->offsets_type, o) - m->base;
    const int64_t to = uwl_index_at(m->offsets, m->offsets_type, o + 1) - m->base;
    if (m->format != CUSPARSE_FORMAT_BSR) {
      for (int64_t i = from; i < to; i++) {
        const int64_t inner = uwl_index_at(m->indices, m->index_type, i) - m->base;
        f(data, m->format == CUSPARSE_FORMAT_CSC ? (entry){inner, o, i} : (entry){o, inner, i});
      }
      continue;
    }
    for (int64_t r = 0; r < br; r++)
      for (int64_t i = from; i < to; i++)
        for (int64_t c = 0; c < bc; c++)
          f(data, (entry){o * br + r, (uwl_index_at(m->indices, m->index_type, i) - m->base) * bc + c,
                          i * br * bc + (m->block_order == CUSPARSE_ORDER_ROW ? r * bc + c : c * br + r)});
  }
}

typedef struct filling {
  const struct cusparseSpMatDescr *of;
  int transposed, conjugated, *offsets, *columns;
  char *values;
  size_t bytes;
} filling;

static void count(void *data, entry e) {
  filling *f = data;
  f->offsets[(f->transposed ? e.column : e.row) + 1]++;
}

/* offsets[row] is where the row's next entry goes; after the pass it is where the next row begins. */
static void place(void *data, entry e) {
  filling *f = data;
  const int at = f->offsets[f->transposed ? e.column : e.row]++;
  f->columns[at] = (int)(f->transposed ? e.row : e.column);
  char *to = f->values + (size_t)at * f->bytes;
  memcpy(to, (const char *)f->of->values + (size_t)e.value * f->bytes, f->bytes);
  if (f->conjugated && f->of->type == CUDA_C_32F)
    ((float *)to)[1] = -((float *)to)[1];
  if (f->conjugated && f->of->type == CUDA_C_64F)
    ((double *)to)[1] = -((double *)to)[1];
}

int uwl_rows_of(const struct cusparseSpMatDescr *m, cusparseOperation_t op, sparse_rows *rows) {
  const int transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t all_rows = m->rows * m->block_rows, all_cols = m->cols * m->block_cols;
  const int64_t nnz = m->nnz * m->block_rows * m->block_cols;
  *rows = (sparse_rows){.rows = transposed ? all_cols : all_rows, .cols = transposed ? all_rows : all_cols};
  if (m->format == (transposed ? CUSPARSE_FORMAT_CSC : CUSPARSE_FORMAT_CSR) &&
      op != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && m->offsets_type == CUSPARSE_INDEX_32I &&
      m->index_type == CUSPARSE_INDEX_32I) {
    rows->offsets = m->offsets;
    rows->columns = m->indices;
    rows->values = m->values;
    rows->base = (int)m->base;
    return 1;
  }
  filling f = {.of = m,
               .transposed = transposed,
               .conjugated = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
               .bytes = uwl_value_bytes(m->type)};
  const size_t value_bytes = ((size_t)nnz * f.bytes + 15) / 16 * 16,
               column_bytes = ((size_t)nnz * sizeof(int) + 15) / 16 * 16;
  char *memory = malloc(value_bytes + column_bytes + (size_t)(rows->rows + 1) * sizeof(int));
  if (!memory)
    return 0;
  f.values = memory;
  f.columns = (int *)(memory + value_bytes);
  f.offsets = (int *)(memory + value_bytes + column_bytes);
  memset(f.offsets, 0, (size_t)(rows->rows + 1) * sizeof(int));
  for_each(m, count, &f);
  for (int64_t i = 0; i < rows->rows; i++)
    f.offsets[i + 1] += f.offsets[i];
  for_each(m, place, &f);
  memmove(f.offsets + 1, f.offsets, (size_t)rows->rows * sizeof(int));
  f.offsets[0] = 0;
  rows->offsets = f.offsets;
  rows->columns = f.columns;
  rows->values = f.values;
  rows->owned = memory;
  return 1;
}
