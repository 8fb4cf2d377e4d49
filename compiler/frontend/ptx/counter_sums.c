/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What an integer or an address is, as a sum that grows from iteration to iteration, in and between two loops of which
 * the second goes on where the first stopped: see remainders.h.
 *
 * Integers of 32 bits that a sum of 64 bits is made of are taken not to wrap around between the two loops: the loop
 * with the written-out iterations steps its pointers, and goes on where such an integer would begin anew.
 *
 * Beside analysis/linear.h, which asks whether addresses differ, so that its sums are unknown where they overflow, and
 * modulo 2^32 where an extension is looked through. These are to be equal, so they wrap around as 64 bits do, and a term
 * keeps how it is extended. They are LLVM's, before there is a module of MLIR; the front end knows no analyses
 * (docs/design.md, section 4). */
#include "remainders.h"

enum { DEEPEST = 16 };

static bool form_of(const uw_ptx_pair *pair, LLVMValueRef value, int depth, uw_ptx_affine *form);

static bool add_term(uw_ptx_sum *sum, uw_ptx_term term) {
  unsigned i = 0;
  while (i < sum->count && (sum->terms[i].value != term.value || sum->terms[i].extended != term.extended))
    i++;
  if (i == sum->count) {
    if (i == UW_PTX_MOST_TERMS)
      return false;
    sum->terms[sum->count++] = (uw_ptx_term){term.value, term.extended, 0};
  }
  sum->terms[i].factor = (long long)((unsigned long long)sum->terms[i].factor + (unsigned long long)term.factor);
  if (sum->terms[i].factor == 0)
    sum->terms[i] = sum->terms[--sum->count];
  return true;
}

static long long product(long long a, long long b) {
  return (long long)((unsigned long long)a * (unsigned long long)b);
}

bool uw_ptx_add_sum(uw_ptx_sum *to, const uw_ptx_sum *sum, long long times) {
  to->constant = (long long)((unsigned long long)to->constant + (unsigned long long)product(sum->constant, times));
  for (unsigned i = 0; i < sum->count; i++)
    if (!add_term(to, (uw_ptx_term){sum->terms[i].value, sum->terms[i].extended, product(sum->terms[i].factor, times)}))
      return false;
  return true;
}

bool uw_ptx_equal_sums(const uw_ptx_sum *a, const uw_ptx_sum *b) {
  uw_ptx_sum difference = *a;
  return uw_ptx_add_sum(&difference, b, -1) && difference.count == 0 && difference.constant == 0;
}

bool uw_ptx_is_number(const uw_ptx_sum *sum, long long *number) {
  *number = sum->constant;
  return sum->count == 0;
}

static bool add_form(uw_ptx_affine *to, const uw_ptx_affine *form, long long times) {
  return uw_ptx_add_sum(&to->base, &form->base, times) && uw_ptx_add_sum(&to->by, &form->by, times);
}

static bool is_constant(const uw_ptx_sum *sum) { return sum->count == 0; }

static bool stays(const uw_ptx_affine *form) { return form->by.count == 0 && form->by.constant == 0; }

/* One times the other: one of them is a constant, or one a value and the other has constants alone. */
static bool multiply(const uw_ptx_affine *a, const uw_ptx_affine *b, uw_ptx_affine *form) {
  *form = (uw_ptx_affine){0};
  if (!is_constant(&a->base) || !is_constant(&a->by)) {
    const uw_ptx_affine *swap = a;
    a = b;
    b = swap;
  }
  return is_constant(&a->base) && is_constant(&a->by) && stays(b) &&
         uw_ptx_add_sum(&form->base, &b->base, a->base.constant) && uw_ptx_add_sum(&form->by, &b->base, a->by.constant);
}

static bool extend(uw_ptx_sum *sum, char how) {
  if (how == 'z' && sum->constant < 0)
    return false;
  for (unsigned i = 0; i < sum->count; i++) {
    if (sum->terms[i].extended)
      return false;
    sum->terms[i].extended = how;
  }
  return true;
}

static const uw_ptx_iterations *loop_around(const uw_ptx_pair *pair, LLVMBasicBlockRef block) {
  return uw_table_get(pair->first.inside, block)    ? &pair->first
         : uw_table_get(pair->second.inside, block) ? &pair->second
                                                    : NULL;
}

static bool is_outside(const uw_ptx_pair *pair, LLVMValueRef value) {
  LLVMBasicBlockRef block = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;
  return !block || (!loop_around(pair, block) && !uw_table_get(pair->between, block));
}

