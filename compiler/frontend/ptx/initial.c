/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What variables of a module are initialised with. (PTX ISA, "Initializers".) All is bytes first; where an address
 * stands, whole or byte by byte, it is a pointer among them:
 *
 *     .global .align 8 .b8 v[16] = {1, 0, 0, 0, 0, 0, 0, 0, 0xFF(f), 0xFF00(f), …};   ==>   <{ [8 x i8], ptr }>
 */
#include <string.h>

#include "ptx.h"

typedef struct address_at {
  struct address_at *next;
  uint64_t offset;
  LLVMValueRef value;
} address_at;

typedef struct image {
  uw_ptx_maker *m;
  const uw_ptx_variable *variable;
  unsigned char *bytes;
  uint64_t size;
  address_at *addresses, *last;
} image;

static unsigned element_bytes(const uw_ptx_variable *v) { return v->type->bits < 8 ? 1 : v->type->bits / 8; }

static bool place_address(image *image, const uw_ptx_operand *value, uint64_t offset) {
  uw_ptx_maker *m = image->m;
  if (value->width > 1) /* the other bytes of one */
    return true;
  if (!value->width && element_bytes(image->variable) != 8)
    return uw_ptx_refuse(m, "an address is initialised in 64 bits");
  LLVMValueRef of = uw_ptx_address_of(m, value->name), step = LLVMConstInt(uw_ptx_int(m, 64), value->integer, true);
  if (!of)
    return uw_ptx_refuse(m, "'%s' is no variable or function", value->name);
  address_at *fresh = uw_alloc(m->program->arena, sizeof *fresh);
  *fresh = (address_at){NULL, offset, value->integer ? LLVMConstGEP2(uw_ptx_int(m, 8), of, &step, 1) : of};
  if (image->last)
    image->last->next = fresh;
  else
    image->addresses = fresh;
  image->last = fresh;
  return offset + 8 <= image->size || uw_ptx_refuse(m, "more values than '%s' has room for", image->variable->name);
}

static bool place_number(image *image, const uw_ptx_operand *value, uint64_t offset) {
  uw_ptx_maker *m = image->m;
  const uw_ptx_type *type = image->variable->type;
  unsigned bytes = element_bytes(image->variable);
  uint64_t bits = value->integer;
  if (offset + bytes > image->size)
    return uw_ptx_refuse(m, "more values than '%s' has room for", image->variable->name);
  if (value->kind == UW_PTX_NAME)
    return place_address(image, value, offset);
  if (value->kind == UW_PTX_DECIMAL || value->kind == UW_PTX_BITS) {
    double number = value->decimal;
    if (value->kind == UW_PTX_BITS && value->width == 64)
      memcpy(&number, &bits, sizeof number);
    if (value->kind == UW_PTX_BITS && value->width == 32) {
      float narrow;
      memcpy(&narrow, &bits, sizeof narrow);
      number = (double)narrow;
    }
    float narrow = (float)number;
    if (value->kind == UW_PTX_BITS && value->width == type->bits)
      ;
    else if (type->bits == 64)
      memcpy(&bits, &number, 8);
    else if (type->bits == 32)
      bits = 0, memcpy(&bits, &narrow, 4);
    else
      return uw_ptx_refuse(m, "a floating point number does not fit '%s'", image->variable->name);
  }
  memcpy(image->bytes + offset, &bits, bytes < 8 ? bytes : 8);
  return true;
}

/* A list initialises a row of the array, as in C; *at counts elements. */
static bool place(image *image, const uw_ptx_operand *value, unsigned dimension, uint64_t at) {
  const uw_ptx_variable *v = image->variable;
  if (value->kind != UW_PTX_VECTOR)
    return place_number(image, value, at * element_bytes(v));
  uint64_t row = v->lanes;
  for (unsigned d = dimension + 1; d < v->dimensions; d++)
    row *= v->extents[d];
  if (dimension >= v->dimensions) /* {x, y} of a vector */
    row = 1;
  for (size_t i = 0; i < value->count; i++)
    if (!place(image, &value->parts[i], dimension + 1, at + i * row))
      return false;
  return true;
}

