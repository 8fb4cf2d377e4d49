/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What unwarp has and a program did not ask for. An undefined symbol is looked for in our libraries as they lie there,
 * by their tables of dynamic symbols, so that what is said is so for each of them; a build that lacks a library goes by
 * how its names begin. An unknown name is looked for in the text of our headers. */
#include "forgotten.h"

#include "../support/files.h"
#include "gaps.h"
#include "inputs.h"
#include "libraries.h"
#include "report.h"
#include "toolchain.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a table of dynamic symbols, with its texts, defines `symbol`. */
static bool table_defines(const unsigned char *bytes, size_t size, const Elf64_Shdr *table, const Elf64_Shdr *texts,
                          const char *symbol) {
  if (table->sh_offset > size || table->sh_size > size - table->sh_offset || texts->sh_offset > size ||
      texts->sh_size > size - texts->sh_offset)
    return false;
  size_t length = strlen(symbol) + 1;
  for (size_t at = 0; at + sizeof(Elf64_Sym) <= table->sh_size; at += sizeof(Elf64_Sym)) {
    Elf64_Sym entry;
    memcpy(&entry, bytes + table->sh_offset + at, sizeof entry);
    if (entry.st_shndx != SHN_UNDEF && entry.st_name < texts->sh_size && texts->sh_size - entry.st_name >= length &&
        memcmp(bytes + texts->sh_offset + entry.st_name, symbol, length) == 0)
      return true;
  }
  return false;
}

static bool image_defines(const unsigned char *bytes, size_t size, const char *symbol) {
  Elf64_Ehdr head;
  if (size < sizeof head || memcmp(bytes, ELFMAG, SELFMAG) != 0 || bytes[EI_CLASS] != ELFCLASS64)
    return false;
  memcpy(&head, bytes, sizeof head);
  if (head.e_shentsize != sizeof(Elf64_Shdr) || head.e_shoff > size ||
      head.e_shnum > (size - head.e_shoff) / sizeof(Elf64_Shdr))
    return false;
  const unsigned char *sections = bytes + head.e_shoff;
  for (size_t i = 0; i < head.e_shnum; i++) {
    Elf64_Shdr table, texts;
    memcpy(&table, sections + i * sizeof table, sizeof table);
    if (table.sh_type != SHT_DYNSYM || table.sh_link >= head.e_shnum)
      continue;
    memcpy(&texts, sections + table.sh_link * sizeof texts, sizeof texts);
    if (table_defines(bytes, size, &table, &texts, symbol))
      return true;
  }
  return false;
}

static bool file_defines(const char *path, const char *symbol) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  size_t size = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
  void *bytes = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  close(file);
  if (bytes == MAP_FAILED)
    return false;
  bool found = image_defines(bytes, size, symbol);
  munmap(bytes, size);
  return found;
}

const char *uw_forgotten_library(const char *symbol) {
  const char *root = uw_find_toolkit();
  size_t count;
  const uw_provided_library *libraries = uw_provided_libraries(&count);
  for (size_t i = 0; root && i < count; i++) {
    const char *path = uw_format("%s/lib64/lib%s.so", root, libraries[i].name);
    if (access(path, F_OK) != 0 || libraries[i].stands_for
            ? uw_is_name_of(symbol, libraries[i].prefix)
            : file_defines(path, symbol) || file_defines(uw_format("%s.1", path), symbol))
      return libraries[i].name;
  }
  return NULL;
}

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool has_word(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += length)
    if ((at == text || !is_letter(at[-1])) && !is_letter(at[length]))
      return true;
  return false;
}

/* Whether a header of ours, or one that it includes by quotes, has the word. `seen`: files that were looked at, as the
 * headers of two libraries have a part in common. */
static bool declares(const char *include, const char *file, const char *word, uw_strings *seen) {
  static const char quoted[] = "#include \"";
  const char *path = uw_format("%s/%s", include, file);
  const char *text = uw_strings_contains(seen, path) ? NULL : uw_read_file(path);
  uw_strings_add(seen, path);
  if (!text)
    return false;
  if (has_word(text, word))
    return true;
  for (const char *at = text; (at = strstr(at, quoted));) {
    at += strlen(quoted);
    if (declares(include, uw_copy_text(at, strcspn(at, "\"\n")), word, seen))
      return true;
  }
  return false;
}

const char *uw_forgotten_header(const char *name) {
  /* How names begin that a header declares: a word of its comments and parameters is nobody's. What a header includes
   * comes before it. */
  static const struct {
    const char *header, *begins;
  } rows[] = {
      {"library_types.h", "CUDA_ cuda"},
      {"cuda_runtime.h", "cuda"},
      {"cuda_profiler_api.h", "cuda"},
      {"cuComplex.h", "cu make_cu"},
      {"cublas_v2.h", "cublas CUBLAS"},
      {"cublasLt.h", "cublas CUBLAS"},
      {"cublasXt.h", "cublas CUBLAS"},
      {"cusparse.h", "cusparse CUSPARSE"},
      {"cufft.h", "cufft CUFFT"},
      {"cufftXt.h", "cufft CUFFT"},
      {"curand.h", "curand CURAND"},
      {"curand_kernel.h", "curand skipahead"},
      {"cusolverDn.h", "cusolver CUSOLVER"},
      {"cusolverMg.h", "cusolverMg cudaLibMg CUDALIBMG"},
      {"cudnn.h", "cudnn CUDNN"},
      {"nvrtc.h", "nvrtc NVRTC"},
      {"nvvm.h", "nvvm NVVM"},
      {"nvJitLink.h", "nvJitLink NVJITLINK"},
      {"nvml.h", "nvml NVML"},
      {"nvToolsExt.h", "nvtx NVTX"},
      {"cuda.h", "cu CU"},
      {"cuda_fp16.h", "half __half __float2half __h"},
      {"cuda_bf16.h", "nv_bfloat16 __nv_bfloat16 __float2bfloat16 __bfloat16"},
      {"cuda_fp8.h", "__nv_fp8"},
      {"mma.h", "nvcuda"},
      {"cooperative_groups.h", "cooperative_groups"},
      {"cuda_pipeline_primitives.h", "__pipeline"},
      {"math_constants.h", "CUDART_"},
  };
  const char *root = uw_find_toolkit();
  uw_strings seen = {0};
  for (size_t i = 0; root && i < sizeof rows / sizeof *rows; i++) {
    uw_strings beginnings = {0};
    uw_strings_add_split(&beginnings, rows[i].begins, ' ');
    bool fits = false;
    for (size_t b = 0; b < beginnings.count; b++)
      fits |= uw_after_prefix(name, beginnings.items[b]) != NULL;
    if (fits && declares(uw_format("%s/include", root), rows[i].header, name, &seen))
      return rows[i].header;
  }
  return NULL;
}

