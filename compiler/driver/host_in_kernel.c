/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Host code in a kernel. clang says that nothing fits, and then of each function of that name why it does not: for
 * `std::cout << x` that is a hundred lines, in which "call to __host__ function" is lost.
 *
 *   x.cu:3:39: error: invalid operands to binary …       x.cu:3:39: error: host code in a kernel: std::cout and its
 *       3 |   std::cout << "text";                             like are the host's; use printf
 *   …/system_error:279:5: note: candidate …        ==>       3 |   std::cout << "text";
 *   (a hundred lines)
 *
 * So it is where a candidate is the host's, and for streams, or where all candidates that are not viable are. What the
 * user wrote himself among the candidates stays, as do instantiations. After a kernel that gives a value, launches of
 * it are no launches to clang: that is left out. */
#include "host_in_kernel.h"

#include <stdbool.h>
#include <string.h>

static bool is_source_line(const char *line) { return line[0] == ' ' || line[0] == '\033'; }
static bool is_note(const char *line) { return strstr(line, ": note: ") != NULL; }
static bool is_candidate(const char *line) { return is_note(line) && strstr(line, "candidate"); }
static bool is_of_host(const char *line) {
  return is_candidate(line) && strstr(line, "call to __host__ function from __");
}
static bool is_of_system(const char *line) { return strstr(line, "/usr/") == line; }

static bool is_error(const char *line) { return !is_source_line(line) && strstr(line, ": error: "); }
static bool ends_block(const char *line) {
  return is_error(line) || (!is_source_line(line) && (strstr(line, ": warning: ") || strstr(line, "fatal error: "))) ||
         uw_after_prefix(line, "In file included from ") || strstr(line, " generated");
}

typedef struct candidates {
  size_t of_host, of_others, users; /* users: of the host's, which the user can mark */
} candidates;

static candidates count(const uw_strings *lines, size_t from, size_t end) {
  candidates result = {0};
  for (size_t i = from; i < end; i++) {
    const char *line = lines->items[i];
    if (!is_candidate(line))
      continue;
    result.of_host += is_of_host(line);
    result.of_others += !is_of_host(line);
    result.users += is_of_host(line) && !is_of_system(line);
  }
  return result;
}

/* The name in quotes that stands `after` in the text; null if there is none. */
static const char *name_after(const char *text, const char *after) {
  const char *at = strstr(text, after);
  if (!at || !(at = strchr(at + strlen(after), '\'')))
    return NULL;
  return uw_copy_text(at + 1, strcspn(at + 1, "'"));
}

/* What the error becomes; null: it stays. */
static const char *in_fewer_words(const char *error, candidates found) {
  static const char *const calls[] = {"no matching function for call to", "no matching member function for call to",
                                      "no matching constructor for initialization of", "no viable conversion from '"};
  const char *text = strstr(error, ": error: ") + strlen(": error: "), *name = NULL;
  int before = (int)(text - error);
  if (!found.of_host)
    return NULL;
  if (strstr(text, "ostream") || strstr(text, "istream"))
    return uw_format("%.*shost code in a kernel: std::cout and its like are the host's; use printf", before, error);
  for (size_t i = 0; !name && i < sizeof calls / sizeof *calls; i++)
    name = name_after(text, i == 3 ? "' to" : calls[i]);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strstr(text, calls[i]) && name && (!found.of_others || uw_after_prefix(name, "std::")))
      return uw_format("%.*shost code in a kernel: '%s' is the host's; %s", before, error, name,
                       found.users                      ? "mark it __device__, or __host__ __device__"
                       : uw_after_prefix(name, "std::") ? "use arrays and pointers, or libcu++ (cuda::std)"
                                                        : "compute it before the launch, or call what CUDA has for it");
  return NULL;
}

/* A block with its candidates left out but the user's own; the end of the block. */
static void shorten(uw_strings *to, const uw_strings *lines, size_t from, size_t end) {
  bool shown = true;
  for (size_t i = from; i < end; i++) {
    const char *line = lines->items[i];
    if (is_note(line))
      shown = !is_candidate(line) || (is_of_host(line) && !is_of_system(line));
    if (shown)
      uw_strings_add(to, line);
  }
}

uw_strings uw_host_in_kernel(const uw_strings *lines) {
  uw_strings to = {0};
  bool gives_value = false;
  for (size_t i = 0; i < lines->count;) {
    const char *line = lines->items[i];
    size_t end = i + 1;
    if (!is_error(line)) {
      uw_strings_add(&to, line);
      i = end;
      continue;
    }
    while (end < lines->count && !ends_block(lines->items[end]))
      end++;
    const char *shorter = in_fewer_words(line, count(lines, i, end));
    if (shorter) {
      uw_strings_add(&to, shorter);
      shorten(&to, lines, i + 1, end);
    } else if (!(gives_value && strstr(line, "kernel call to non-global function"))) {
      for (size_t k = i; k < end; k++)
        uw_strings_add(&to, lines->items[k]);
    }
    gives_value |= strstr(line, "kernel function type '") && strstr(line, "must have void return type");
    i = end;
  }
  return to;
}
