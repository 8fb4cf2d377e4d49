/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: descriptors of the graph API and their attributes. */
#include "backend.h"

#if CUDNN_MAJOR >= 8

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char uwdnn_backend_kind;

/* --- what attributes there are ------------------------------------------------------------------------------------ */

enum need { MUST, MAY, TOLD };
enum { CUDNN_TYPE_REAL = 1000 };
typedef struct row {
  int descriptor, name, type, most, need;
} row;
static const row rows[] = {
#define UW_ATTRIBUTE(descriptor, name, type, most, need)                                                               \
  {CUDNN_BACKEND_##descriptor##_DESCRIPTOR, CUDNN_ATTR_##name, CUDNN_TYPE_##type, most, need},
#include "backend.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

static const row *row_of(int descriptor, int name) {
  for (int i = 0; i < ROWS; i++)
    if (rows[i].descriptor == descriptor && rows[i].name == name)
      return &rows[i];
  return NULL;
}
static int is_known(int descriptor) {
  for (int i = 0; i < ROWS; i++)
    if (rows[i].descriptor == descriptor)
      return 1;
  return 0;
}
/* Where an attribute is not one of that descriptor: of another, or of one that we do not have. */
static cudnnStatus_t stranger(int name) {
  for (int i = 0; i < ROWS; i++)
    NEED(rows[i].name != name);
  return CUDNN_STATUS_NOT_SUPPORTED;
}

static size_t bytes_of(int type) {
  switch (type) {
  case CUDNN_TYPE_BOOLEAN: return sizeof(bool);
  case CUDNN_TYPE_CHAR: return 1;
  case CUDNN_TYPE_HANDLE:
  case CUDNN_TYPE_VOID_PTR:
  case CUDNN_TYPE_BACKEND_DESCRIPTOR: return sizeof(void *);
  case CUDNN_TYPE_INT64:
  case CUDNN_TYPE_DOUBLE: return 8;
  case CUDNN_TYPE_FRACTION: return sizeof(cudnnFraction_t);
  default: return sizeof(int);
  }
}

static int is_type(const row *row, int type) {
  return row->type == type || (row->type == CUDNN_TYPE_REAL && (type == CUDNN_TYPE_FLOAT || type == CUDNN_TYPE_DOUBLE));
}

/* --- what a descriptor has ---------------------------------------------------------------------------------------- */

const uwdnn_attribute *uwdnn_attribute_of(const uwdnn_backend *descriptor, int name) {
  for (int i = 0; i < descriptor->count; i++)
    if (descriptor->attributes[i].name == name)
      return &descriptor->attributes[i];
  return NULL;
}

static void clear(uwdnn_attribute *attribute) {
  uwdnn_backend **of = attribute->elements;
  if (attribute->type == CUDNN_TYPE_BACKEND_DESCRIPTOR)
    for (int64_t i = 0; i < attribute->count; i++)
      uwdnn_backend_release(of[i]);
  free(attribute->elements);
}

static void clear_all(uwdnn_backend *descriptor) {
  for (int i = 0; i < descriptor->count; i++)
    clear(&descriptor->attributes[i]);
  descriptor->count = 0;
  descriptor->is_final = 0;
}

void uwdnn_backend_release(uwdnn_backend *descriptor) {
  if (__atomic_sub_fetch(&descriptor->references, 1, __ATOMIC_ACQ_REL))
    return;
  clear_all(descriptor);
  free(descriptor);
}

uwdnn_backend *uwdnn_backend_new(cudnnBackendDescriptorType_t type) {
  uwdnn_backend *fresh = calloc(1, sizeof *fresh);
  if (fresh) {
    fresh->type = type;
    fresh->references = 1;
  }
  return fresh;
}

cudnnStatus_t uwdnn_attribute_put(uwdnn_backend *descriptor, int name, int type, int64_t count, const void *elements) {
  uwdnn_attribute *at = (uwdnn_attribute *)uwdnn_attribute_of(descriptor, name);
  const size_t bytes = (size_t)count * bytes_of(type);
  void *copy = malloc(bytes ? bytes : 1);
  if (!copy)
    return CUDNN_STATUS_ALLOC_FAILED;
  if (bytes)
    memcpy(copy, elements, bytes);
  if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR)
    for (int64_t i = 0; i < count; i++)
      __atomic_add_fetch(&((uwdnn_backend **)copy)[i]->references, 1, __ATOMIC_RELAXED);
  if (at)
    clear(at);
  else
    at = &descriptor->attributes[descriptor->count++];
  *at = (uwdnn_attribute){name, type, count, copy};
  return CUDNN_STATUS_SUCCESS;
}

int uwdnn_has_all(const uwdnn_backend *descriptor) {
  for (int i = 0; i < ROWS; i++) {
    if (rows[i].descriptor != (int)descriptor->type || rows[i].need != MUST)
      continue;
    const uwdnn_attribute *found = uwdnn_attribute_of(descriptor, rows[i].name);
    if (!found || !found->count)
      return 0;
  }
  return 1;
}

int64_t uwdnn_integer(const uwdnn_backend *descriptor, int name, int64_t otherwise) {
  const uwdnn_attribute *found = uwdnn_attribute_of(descriptor, name);
  if (!found || !found->count)
    return otherwise;
  const size_t bytes = bytes_of(found->type);
  return bytes == 1   ? *(const unsigned char *)found->elements
         : bytes == 4 ? *(const int *)found->elements
                      : *(const int64_t *)found->elements;
}
double uwdnn_real(const uwdnn_backend *descriptor, int name, double otherwise) {
  const uwdnn_attribute *found = uwdnn_attribute_of(descriptor, name);
  if (!found || !found->count)
    return otherwise;
  return found->type == CUDNN_TYPE_DOUBLE ? *(const double *)found->elements : (double)*(const float *)found->elements;
}
uwdnn_backend *uwdnn_descriptor(const uwdnn_backend *descriptor, int name) {
  const uwdnn_attribute *found = uwdnn_attribute_of(descriptor, name);
  return found && found->count ? *(uwdnn_backend **)found->elements : NULL;
}
const int64_t *uwdnn_integers(const uwdnn_backend *descriptor, int name) {
  const uwdnn_attribute *found = uwdnn_attribute_of(descriptor, name);
  return found ? found->elements : NULL;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t descriptorType,
                                           cudnnBackendDescriptor_t *descriptor) {
  NEED(descriptor);
  SUPPORTED(is_known((int)descriptorType));
  uwdnn_backend *fresh;
  TRY(uwdnn_new(&fresh, sizeof *fresh, &uwdnn_backend_kind));
  fresh->type = descriptorType;
  fresh->references = 1;
  *descriptor = fresh;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor) {
  NEED(uwrt_handle_remove(descriptor, &uwdnn_backend_kind));
  uwdnn_backend_release(descriptor);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendInitialize(cudnnBackendDescriptor_t descriptor) {
  IS(backend, descriptor);
  clear_all(descriptor);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor) {
  IS(backend, descriptor);
  uwdnn_backend *of = descriptor;
  if (of->is_final)
    return CUDNN_STATUS_SUCCESS;
  NEED(uwdnn_has_all(of));
  TRY(uwdnn_finalize(of));
  of->is_final = 1;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t check_elements(int type, int64_t count, void *const *elements) {
  for (int64_t i = 0; i < count; i++)
    if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
      IS(backend, elements[i]);
      if (!((const uwdnn_backend *)elements[i])->is_final)
        return UWDNN_NOT_FINAL;
    } else if (type == CUDNN_TYPE_HANDLE)
      IS(handle, elements[i]);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t attributeName,
                                       cudnnBackendAttributeType_t attributeType, int64_t elementCount,
                                       const void *arrayOfElements) {
  IS(backend, descriptor);
  uwdnn_backend *of = descriptor;
  if (of->is_final)
    return CUDNN_STATUS_NOT_INITIALIZED;
  const row *row = row_of((int)of->type, (int)attributeName);
  if (!row)
    return stranger((int)attributeName);
  NEED(row->need != TOLD && is_type(row, (int)attributeType));
  NEED(elementCount >= 0 && (arrayOfElements || !elementCount));
  SUPPORTED(elementCount <= row->most);
  TRY(check_elements((int)attributeType, elementCount, arrayOfElements));
  return uwdnn_attribute_put(of, (int)attributeName, (int)attributeType, elementCount, arrayOfElements);
}

/* Makes the program's descriptor what ours is. */
static cudnnStatus_t fill(uwdnn_backend *into, const uwdnn_backend *from) {
  clear_all(into);
  for (int i = 0; i < from->count; i++) {
    const uwdnn_attribute *of = &from->attributes[i];
    TRY(uwdnn_attribute_put(into, of->name, of->type, of->count, of->elements));
  }
  into->is_final = 1;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t fill_descriptors(const uwdnn_attribute *from, int64_t count, void **into) {
  for (int64_t i = 0; i < count; i++) {
    IS(backend, into[i]);
    uwdnn_backend *of = ((uwdnn_backend **)from->elements)[i];
    NEED(((uwdnn_backend *)into[i])->type == of->type);
    if (into[i] != of)
      TRY(fill(into[i], of));
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendGetAttribute(const cudnnBackendDescriptor_t descriptor,
                                       cudnnBackendAttributeName_t attributeName,
                                       cudnnBackendAttributeType_t attributeType, int64_t requestedElementCount,
                                       int64_t *elementCount, void *arrayOfElements) {
  IS(backend, descriptor);
  const uwdnn_backend *of = descriptor;
  if (!of->is_final)
    return UWDNN_NOT_FINAL;
  const row *row = row_of((int)of->type, (int)attributeName);
  if (!row)
    return stranger((int)attributeName);
  const uwdnn_attribute *found = uwdnn_attribute_of(of, (int)attributeName);
  NEED(requestedElementCount >= 0 && is_type(row, (int)attributeType));
  NEED(!found || found->type == (int)attributeType);
  const int64_t there = found ? found->count : 0;
  PUT(elementCount, there);
  const int64_t count = requestedElementCount < there ? requestedElementCount : there;
  if (!count || !arrayOfElements)
    return CUDNN_STATUS_SUCCESS;
  if (attributeType == CUDNN_TYPE_BACKEND_DESCRIPTOR)
    return fill_descriptors(found, count, arrayOfElements);
  memcpy(arrayOfElements, found->elements, (size_t)count * bytes_of(found->type));
  return CUDNN_STATUS_SUCCESS;
}
#endif