const char *uw_forgotten_standard_header(const char *name) {
  /* Those of C++11: later ones may lack the standard, not the header. */
  static const struct {
    const char *header, *names;
  } rows[] = {
      {"algorithm", "sort stable_sort fill fill_n copy copy_n find find_if min_element max_element generate transform "
                    "shuffle reverse count count_if all_of any_of lower_bound upper_bound for_each"},
      {"array", "array"},
      {"atomic", "atomic atomic_int"},
      {"bitset", "bitset"},
      {"chrono", "chrono"},
      {"complex", "complex"},
      {"condition_variable", "condition_variable"},
      {"deque", "deque"},
      {"fstream", "ifstream ofstream fstream"},
      {"functional", "function bind hash"},
      {"future", "future async promise"},
      {"iomanip", "setw setprecision setfill"},
      {"iostream", "cout cerr clog cin endl"},
      {"limits", "numeric_limits"},
      {"list", "list"},
      {"map", "map multimap"},
      {"memory", "unique_ptr shared_ptr weak_ptr make_shared"},
      {"mutex", "mutex lock_guard unique_lock"},
      {"numeric", "accumulate iota inner_product partial_sum"},
      {"queue", "queue priority_queue"},
      {"random", "mt19937 mt19937_64 random_device default_random_engine uniform_int_distribution "
                 "uniform_real_distribution normal_distribution"},
      {"set", "set multiset"},
      {"sstream", "stringstream ostringstream istringstream"},
      {"stack", "stack"},
      {"stdexcept", "runtime_error logic_error invalid_argument out_of_range"},
      {"string", "string to_string stoi stof stod getline"},
      {"thread", "thread this_thread"},
      {"tuple", "tuple make_tuple tie"},
      {"unordered_map", "unordered_map"},
      {"unordered_set", "unordered_set"},
      {"vector", "vector"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uw_strings names = {0};
    uw_strings_add_split(&names, rows[i].names, ' ');
    if (uw_strings_contains(&names, name))
      return rows[i].header;
  }
  return NULL;
}

bool uw_is_of_sycl(const char *symbol) {
  return uw_after_prefix(symbol, "uwrt_sycl_") || uw_after_prefix(symbol, "__unwarp_sycl_");
}

/* The line of a source's text that includes SYCL's header; 0 if none does. */
static int sycl_line(const char *text) {
  int line = 1;
  for (const char *at = text; at; at = strchr(at, '\n'), at += at != NULL, line++) {
    const char *word = at + strspn(at, " \t");
    if (*word++ != '#')
      continue;
    word = uw_after_prefix(word + strspn(word, " \t"), "include");
    word = word ? word + strspn(word, " \t") : "";
    if ((*word == '<' || *word == '"') && (uw_after_prefix(word + 1, "sycl/") || uw_after_prefix(word + 1, "CL/sycl")))
      return line;
  }
  return 0;
}

void uw_note_forgotten_sycl(const uw_options *options, const char *messages) {
  bool launches = strstr(messages, "__unwarp_sycl_") != NULL;
  if (!launches && !strstr(messages, "uwrt_sycl_"))
    return;
  for (size_t i = 0; !options->sycl && i < options->input_count; i++) {
    const uw_input *input = &options->inputs[i];
    const char *text = input->kind == UW_INPUT_HOST && !input->is_option ? uw_read_file(input->text) : NULL;
    int line = text ? sycl_line(text) : 0;
    if (line) {
      uw_report_note("%s:%d: this is SYCL: add -fsycl, which compiles kernels and links SYCL's part of the runtime",
                     input->text, line);
      return;
    }
  }
  if (options->sycl || launches)
    uw_report_note("sources that launch SYCL kernels were compiled without -fsycl: compile them with it%s",
                   options->sycl ? "" : ", and link with it");
  else
    uw_report_note("the objects are SYCL's: add -fsycl to the link, too");
}

/* The name is a device function's qualifier, or a launch ended in clang's error about its brackets. */
void uw_note_forgotten_language(const uw_input *input, const char *messages) {
  static const char *const signs[] = {"'__global__'", "'__device__'", "'__shared__'", "'__constant__'",
                                      "'threadIdx'",  "<<<",          ">>>("};
  if (input->kind != UW_INPUT_HOST || input->is_option)
    return;
  bool found = false;
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    found |= strstr(messages, signs[i]) != NULL;
  if (found)
    uw_report_note("'%s' is compiled as %s, and looks like CUDA: name it .cu, or put -x cu before it", input->text,
                   uw_is_cxx(input) ? "C++" : "C");
}