static bool form_of_address(const uw_ptx_pair *pair, LLVMValueRef gep, int depth, uw_ptx_affine *form) {
  uw_ptx_affine index;
  return LLVMGetNumOperands(gep) == 2 && form_of(pair, LLVMGetOperand(gep, 0), depth, form) &&
         form_of(pair, LLVMGetOperand(gep, 1), depth, &index) &&
         add_form(form, &index, (long long)LLVMABISizeOfType(pair->layout, LLVMGetGEPSourceElementType(gep)));
}

/* What the sum that ends in phi adds to it. */
static bool added_to(const uw_ptx_pair *pair, LLVMValueRef value, LLVMValueRef phi, int depth, uw_ptx_sum *sum) {
  uw_ptx_affine form;
  LLVMOpcode opcode = uw_ptx_opcode_of(value);
  if (value == phi)
    return true;
  if (depth >= DEEPEST)
    return false;
  if (opcode == LLVMGetElementPtr)
    return LLVMGetNumOperands(value) == 2 && form_of(pair, LLVMGetOperand(value, 1), depth + 1, &form) &&
           stays(&form) &&
           uw_ptx_add_sum(sum, &form.base,
                          (long long)LLVMABISizeOfType(pair->layout, LLVMGetGEPSourceElementType(value))) &&
           added_to(pair, LLVMGetOperand(value, 0), phi, depth + 1, sum);
  for (unsigned i = 0; opcode == LLVMAdd && i < 2; i++) {
    LLVMValueRef other = LLVMGetOperand(value, 1 - i);
    uw_ptx_sum trial = *sum;
    if (form_of(pair, other, depth + 1, &form) && stays(&form) && uw_ptx_add_sum(&trial, &form.base, 1) &&
        added_to(pair, LLVMGetOperand(value, i), phi, depth + 1, &trial)) {
      *sum = trial;
      return true;
    }
  }
  return false;
}

static bool step_of(const uw_ptx_pair *pair, const uw_ptx_iterations *loop, LLVMValueRef phi, int depth,
                    uw_ptx_sum *step) {
  *step = (uw_ptx_sum){0};
  LLVMValueRef next = uw_incoming_from(phi, loop->latch);
  return next && next != phi && added_to(pair, next, phi, depth, step);
}

bool uw_ptx_step_of(const uw_ptx_pair *pair, const uw_ptx_iterations *loop, LLVMValueRef phi, uw_ptx_sum *step) {
  return step_of(pair, loop, phi, 0, step);
}

static long long rounds_a_trip(const uw_ptx_pair *pair, const uw_ptx_iterations *loop) {
  return (loop == &pair->first) == pair->multiple_first ? pair->factor : 1;
}

static bool form_of_carried(const uw_ptx_pair *pair, const uw_ptx_iterations *loop, LLVMValueRef phi, int depth,
                            uw_ptx_affine *form) {
  uw_ptx_sum step, by = {0};
  LLVMValueRef start = uw_incoming_from(phi, loop->before);
  if (!start || LLVMCountIncoming(phi) != 2 || !step_of(pair, loop, phi, depth, &step) ||
      !form_of(pair, start, depth, form))
    return false;
  if (loop == &pair->second &&
      (!uw_ptx_add_sum(&by, &form->by, rounds_a_trip(pair, loop)) || !uw_ptx_equal_sums(&by, &step)))
    return false;
  form->by = step;
  return true;
}

/* by: 0 as long as it is not known how many iterations a trip has. */
static bool divide(uw_ptx_sum *sum, long long by) {
  if (by == 0)
    return false;
  bool even = sum->constant % by == 0;
  sum->constant /= by;
  for (unsigned i = 0; i < sum->count; i++) {
    even = even && sum->terms[i].factor % by == 0;
    sum->terms[i].factor /= by;
  }
  return even;
}

/* With what the first loop is left where the value is compared with the limit at its end. */
static LLVMValueRef last_of(const uw_ptx_pair *pair, LLVMValueRef value) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(pair->first.latch), condition = LLVMGetCondition(end);
  if (!LLVMIsAICmpInst(condition) ||
      LLVMGetICmpPredicate(condition) != (LLVMGetSuccessor(end, 0) == pair->first.header ? LLVMIntNE : LLVMIntEQ))
    return value;
  for (unsigned i = 0; i < 2; i++)
    if (LLVMGetOperand(condition, i) == value)
      return LLVMGetOperand(condition, 1 - i);
  return value;
}

