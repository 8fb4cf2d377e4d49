/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Option parsing, list splitting, suggestions, launch brackets and the old references' names, without any process or file.
 * A check that fails says its line and ends the program.
 *
 * Sources: compiler/driver/options.c compiler/driver/sycl_names.c compiler/driver/native.c compiler/driver/option_table.c compiler/driver/option_values.c
 * Sources: compiler/driver/option_settings.c compiler/driver/option_conflicts.c compiler/driver/gpu_names.c
 * Sources: compiler/driver/option_lists.c compiler/driver/inputs.c compiler/driver/response.c compiler/driver/suggest.c
 * Sources: compiler/driver/report.c compiler/driver/temp.c compiler/driver/launch_brackets.c
 * Sources: compiler/driver/cxx_text.c compiler/driver/old_references.c compiler/driver/libraries.c compiler/driver/packages.c libraries/jit/leftovers.c
 * Sources: compiler/support/strings.c compiler/support/files.c */
#include "../../compiler/driver/gpu_names.h"
#include "../../compiler/driver/launch_brackets.h"
#include "../../compiler/driver/old_references.h"
#include "../../compiler/driver/option_table.h"
#include "../../compiler/driver/option_values.h"
#include "../../compiler/driver/unit.h"

#include "../../compiler/passes/passes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                                   \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

/* No file is read in place of the compiler's look into one. */
bool uw_is_device_code(const char *path) { return !path; }

/* Two passes in place of the compiler's. */
const uw_stage *const *uw_stages(void) {
  static const uw_row rows[] = {{.name = "needed", .brief = ""}, {.name = "spare", .brief = "", .when = UW_OPTIONAL}};
  static const uw_stage stage = {.name = "stage", .brief = "", .rows = rows, .count = 2};
  static const uw_stage *const all[] = {&stage, NULL};
  return all;
}

static bool parse(uw_options *options, const char *line) {
  uw_strings words = {0};
  uw_strings_add(&words, "unwarp");
  uw_strings_add_split(&words, line, ' ');
  return uw_options_parse(options, (int)words.count, (char **)words.items);
}

static bool same(const uw_strings *list, const char *line) {
  const char *joined = "";
  for (size_t i = 0; i < list->count; i++)
    joined = uw_format("%s%s%s", joined, i ? " " : "", list->items[i]);
  if (strcmp(joined, line) == 0)
    return true;
  printf("got '%s'\n", joined);
  return false;
}