static LLVMValueRef bytes_constant(image *image, uint64_t from, uint64_t to) {
  LLVMContextRef context = image->m->program->context;
  return LLVMConstStringInContext2(context, (const char *)image->bytes + from, to - from, /*DontNullTerminate=*/true);
}

/* A struct of bytes and pointers, without gaps. */
static LLVMValueRef with_addresses(image *image) {
  size_t count = 0, capacity = 0;
  LLVMValueRef *fields = NULL;
  uint64_t done = 0;
  for (const address_at *a = image->addresses; a; a = a->next) {
    if (a->offset > done) {
      fields = uw_grow(image->m->program->arena, fields, count, &capacity, sizeof *fields);
      fields[count++] = bytes_constant(image, done, a->offset);
    }
    fields = uw_grow(image->m->program->arena, fields, count, &capacity, sizeof *fields);
    fields[count++] = a->value;
    done = a->offset + 8;
  }
  if (done < image->size) {
    fields = uw_grow(image->m->program->arena, fields, count, &capacity, sizeof *fields);
    fields[count++] = bytes_constant(image, done, image->size);
  }
  return LLVMConstStructInContext(image->m->program->context, fields, (unsigned)count, /*Packed=*/true);
}

/* Values as an array of the variable's own type. */
static LLVMValueRef array_constant(image *image) {
  uw_ptx_maker *m = image->m;
  const uw_ptx_variable *v = image->variable;
  unsigned bytes = element_bytes(v);
  if (bytes == 1 && v->dimensions)
    return bytes_constant(image, 0, image->size);
  uint64_t count = image->size / bytes;
  LLVMTypeRef type = uw_ptx_llvm_type(m, v->type), whole = uw_ptx_int(m, bytes * 8);
  LLVMValueRef *elements = uw_alloc(m->program->arena, (count + 1) * sizeof *elements);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t words[2] = {0};
    memcpy(words, image->bytes + i * bytes, bytes);
    elements[i] = LLVMConstBitCast(LLVMConstIntOfArbitraryPrecision(whole, 2, words), type);
  }
  return v->dimensions || v->lanes > 1 ? LLVMConstArray2(type, elements, count) : elements[0];
}

LLVMValueRef uw_ptx_initialise(uw_ptx_maker *m, const uw_ptx_variable *v, LLVMValueRef global) {
  if (!v->initial)
    return global;
  m->line = v->line;
  image image = {.m = m, .variable = v, .size = v->count * v->lanes * element_bytes(v)};
  image.bytes = uw_alloc(m->program->arena, image.size + 8);
  if (!place(&image, v->initial, 0, 0))
    return NULL;
  if (!image.addresses) {
    LLVMSetInitializer(global, array_constant(&image));
    return global;
  }
  /* of another type: a fresh variable in its place */
  LLVMValueRef value = with_addresses(&image);
  LLVMValueRef fresh = LLVMAddGlobalInAddressSpace(m->program->device, LLVMTypeOf(value), "",
                                                   LLVMGetPointerAddressSpace(LLVMTypeOf(global)));
  LLVMSetInitializer(fresh, value);
  LLVMSetLinkage(fresh, LLVMGetLinkage(global));
  LLVMSetAlignment(fresh, LLVMGetAlignment(global));
  LLVMSetGlobalConstant(fresh, LLVMIsGlobalConstant(global));
  LLVMReplaceAllUsesWith(global, fresh);
  size_t length;
  const char *name = LLVMGetValueName2(global, &length);
  char *copy = uw_arena_format(m->program->arena, "%s", name);
  LLVMDeleteGlobal(global);
  LLVMSetValueName2(fresh, copy, strlen(copy));
  return fresh;
}