/* Where the ways past and through the first loop meet. */
static bool form_of_joined(const uw_ptx_pair *pair, LLVMValueRef phi, int depth, uw_ptx_affine *form) {
  LLVMValueRef past = uw_incoming_from(phi, pair->guard),
               through = uw_incoming_from(phi, pair->cross ? pair->cross : pair->first.latch);
  uw_ptx_affine last;
  if (!past || !through || LLVMCountIncoming(phi) != 2 || !form_of(pair, past, depth, form) || !stays(form))
    return false;
  if (past == through)
    return true;
  if (is_outside(pair, through) && uw_ptx_opcode_of(last_of(pair, through)) == LLVMAdd)
    through = last_of(pair, through);
  if (is_outside(pair, through) || !form_of(pair, through, depth, &last) || !uw_ptx_add_sum(&last.base, &last.by, -1) ||
      !uw_ptx_equal_sums(&last.base, &form->base) || !divide(&last.by, rounds_a_trip(pair, &pair->first)))
    return false;
  form->by = last.by;
  return true;
}

static bool form_of_extended(const uw_ptx_pair *pair, LLVMValueRef op, char how, int depth, uw_ptx_affine *form) {
  LLVMValueRef value = LLVMGetOperand(op, 0);
  if (is_outside(pair, value) && !LLVMIsAConstantInt(value)) {
    *form = (uw_ptx_affine){0};
    return add_term(&form->base, (uw_ptx_term){value, how, 1});
  }
  return !loop_around(pair, LLVMGetInstructionParent(op)) && form_of(pair, value, depth, form) &&
         extend(&form->base, how) && extend(&form->by, how);
}

static bool form_of_arithmetic(const uw_ptx_pair *pair, LLVMValueRef op, int depth, uw_ptx_affine *form) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(op);
  uw_ptx_affine left, right;
  long long number;
  if (!form_of(pair, LLVMGetOperand(op, 0), depth, &left) || !form_of(pair, LLVMGetOperand(op, 1), depth, &right))
    return false;
  if (opcode == LLVMMul)
    return multiply(&left, &right, form);
  *form = left;
  if (opcode != LLVMShl)
    return add_form(form, &right, opcode == LLVMSub ? -1 : 1);
  *form = (uw_ptx_affine){0};
  return stays(&right) && uw_ptx_is_number(&right.base, &number) && number >= 0 && number < 32 &&
         add_form(form, &left, 1ll << number);
}

static bool form_of_op(const uw_ptx_pair *pair, LLVMValueRef value, int depth, uw_ptx_affine *form) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
  const uw_ptx_iterations *loop = loop_around(pair, block);
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMPHI:
    return loop && block == loop->header ? form_of_carried(pair, loop, value, depth, form)
           : block == pair->join         ? form_of_joined(pair, value, depth, form)
                                         : false;
  case LLVMOr:
    if (!LLVMGetIsDisjoint(value))
      return false;
    return form_of_arithmetic(pair, value, depth, form);
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl: return form_of_arithmetic(pair, value, depth, form);
  case LLVMGetElementPtr: return form_of_address(pair, value, depth, form);
  case LLVMAnd: /* as zext (trunc x) */
    return !loop && LLVMIsAConstantInt(LLVMGetOperand(value, 1)) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 64 &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)) == UINT32_MAX &&
           !is_outside(pair, LLVMGetOperand(value, 0)) && form_of(pair, LLVMGetOperand(value, 0), depth, form);
  case LLVMSExt: return form_of_extended(pair, value, 's', depth, form);
  case LLVMZExt: return form_of_extended(pair, value, 'z', depth, form);
  default: return false;
  }
}

/* Integers from outside that may be extended stay what they are, but for differences: of such is how many iterations
 * there are. */
static bool is_worth_opening(const uw_ptx_pair *pair, LLVMValueRef value) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  bool is_narrow =
      LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(value)) < 64;
  return !is_outside(pair, value) || !is_narrow || opcode == LLVMSub ||
         (opcode == LLVMAdd && LLVMIsAConstantInt(LLVMGetOperand(value, 1)));
}

static bool form_of(const uw_ptx_pair *pair, LLVMValueRef value, int depth, uw_ptx_affine *form) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  *form = (uw_ptx_affine){0};
  if (depth >= DEEPEST ||
      (kind != LLVMPointerTypeKind && (kind != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)))
    return false;
  if (LLVMIsAConstantInt(value)) {
    form->base.constant = LLVMConstIntGetSExtValue(value);
    return true;
  }
  if (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr &&
      form_of_address(pair, value, depth + 1, form))
    return true;
  *form = (uw_ptx_affine){0};
  if (LLVMIsAInstruction(value) && is_worth_opening(pair, value) && form_of_op(pair, value, depth + 1, form))
    return true;
  *form = (uw_ptx_affine){0};
  return is_outside(pair, value) && add_term(&form->base, (uw_ptx_term){value, 0, 1});
}

bool uw_ptx_affine_of(const uw_ptx_pair *pair, LLVMValueRef value, uw_ptx_affine *form) {
  return form_of(pair, value, 0, form);
}
