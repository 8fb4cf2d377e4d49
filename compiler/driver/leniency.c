/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * clang says where. A shared variable of a class whose constructor does something: nvcc leaves the constructor out with
 * a warning (#20054-D); cuda::barrier is such a class. From the location of its name the declaration is written anew on
 * its line:
 *
 *   __shared__ cuda::barrier<scope> ready[2];
 *   __shared__ __uw_unconstructed<cuda::barrier<scope>  [2]> __uw_ready; auto &ready = __uw_ready.object();
 *
 * Only one without an initialiser is, which nvcc refuses too.
 *
 * A special register in an asm that has operands, by one percent sign: nvcc takes a letter after it for no operand, nor
 * a blank as in a comment.
 *
 *   asm("mov.u64 %0, %globaltimer;" : "=l"(now));    ==>    asm("mov.u64 %0, %%globaltimer;" : "=l"(now));
 *
 * Operands of an asm that no comma parts:
 *
 *   asm("st.u8 [%1], %0;" :: "r"(x) "l"(to));        ==>    asm("st.u8 [%1], %0;" :: "r"(x), "l"(to));
 *
 * A member template of a class that depends on template parameters, called without the word template: nvcc, which looks
 * at it when the parameters are known, takes it where its arguments are values. So clang finds out that the comparison
 * which it read is none.
 *
 *   pair<A, B>::cast<n>(to, from);                   ==>    pair<A, B>::template cast<n>(to, from);
 *
 * The built-in variables declared once more, as old code does, with the types that they have in CUDA's headers. In ours
 * each has a class of its own.
 *
 *   extern const dim3 blockDim;                      ==>    extern const dim3 __uw_blockDim;
 *
 * A device function that a host function calls in the device pass alone, by a macro that looks at __CUDA_ARCH__: nvcc
 * does not ask there whose functions a host function calls, clang finds no function. So the device pass takes it for
 * both, as it does our own (include/unwarp/builtins.h); the host pass must have agreed with the program as it stands.
 *
 *   __device__ int turn(int x);                      ==>    __device__ int __UW_HOST_TOO turn(int x);
 *
 * Likewise a host function in whose body a device function is the best match, in the device pass alone: clang leaves
 * that out and finds the others ambiguous. The device pass takes the host function for both; nobody there calls it.
 *
 *   inline number minus(number x, number y) {        ==>    inline number __UW_DEVICE_TOO minus(number x, number y) {
 *
 * A directive in a macro; `#pragma unroll` in front of something else than a loop; a
 * default argument that names its own parameter, in a template that nobody instantiates; a variable in a switch whose
 * initialiser a later label jumps over; constants of type long double, which are double in device code.
 *
 *   #define UNROLL #pragma unroll                    ==>    #define UNROLL _Pragma("unroll")
 *   static void f(size_t n = n);                     ==>    static void f(size_t n = __uw_own_default());
 *   p = 2.5L * pi;                                   ==>    p = __UW_DOUBLE(2.5, 2.5L) * __UW_DOUBLE(constant, pi);
 *   case 0: const int twice = x * 2;                 ==>    case 0: __uw_jumped_past<int> twice; twice = x * 2;
 *
 * A template function that is defined by the name of its namespace, where it is declared with other parameters alone: nvcc takes it as one more.
 *
 *   template <class T> void a::f(T x, int n) { … }   ==>    namespace a { template <class T> void f(T x, int n) { … } }
 *
 * A member template that is defined with its own parameters as arguments.
 *
 *   template <int n> void a<T>::f<n>(int x) { … }    ==>    template <int n> void a<T>::f(int x) { … }
 *
 * A kernel's explicit instantiation in a module's source where what is unmarked is the device's
 * (--device-as-default-execution-space): clang has made the template a device function, too.
 *
 *   template __global__ void f<3>(int *);            ==>    static void (*const __uw_instantiated_9)(int *) = f<3>;
 *
 * At last, the body of a template in which there is an error: nvcc looks into it when it is instantiated. Each side has
 * its own.
 *
 *   template <class T> T f(T x) { return nowhere; }  ==>    … { static_assert(false, R"__uw( return nowhere; )__uw"); }
 *
 * And of SYCL: what marks a function in front of its linkage, which other compilers take.
 *
 *   SYCL_EXTERNAL extern "C" int f(int x);           ==>    extern "C" SYCL_EXTERNAL int f(int x);
 *
 * Another: the size of a kernel's sub-groups before a member function, which clang takes behind it alone.
 *
 *   [[sycl::reqd_sub_group_size(N)]] void f();       ==>    [[sycl::reqd_sub_group_size_of_member(N)]] void f();
 *   [[sycl::reqd_sub_group_size((N))]]               ==>    [[sycl::reqd_sub_group_size(0 ? 0 : (N))]]
 */
#include "leniency.h"

#include "cxx_text.h"
#include "rewrites.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static char *rewrite_shared(const char *text, const char *name);
static char *double_percent(const char *text, const char *after);
static char *part_operands(const char *text, const char *constraint);
static char *add_template(const char *text, const char *name);
static char *rename_builtin(const char *text, const char *name);
static char *allow_host(const char *text, const char *name);

static const struct {
  const char *message;
  uw_rewrite *rewrite;
  bool device_pass; /* is said there alone: the host pass has no objection */
  bool sycl;        /* of SYCL; the others are CUDA's */
} refusals[] = {
    {"error: initialization is not supported for __shared__ variables", rewrite_shared},
    {"error: invalid % escape in inline assembly string", double_percent},
    {"error: expected ')'", part_operands},
    {"error: missing 'template' keyword prior to dependent template name", add_template},
    {"error: reference to overloaded function could not be resolved", add_template},
    {"error: redeclaration of 'threadIdx' with a different type: 'const uint3'", rename_builtin},
    {"error: redeclaration of 'blockIdx' with a different type: 'const uint3'", rename_builtin},
    {"error: redeclaration of 'blockDim' with a different type: 'const dim3'", rename_builtin},
    {"error: redeclaration of 'gridDim' with a different type: 'const dim3'", rename_builtin},
    {" not viable: call to __device__ function from __host__ function", allow_host, true},
    {" cannot overload __host__ __device__ function ", allow_host, true},
    {" is ambiguous", uw_allow_device, true},
    {"note: expanded from macro", uw_make_pragma_operator},
    {"error: expected a for, while, or do-while loop to follow '#pragma unroll'", uw_drop_unroll},
    {"error: expected a for, while, or do-while loop to follow '#pragma nounroll'", uw_drop_unroll},
    {"error: expected unqualified-id", uw_drop_unroll},
    {"error: this pragma cannot appear in ", uw_drop_unroll},
    {"error: default argument references parameter", uw_mark_own_default},
    {" requires 128 bit size 'long double' type support", uw_use_double, true},
    {" requires 128 bit size 'const long double' type support", uw_use_double, true},
    {"note: called by '", uw_use_double_literal, true},
    {"error: no matching literal operator for call to 'operator\"\"", uw_use_double_literal,
     true}, /* behind the first */
    {"note: jump bypasses variable initialization", uw_initialise_later},
    {"' does not match any declaration in namespace '", uw_define_within},
    {"' does not match any declaration in the global namespace", uw_define_within},
    {"error: 'global' and 'device' attributes are not compatible", uw_instantiate_kernel},
    {"error: function template partial specialization is not allowed", uw_drop_own_arguments},
    {"error: an attribute list cannot appear here", uw_linkage_first, .sycl = true},
    {"error: 'clang::nonallocating' attribute cannot be applied to a declaration", uw_sub_groups_of_member,
     .sycl = true},
    {"note: expanded from macro", uw_sub_groups_of_member, .sycl = true},
    {"error: pasting formed '__UW_SIZE_", uw_sub_groups_by_number, .sycl = true},
};

uw_rewrite *uw_form_for(const char *line, bool sycl, bool by_device_alone, size_t *from) {
  while (*from < sizeof refusals / sizeof *refusals) {
    size_t i = (*from)++;
    if (refusals[i].sycl == sycl && (!refusals[i].device_pass || by_device_alone) && strstr(line, refusals[i].message))
      return refusals[i].rewrite;
  }
  return NULL;
}

/* The end of the words that may stand between __shared__ and the type. */
static const char *after_specifiers(const char *at) {
  static const char *const words[] = {"static", "alignas", "__align__", "__attribute__"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    at += strspn(at, " \t\n");
    const char *after = uw_after_prefix(at, words[i]);
    if (!after || uw_in_word(*after))
      continue;
    after += strspn(after, " \t");
    int depth = 0;
    if (*after == '(')
      do
        depth += *after == '(' ? 1 : *after == ')' ? -1 : 0;
      while (*++after && depth);
    at = after;
    i = (size_t)-1;
  }
  return at;
}

/* A comma outside of template arguments, or the # of a directive. */
static bool has_comma(const char *from, const char *to) {
  for (int depth = 0; from < to; from++) {
    depth += *from == '<' ? 1 : *from == '>' ? -1 : 0;
    if (*from == '#' || (*from == ',' && depth == 0))
      return true;
  }
  return false;
}

/* The declaration whose variable's name is at `name`, in a text of its own; null if it is of another form. */
static char *rewrite_shared(const char *text, const char *name) {
  static const char word[] = "__shared__";
  const char *shared = name;
  while (shared > text && !strchr(";{}", *shared) && !uw_after_prefix(shared, word))
    shared--;
  if (!uw_after_prefix(shared, word))
    return NULL;
  const char *type = after_specifiers(shared + sizeof word - 1), *after = name;
  while (uw_in_word(*after))
    after++;
  size_t bounds = 0;
  for (int depth = 0; after[bounds] && (depth || after[bounds] == '[' || isspace((unsigned char)after[bounds]));
       bounds++)
    depth += after[bounds] == '[' ? 1 : after[bounds] == ']' ? -1 : 0;
  int specifiers = (int)(type - shared), type_length = (int)(name - type), length = (int)(after - name);
  bool more = after[bounds] == ','; /* of the same type */
  if ((!more && after[bounds] != ';') || type >= name || has_comma(type, name))
    return NULL;
  const char *rest =
      more ? uw_format("; %.*s%.*s%s", specifiers, shared, type_length, type, after + bounds + 1) : after + bounds;
  return uw_format("%.*s__uw_unconstructed<%.*s%.*s> __uw_%.*s; auto &%.*s = __uw_%.*s.object()%s", (int)(type - text),
                   text, type_length, type, (int)bounds, after, length, name, length, name, length, name, rest);
}

/* In the rest of the literal and in those that follow it; clang's location is after the percent sign, and it tells one of
 * them. A letter and a digit are an operand with a modifier. */
static char *double_percent(const char *text, const char *after) {
  const char *from = after;
  while (from > text && after - from < 3 && *from != '%')
    from--;
  if (*from != '%')
    return NULL;
  char *to = uw_need_memory(malloc(2 * strlen(text) + 1)), *at = to;
  memcpy(at, text, (size_t)(from - text));
  at += from - text;
  for (; *from && *from != '\n'; from++) {
    *at++ = *from;
    if (*from == '"') {
      const char *next = from + 1 + strspn(from + 1, " \t\n");
      if (*next != '"')
        break;
      while (from < next)
        *at++ = *++from;
    } else if (from[0] == '\\' && from[1])
      *at++ = *++from;
    else if (from[0] == '%' && from[1] == '%')
      *at++ = *++from;
    else if (from[0] == '%' && from[1] && from[1] != '"' &&
             (isalpha((unsigned char)from[1]) ? !isdigit((unsigned char)from[2])
                                              : !isdigit((unsigned char)from[1]) && !strchr("[{|}=", from[1])))
      *at++ = '%';
  }
  strcpy(at, *from ? from + (*from == '"') : from);
  return to;
}

/* After the literal at `at`. */
static const char *after_literal(const char *at) {
  for (at++; *at && *at != '"' && *at != '\n'; at++)
    at += at[0] == '\\' && at[1];
  return *at == '"' ? at + 1 : at;
}

/* The last bracket that opens an asm in front of `before`, or null. */
static const char *asm_in_front(const char *text, const char *before) {
  static const char *const words[] = {"asm", "__asm__", "__asm", "volatile", "__volatile__"};
  for (const char *bracket = before; bracket > text; bracket--) {
    if (*bracket != '(')
      continue;
    const char *end = uw_before_space(text, bracket), *word = uw_before_word(text, end);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if ((size_t)(end - word) == strlen(words[i]) && strncmp(word, words[i], strlen(words[i])) == 0)
        return bracket;
  }
  return NULL;
}

/* All operands from the one whose constraint is at `constraint` to the end of the asm. */
static char *part_operands(const char *text, const char *constraint) {
  const char *at = *constraint == '"' ? asm_in_front(text, constraint) : NULL;
  if (!at)
    return NULL;
  char *to = uw_need_memory(malloc(2 * strlen(text) + 1)), *out = to + (at - text);
  memcpy(to, text, (size_t)(at - text));
  int depth = 0;
  bool changed = false, operand_ended = false;
  do {
    const char *after = *at == '"' ? after_literal(at) : at + 1;
    if (*at == '"' && at == constraint && !operand_ended)
      return NULL; /* within an operand, or after the asm */
    if (*at == '"' && operand_ended && at >= constraint)
      *out++ = ',', changed = true;
    depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
    operand_ended = depth == 1 && (*at == ')' || (operand_ended && isspace((unsigned char)*at)));
    memcpy(out, at, (size_t)(after - at));
    out += after - at;
    at = after;
  } while (*at && depth > 0);
  strcpy(out, at);
  return changed ? to : NULL;
}

/* After the bracket that closes the one at `at`; null if none does before the statement ends. */
static const char *after_arguments(const char *at) {
  int angles = 0, others = 0;
  for (; *at && !strchr(";{}", *at); at++) {
    others += strchr("([", *at) ? 1 : strchr(")]", *at) ? -1 : 0;
    if (others == 0)
      angles += *at == '<' ? 1 : *at == '>' ? -1 : 0;
    if (others == 0 && angles == 0)
      return at + 1;
  }
  return NULL;
}

/* The member templates that are called in the function around `at`: clang tells of some of them, and of others when those
 * have the word. */
static char *add_others(char *text, size_t place) {
  const char *at = text + place, *function = uw_enclosing_function(text, at);
  const char *open = function ? strchr(function, '{') : NULL, *end = open ? uw_closing_brace(text, open) : NULL;
  const char *copied = text, *changed = "";
  for (at = open; at && at < end; at++) {
    const char *word_end = uw_before_space(text, at), *word = uw_before_word(text, word_end);
    const char *before = uw_before_space(text, word), *after = *at == '<' ? after_arguments(at) : NULL;
    bool member =
        word < word_end && (before[-1] == '.' || strncmp(before - 2, "->", 2) == 0 ||
                            (strncmp(before - 2, "::", 2) == 0 && uw_before_space(text, before - 2)[-1] == '>'));
    if (!after || !member || after[strspn(after, " \t\n")] != '(')
      continue;
    changed = uw_format("%s%.*stemplate ", changed, (int)(word - copied), copied);
    copied = word;
  }
  return copied != text ? uw_format("%s%s", changed, copied) : text;
}

/* clang's location is the name, or the class in front of it. A name with arguments in front of :: is another class. */
static char *add_template(const char *text, const char *name) {
  for (const char *at = name;; at++) {
    const char *after = at + strspn(at, " \t\n");
    if (*after == '<') {
      after = after_arguments(after);
      if (!after)
        return NULL;
      after += strspn(after, " \t\n");
      if (strncmp(after, "::", 2) != 0)
        break;
      at = after;
    }
    if (*at == ':')
      name = at + 1 + strspn(at + 1, ": \t\n");
    else if (!uw_in_word(*at) && !isspace((unsigned char)*at))
      return NULL;
  }
  const char *before = uw_before_space(text, name);
  bool member = before - text > 2 &&
                (before[-1] == '.' || strncmp(before - 2, "::", 2) == 0 || strncmp(before - 2, "->", 2) == 0);
  const char *word = uw_after_prefix(name, "template");
  if (word && !uw_in_word(*word))
    return (char *)text; /* from another call */
  size_t place = (size_t)(name - text);
  return member ? add_others(uw_format("%.*stemplate %s", (int)place, text, name), place) : NULL;
}

static char *rename_builtin(const char *text, const char *name) {
  return uw_in_word(*name) ? uw_format("%.*s__uw_%s", (int)(name - text), text, name) : NULL;
}

static char *allow_host(const char *text, const char *name) { return uw_mark_function(text, name, "__UW_HOST_TOO"); }
