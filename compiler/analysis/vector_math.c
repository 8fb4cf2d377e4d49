/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The table of vector_math.h. */
#include "vector_math.h"

#include <string.h>

const uw_math_function uw_math_functions[] = {
    {"acos", 1, UW_SLEEF_U10, UW_LIBMVEC},     {"acosh", 1, UW_LIBMVEC, UW_LIBMVEC},
    {"asin", 1, UW_SLEEF_U10, UW_SLEEF_U10},   {"asinh", 1, UW_LIBMVEC, UW_LIBMVEC},
    {"atan", 1, UW_SLEEF_U10, UW_SLEEF_U10},   {"atan2", 2, UW_LIBMVEC, UW_SLEEF_U10},
    {"atanh", 1, UW_LIBMVEC, UW_LIBMVEC},      {"cbrt", 1, UW_SLEEF_U10, UW_SLEEF_U10},
    {"cos", 1, UW_LIBMVEC, UW_SLEEF_U10},      {"cosh", 1, UW_LIBMVEC, UW_SLEEF_U10},
    {"erf", 1, UW_SLEEF_U10, UW_LIBMVEC},      {"erfc", 1, UW_LIBMVEC, UW_LIBMVEC},
    {"exp", 1, UW_LIBMVEC, UW_SLEEF_U10},      {"exp10", 1, UW_SLEEF_U10, UW_SLEEF_U10},
    {"exp2", 1, UW_SLEEF_U10, UW_SLEEF_U10},   {"expm1", 1, UW_SLEEF_U10, UW_SLEEF_U10},
    {"hypot", 2, UW_LIBMVEC, UW_LIBMVEC},      {"lgamma", 1, UW_SLEEF_U10, UW_EACH_LANE},
    {"log", 1, UW_LIBMVEC, UW_SLEEF_U10},      {"log10", 1, UW_SLEEF_U10, UW_SLEEF_U10},
    {"log1p", 1, UW_EACH_LANE, UW_SLEEF_U10},  {"log2", 1, UW_SLEEF_U10, UW_SLEEF_U10},
    {"logb", 1, UW_EACH_LANE, UW_EACH_LANE},   {"nextafter", 2, UW_EACH_LANE, UW_EACH_LANE},
    {"pow", 2, UW_LIBMVEC, UW_LIBMVEC},        {"remainder", 2, UW_EACH_LANE, UW_EACH_LANE},
    {"sin", 1, UW_LIBMVEC, UW_SLEEF_U10},      {"sinh", 1, UW_LIBMVEC, UW_LIBMVEC},
    {"tan", 1, UW_LIBMVEC, UW_SLEEF_U10},      {"tanh", 1, UW_LIBMVEC, UW_SLEEF_U10},
    {"tgamma", 1, UW_EACH_LANE, UW_EACH_LANE},
};
const size_t uw_math_function_count = sizeof uw_math_functions / sizeof *uw_math_functions;

static struct {
  bool libmvec, sleef;
} there = {true, true};

void uw_set_vector_libraries(bool libmvec, bool sleef) {
  there.libmvec = libmvec;
  there.sleef = sleef;
}

uw_vector_form uw_form_of(const uw_math_function *function, bool is_double) {
  uw_vector_form form = is_double ? function->of_double : function->single;
  return (form == UW_LIBMVEC ? there.libmvec : there.sleef) ? form : UW_EACH_LANE;
}

static const uw_math_function *find(const char *name, size_t length) {
  for (size_t i = 0; i < uw_math_function_count; i++)
    if (strlen(uw_math_functions[i].name) == length && memcmp(uw_math_functions[i].name, name, length) == 0)
      return &uw_math_functions[i];
  return NULL;
}

static bool starts(const char *text, size_t length, const char *prefix) {
  size_t own = strlen(prefix);
  return length > own && memcmp(text, prefix, own) == 0;
}

const uw_math_function *uw_math_function_of(const char *callee, size_t length, bool *is_double) {
  static const char intrinsic[] = "llvm.", device[] = "__nv_", of_double[] = ".f64", of_single[] = ".f32";
  enum { TYPE = sizeof of_double - 1 };
  if (starts(callee, length, intrinsic)) {
    const char *type = callee + length - TYPE;
    *is_double = memcmp(type, of_double, TYPE) == 0;
    size_t before = sizeof intrinsic - 1;
    return length > before + TYPE && (*is_double || memcmp(type, of_single, TYPE) == 0)
               ? find(callee + before, length - before - TYPE)
               : NULL;
  }
  if (starts(callee, length, device)) {
    callee += sizeof device - 1;
    length -= sizeof device - 1;
  }
  const uw_math_function *found = find(callee, length);
  *is_double = found != NULL;
  return found || length == 0 || callee[length - 1] != 'f' ? found : find(callee, length - 1);
}

static bool has_types(MlirOperation op, const uw_math_function *function, bool is_double) {
  bool alike = uw_result_count(op) == 1 && uw_operand_count(op) == function->arguments;
  for (size_t i = 0; alike && i <= function->arguments; i++) {
    MlirType type = mlirValueGetType(i ? uw_operand(op, i - 1) : uw_result(op, 0));
    alike = is_double ? mlirTypeIsAF64(type) : mlirTypeIsAF32(type);
  }
  return alike;
}

bool uw_is_math_function(MlirOperation op, uw_vector_form *form) {
  static const char *const prefixes[] = {"math.", "llvm.intr."};
  const uw_math_function *function = NULL;
  MlirStringRef name = uw_name(op);
  bool is_double = uw_result_count(op) == 1 && mlirTypeIsAF64(mlirValueGetType(uw_result(op, 0)));
  if (uw_kind(op) == UW_OP_LLVM_CALL) {
    MlirStringRef callee = uw_get_str_attr(op, "callee");
    function = callee.data ? uw_math_function_of(callee.data, callee.length, &is_double) : NULL;
  }
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes && !function; i++)
    if (starts(name.data, name.length, prefixes[i]))
      function = find(name.data + strlen(prefixes[i]), name.length - strlen(prefixes[i]));
  if (!function || !has_types(op, function, is_double))
    return false;
  *form = uw_form_of(function, is_double);
  return true;
}

const char *uw_vector_callee(uw_arena *arena, MlirStringRef callee, int64_t lanes) {
  return uw_arena_format(arena, "unwarp.vector.%d.%.*s", (int)lanes, (int)callee.length, callee.data);
}