static void test_lookup(void) {
  static const struct {
    const char *text, *spelling, *value;
  } rows[] = {
      {"-Idir", "-I", "dir"},
      {"-I", "-I", NULL},
      {"-fmad=false", "-fmad", "false"},
      {"--fmad", "-fmad", NULL},
      {"-fmadness", "-f", "madness"},
      {"-Wl,-x", "-Wl,", "-x"},
      {"-Wall", "-W", "all"},
      {"-Werror", "-Werror", NULL},
      {"-Werror=x", "-Werror", "x"},
      {"-O=3", "-O", "3"},
      {"-optf", "-optf", NULL},
      {"-opt-info=x", "-opt-info", "x"},
      {"-ofile", "-o", "file"},
      {"-lcudart", "-l", "cudart"},
      {"-lineinfo", "-lineinfo", NULL},
      {"--compile", "--compile", NULL},
      {"-compile", "--compile", NULL},
      {"-march=native", "-march", "native"},
      {"-m64", "-m64", NULL},
      {"-mavx2", "-m", "avx2"},
      {"-g", "-g", ""},
      {"-gencode", "-gencode", NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const char *value;
    const uw_option_row *row = uw_find_option(rows[i].text, &value);
    CHECK(row && strcmp(row->spelling, rows[i].spelling) == 0);
    CHECK(rows[i].value ? value && strcmp(value, rows[i].value) == 0 : !value);
  }
  const char *value;
  CHECK(!uw_find_option("--I", &value));
  CHECK(!uw_find_option("--foo", &value));
}

/* Every row can be reached by its own spelling, so no row hides another; but a number goes before other joined values. */
static void test_table(void) {
  size_t count;
  const uw_option_row *rows = uw_option_table(&count);
  for (size_t i = 0; i < count; i++) {
    const char *value;
    if (rows[i].section)
      continue;
    const uw_option_row *found = uw_find_option(rows[i].spelling, &value);
    CHECK(found == &rows[i] || (found && found->form == FORM_NUMBER && rows[i].form == FORM_JOINED));
  }
}

static void test_options(void) {
  uw_options o;
  CHECK(parse(&o, "a.cu"));
  CHECK(o.opt_level == 3 && o.stage == UW_STAGE_LINK && o.pic && !o.debug);
  CHECK(o.input_count == 1 && o.inputs[0].kind == UW_INPUT_CUDA);

  CHECK(parse(&o, "-O1 -g -O2 -c a.cu -o x.o"));
  CHECK(o.opt_level == 2 && o.debug && o.stage == UW_STAGE_RESULT && o.emit == UW_EMIT_OBJECT);
  CHECK(strcmp(o.output, "x.o") == 0 && same(&o.both, "-g"));
  CHECK(parse(&o, "-G a.cu") && o.opt_level == 0 && o.debug);
  CHECK(parse(&o, "-O2 -G a.cu") && o.opt_level == 2);
  CHECK(parse(&o, "-g0 a.cu") && !o.debug);
  CHECK(parse(&o, "-O a.cu") && o.opt_level == 1);
  CHECK(parse(&o, "-Ofast a.cu") && o.opt_level == 3 && same(&o.both, "-ffast-math"));

  CHECK(parse(&o, "-c -S a.cu") && o.emit == UW_EMIT_ASM && !o.emit_to_stdout);
  CHECK(parse(&o, "-S -c a.cu") && o.emit == UW_EMIT_ASM);
  CHECK(parse(&o, "--emit=mlir a.cu") && o.emit == UW_EMIT_MLIR && o.emit_to_stdout);
  CHECK(parse(&o, "-c -E a.cu") && o.stage == UW_STAGE_PREPROCESS);
  CHECK(parse(&o, "-use_fast_math a.cu") && o.fast_math && o.flush_denormals);
  CHECK(parse(&o, "-use_fast_math -ftz=false a.cu") && o.fast_math && !o.flush_denormals);

  CHECK(parse(&o, "a.o -lx -Lp b.cu c.a -Wl,--start-group -Xlinker=-z,now"));
  CHECK(o.input_count == 10 && strcmp(o.inputs[1].text, "-lx") == 0 && strcmp(o.inputs[2].text, "-Lp") == 0);
  CHECK(o.inputs[3].kind == UW_INPUT_CUDA && strcmp(o.inputs[9].text, "now") == 0);
  CHECK(parse(&o, "a.cu -lcutensor -lcudart") && o.input_count == 2 && same(&o.left_out_libraries, "cutensor"));

  CHECK(parse(&o, "x.c -x cu y.c -x none z.c"));
  CHECK(o.inputs[0].kind == UW_INPUT_HOST && o.inputs[1].kind == UW_INPUT_CUDA && o.inputs[2].kind == UW_INPUT_HOST);
  CHECK(parse(&o, "x.c y.what -xcu") && o.inputs[0].kind == UW_INPUT_CUDA && o.inputs[1].kind == UW_INPUT_CUDA);

  CHECK(parse(&o, "--run a.cu -o @x --help") && o.run && !o.output && same(&o.run_arguments, "-o @x --help"));
  CHECK(parse(&o, "a.cu b.cu --run x y") && o.input_count == 2 && same(&o.run_arguments, "x y"));
  CHECK(parse(&o, "a.cu --skip=spare --print-after=needed"));
  CHECK(same(&o.skip, "spare") && same(&o.print_after, "needed"));

  CHECK(!parse(&o, ""));
  CHECK(!parse(&o, "a.cu --skip=needed"));
  CHECK(!parse(&o, "a.cu --skip=neither"));
  CHECK(!parse(&o, "-c a.cu b.cu -o c.o"));
  CHECK(!parse(&o, "a.cu -o"));
  CHECK(!parse(&o, "a.cu --bogus"));
  CHECK(parse(&o, "a.cu -rdc=true") && o.relocatable && parse(&o, "a.cu -rdc=false") && !o.relocatable &&
        parse(&o, "a.cu -dc") && o.relocatable && o.stage == UW_STAGE_RESULT && !parse(&o, "a.cu -rdc=maybe"));
  CHECK(!parse(&o, "a.cu -rdc=maybe"));
  CHECK(!parse(&o, "what.ever"));
  CHECK(parse(&o, "--help") && o.question == UW_ASK_HELP);
}

static void test_architectures(void) {
  static const char *const good[] = {"sm_80", "compute_52", "sm_90a", "native", "all-major", "lto_70", "sm_35,sm_37"};
  static const char *const bad[] = {"sm80", "sm_", "80", "", "sm_80xy", "gfx90a", "sm_80,what"};
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
    CHECK(uw_value_architecture("-arch", good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    CHECK(!uw_value_architecture("-arch", bad[i]));
  const char *arch, *code;
  CHECK(uw_value_generate_code("-gencode", "arch=compute_80,code=[sm_80,compute_80]", &arch, &code));
  CHECK(uw_value_generate_code("-gencode", "code=sm_86,arch=compute_80", &arch, &code) &&
        strcmp(arch, "compute_80") == 0 && strcmp(code, "sm_86") == 0);
  CHECK(!uw_value_generate_code("-gencode", "arch=compute_80", &arch, &code));
  CHECK(!uw_value_generate_code("-gencode", "code=sm_80", &arch, &code));
  CHECK(!uw_value_generate_code("-gencode", "arch=compute_80,sm_80", &arch, &code));
}

static bool splits(const char *text, const char *line) {
  uw_strings words = {0};
  uw_split_host_list(&words, text);
  return same(&words, line);
}

static void test_host_lists(void) {
  CHECK(splits("-a,-b", "-a -b"));
  CHECK(splits("-a -b,,-c ", "-a -b -c"));
  CHECK(splits("\"-Wl,-rpath,/x\",-b", "-Wl,-rpath,/x -b"));
  CHECK(splits("-a,\"-Wl,-rpath,/x\" -b", "-a -Wl,-rpath,/x -b"));
  CHECK(splits("-Wl,-rpath,/x", "-Wl,-rpath,/x"));
  CHECK(splits("-Wl,-rpath,/x -b", "-Wl,-rpath,/x -b"));
  CHECK(splits("-Wall,-b", "-Wall -b"));
  CHECK(splits("-DX=a\\,b,-c", "-DX=a,b -c"));
  CHECK(splits("'-DX=a b'", "-DX=a b"));
  CHECK(splits("", ""));
}

static bool splits_own(const char *text, const char *line) {
  uw_strings words = {0};
  uw_split_list(&words, text);
  return same(&words, line);
}

static void test_own_lists(void) {
  CHECK(splits_own("a,b,,c", "a b c"));
  CHECK(splits_own("A=\"x,y\",B", "A=\"x,y\" B"));
  CHECK(splits_own("\"p,q\",r", "p,q r"));
  CHECK(splits_own("F(a\\,b)=a,c", "F(a,b)=a c"));
  CHECK(splits_own("", ""));
}

static void test_suggestions(void) {
  CHECK(uw_is_slip("-Wal", "-Wall") && uw_is_slip("-Wno-unused-varible", "-Wno-unused-variable"));
  CHECK(!uw_is_slip("-Wlogical-op", "-Wlong-long") && !uw_is_slip("-Wabc", "-Wall"));
  CHECK(strcmp(uw_nearest_option("--gpu-architectur"), "--gpu-architecture") == 0);
  CHECK(strcmp(uw_nearest_option("--verbos"), "--verbose") == 0);
  CHECK(!uw_nearest_option("--entirely-different"));
}

static bool closes(const char *text, const char *expected, size_t changes) {
  char *copy = uw_copy_text(text, strlen(text));
  size_t changed = uw_close_launch_brackets(copy);
  if (strcmp(copy, expected) == 0 && changed == changes)
    return true;
  printf("got '%s', %zu changes\n", copy, changed);
  return false;
}

static void test_old_references(void) {
  CHECK(uw_has_old_references("texture<float, 2> image;"));
  CHECK(uw_has_old_references("static\ttexture\n<uchar4> image;"));
  CHECK(uw_has_old_references("surface<void, 2> target;"));
  CHECK(!uw_has_old_references("unsigned texture; if (my_texture < 3) {} textures<int> t;"));
  CHECK(!uw_declares_reference_names("texture<float> a; struct mesh texture_of(surface<void, 2>);"));
  CHECK(uw_declares_reference_names("template <class T> class texture { T *pixels; };"));
  CHECK(uw_declares_reference_names("struct\n  surface;"));
}

static void test_brackets(void) {
  CHECK(closes("k<< <1, 2>> >(x);", "k<<< 1, 2>>> (x);", 1));
  CHECK(closes("k<<<1, 2>>>(x);", "k<<<1, 2>>>(x);", 0));
  CHECK(closes("k< < <1, 2> > >\n(x);", "k<<<  1, 2>>>  \n(x);", 1));
  CHECK(closes("k<<\n<1>>\n>(x);", "k<<<\n1>>>\n(x);", 1));
  CHECK(closes("k<<<1, p->n>> >(x);", "k<<<1, p->n>>> (x);", 1));
  CHECK(closes("k<< <f(a >> 1 > 2), b[c > d]>> >(x);", "k<<< f(a >> 1 > 2), b[c > d]>>> (x);", 1));
  CHECK(closes("k<< <1>> >(l<< <2>> >(3));", "k<<< 1>>> (l<<< 2>>> (3));", 2));
  CHECK(closes("operator<< <int>(a); V<V<int> > >(b);", "operator<< <int>(a); V<V<int> > >(b);", 0));
  CHECK(closes("// k<< <1>> >(x);\n", "// k<< <1>> >(x);\n", 0));
  CHECK(closes("/* k<< < */ \"k<< <1>> >(x)\" 'k' ", "/* k<< < */ \"k<< <1>> >(x)\" 'k' ", 0));
  CHECK(closes("R\"(\" k<< <1>> >(x))\" k<< <1>> >(x)", "R\"(\" k<< <1>> >(x))\" k<<< 1>>> (x)", 1));
  CHECK(closes("1'000; k<< <1'0>> >(x); 'a'", "1'000; k<<< 1'0>>> (x); 'a'", 1));
  CHECK(closes("a << b; c > d >> e;", "a << b; c > d >> e;", 0));
  CHECK(closes("k<< <1; 2>> >(x)", "k<< <1; 2>> >(x)", 0));
  CHECK(closes("k<< <1", "k<< <1", 0));
  CHECK(closes("\"unterminated k<< <", "\"unterminated k<< <", 0));
}

int main(void) {
  /* The refusals that are checked for are not for the reader. */
  freopen("/dev/null", "w", stderr);
  test_lookup();
  test_table();
  test_options();
  test_architectures();
  test_host_lists();
  test_own_lists();
  test_suggestions();
  test_brackets();
  test_old_references();
  return 0;
}
