/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What does not have the expected form stays as it is, and clang's message with it. */
#include "rewrites.h"

#include "../support/strings.h"
#include "cxx_text.h"
#include "launch_brackets.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* In front of the declarator, where an attribute is the function's and not a pointer's. */
char *uw_mark_function(const char *text, const char *name, const char *mark) {
  name = uw_before_class(text, name);
  while (name > text && (isspace((unsigned char)name[-1]) || name[-1] == '*' || name[-1] == '&'))
    name--;
  size_t length = strlen(mark);
  bool marked = (size_t)(name - text) >= length && !strncmp(name - length, mark, length);
  return marked ? NULL : uw_format("%.*s %s %s", (int)(name - text), text, mark, name);
}

char *uw_allow_device(const char *text, const char *at) {
  const char *name = uw_enclosing_function(text, at), *after = name ? uw_after_prefix(name, "main") : NULL;
  return name && (!after || uw_in_word(*after)) ? uw_mark_function(text, name, "__UW_DEVICE_TOO") : NULL;
}

static const char front[] = "{ static_assert(false, R\"__uw(";

bool uw_says_blanked(const char *messages) { return strstr(messages, front) != NULL; }

char *uw_blank_template(const char *text, const char *at) {
  uw_braces b = {0};
  uw_find_braces(text, at, &b);
  bool in_template = false;
  for (size_t i = 0; i < b.count; i++) {
    const char *open = b.open[i], *name = uw_function_of(text, open);
    const char *declaration = uw_start_of_declaration(text, name ? name : open);
    in_template |= declaration && uw_after_prefix(declaration, "template");
    const char *close = name && in_template && !uw_after_prefix(open, front) ? uw_closing_brace(text, open) : NULL;
    if (close)
      return uw_format("%.*s%s%.*s)__uw\"); %s", (int)(open - text), text, front, (int)(close - open - 1), open + 1,
                       close);
    if (name)
      return NULL;
  }
  return NULL;
}

char *uw_make_pragma_operator(const char *text, const char *hash) {
  const char *word = *hash == '#' ? uw_after_prefix(hash + 1 + strspn(hash + 1, " \t"), "pragma") : NULL;
  if (!word || uw_in_word(*word))
    return NULL;
  word += strspn(word, " \t");
  size_t length = strcspn(word, "\\\"\n");
  const char *comment = strstr(word, "/");
  if (comment && (size_t)(comment - word) < length)
    length = (size_t)(comment - word);
  return word[length] == '"'
             ? NULL
             : uw_format("%.*s_Pragma(\"%.*s\") %s", (int)(hash - text), text, (int)length, word, word + length);
}

char *uw_make_pragma_operators(const char *text) {
  char *changed = NULL;
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    size_t length = strcspn(line, "\n");
    const char *hash = uw_after_prefix(line + strspn(line, " \t"), "#define");
    hash = hash ? memchr(hash, '#', length - (size_t)(hash - line)) : NULL;
    char *with = hash && isspace((unsigned char)hash[-1]) ? uw_make_pragma_operator(text, hash) : NULL;
    if (!with)
      continue;
    line = with + (line - text);
    text = changed = with;
  }
  return changed;
}

/* The line's #pragma unroll or nounroll; null if it is another line. */
static const char *unroll_of_line(const char *line) {
  const char *hash = line + strspn(line, " \t"), *word = *hash == '#' ? hash + 1 + strspn(hash + 1, " \t") : "";
  const char *what = uw_after_prefix(word, "pragma");
  what = what ? what + strspn(what, " \t") : "";
  return uw_after_prefix(what, "unroll") || uw_after_prefix(what, "nounroll") ? hash : NULL;
}

/* In front of a declaration clang's place is the pragma, in front of a statement that: then the pragma stands above, behind
 * empty lines, comments of a line and other directives. */
char *uw_drop_unroll(const char *text, const char *at) {
  for (;;) {
    while (at > text && at[-1] != '\n')
      at--;
    const char *hash = unroll_of_line(at);
    if (hash)
      return uw_format("%.*s//%s", (int)(hash - text), text, hash);
    if (at == text)
      return NULL;
    at--;
    const char *line = at;
    while (line > text && line[-1] != '\n')
      line--;
    line += strspn(line, " \t\r");
    if (*line != '#' && *line != '\n' && strncmp(line, "//", 2) != 0)
      return NULL;
  }
}

char *uw_mark_own_default(const char *text, const char *name) {
  const char *after = name;
  while (uw_in_word(*after))
    after++;
  return after == name ? NULL : uw_format("%.*s__uw_own_default()%s", (int)(name - text), text, after);
}

/* The type between `from` and `to` without the words that forbid an assignment; null where it is a reference, is
 * deduced or is none. `*pointer`: whether the variable is one, whose own const stands after the star. */
static const char *assignable_type(const char *from, const char *to, bool *pointer) {
  const char *type = "", *star = NULL;
  int angles = 0;
  for (const char *at = from; at < to; at++)
    star = *at == '*' ? at : star;
  for (const char *at = from; at < to;) {
    size_t length = 0;
    while (at + length < to && uw_in_word(at[length]))
      length++;
    bool constant = (length == 5 && !strncmp(at, "const", 5) && (!star || at > star)) ||
                    (length == 9 && !strncmp(at, "constexpr", 9));
    angles += *at == '<' ? 1 : *at == '>' ? -1 : 0;
    bool other = *at == '=' || (*at == ',' && !angles); /* the name is another declarator's */
    if (other || *at == '&' || *at == '(' || *at == '#' || (length == 4 && !strncmp(at, "auto", 4)))
      return NULL;
    length += !length;
    if (!constant)
      type = uw_format("%s%.*s", type, (int)length, at);
    at += length;
  }
  *pointer = star != NULL;
  return type;
}

/* The comma or semicolon that ends the initialiser at `at`, or null. */
static const char *after_initialiser(const char *at, const char *text) {
  for (int depth = 0; *at && depth >= 0;) {
    const char *next = uw_after_literal(at, text);
    if (next == at && depth == 0 && strchr(",;", *at))
      return at;
    if (next == at)
      depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
    at = next == at ? at + 1 : next;
  }
  return NULL;
}

char *uw_initialise_later(const char *text, const char *name) {
  const char *from = uw_start_of_declaration(text, name), *after = name;
  while (uw_in_word(*after))
    after++;
  const char *equals = after + strspn(after, " \t\n");
  if (!from || *equals != '=' || equals[1] == '=' || equals[1 + strspn(equals + 1, " \t\n")] == '{')
    return NULL;
  bool pointer = false;
  const char *end = after_initialiser(equals + 1, text), *type = assignable_type(from, name, &pointer);
  if (!end || !type || (*end == ',' && pointer) || !*type)
    return NULL;
  int length = (int)(after - name);
  const char *rest = *end == ',' ? uw_format("; %s%s", type, end + 1) : end;
  return uw_format("%.*s__uw_jumped_past<%s> %.*s; %.*s %.*s%s", (int)(from - text), text, type, length, name, length,
                   name, (int)(end - equals), equals, rest);
}

/* After a number of any kind, with what is of it in its suffix. */
static const char *after_number(const char *at) {
  for (; uw_in_word(*at) || *at == '.' || *at == '\'' || (strchr("+-", *at) && *at && strchr("eEpP", at[-1])); at++)
    ;
  return at;
}

static bool starts_number(const char *text, const char *at) {
  bool in_front = at > text && (uw_in_word(at[-1]) || at[-1] == '.');
  return !in_front && (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1])));
}

/* 1.5L, 2e3l */
static bool is_long_double(const char *number, const char *end) {
  bool hexadecimal = number[0] == '0' && strchr("xX", number[1]);
  size_t length = strcspn(number, hexadecimal ? ".pP" : ".eE");
  return strchr("lL", end[-1]) && number + length < end && !memchr(number, '_', (size_t)(end - number));
}

/* The literals of type long double in the function around `at`, or the statement, each as a double for the device. clang
 * ends after twenty errors, so one statement after the other would take as many tries. */
static char *shorten_literals(const char *text, const char *at) {
  static const char done[] = "__UW_DOUBLE(";
  const char *copied = text, *changed = "", *function = uw_enclosing_function(text, at);
  const char *start = function ? strchr(function, '{') : NULL;
  bool whole = start && start < at;
  while (!whole && at > text && !strchr(";{}", at[-1]))
    at--;
  at = whole ? start : at;
  for (int depth = 0; *at && (whole || !strchr(";{}", *at));) {
    const char *next = uw_after_literal(at, text), *end = starts_number(text, at) ? after_number(at) : at;
    const char *inside = (at == text || !uw_in_word(at[-1])) ? uw_after_prefix(at, done) : NULL;
    if (inside) {
      at = strchr(inside, ')') ? strchr(inside, ')') : inside;
      continue;
    }
    depth += next > at ? 0 : *at == '{' ? 1 : *at == '}' ? -1 : 0;
    if (whole && depth == 0)
      break;
    if (end > at && is_long_double(at, end)) {
      int length = (int)(end - at);
      changed =
          uw_format("%s%.*s__UW_DOUBLE(%.*s, %.*s)", changed, (int)(at - copied), copied, length - 1, at, length, at);
      copied = end;
    }
    at = next > at ? next : end > at ? end : at + 1;
  }
  return copied != text ? uw_format("%s%s", changed, copied) : NULL;
}

/* Whether this text has `constexpr long double name =`. */
static bool is_constant(const char *text, const char *name, size_t length) {
  const char *word = uw_copy_text(name, length);
  for (const char *at = text; (at = strstr(at, word)); at += length) {
    const char *value = at + length + strspn(at + length, " \t\n");
    bool whole = !(at > text && uw_in_word(at[-1])) && !uw_in_word(at[length]) && strchr("={", *value) && *value;
    const char *from = whole ? uw_start_of_declaration(text, at) : NULL;
    const char *declaration = from ? uw_copy_text(from, (size_t)(at - from)) : "";
    if (strstr(declaration, "constexpr") && strstr(declaration, "long double"))
      return true;
  }
  return false;
}

/* The constant from `from` to `to` as one in front of the function that uses it, where the device may compute it. */
static char *hoist(const char *text, const char *from, const char *to) {
  const char *function = uw_enclosing_function(text, from);
  const char *start = function ? uw_start_of_declaration(text, function) : NULL;
  if (!start)
    return NULL;
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, "__UW_CONSTANT(")); at++)
    count++;
  const char *constant = uw_copy_text(from, (size_t)(to - from));
  const char *name = uw_format("__uw_constant_%zu_%zu", count, (size_t)(from - text));
  return uw_format("%.*s__UW_CONSTANT(%s, %s) %.*s__UW_DOUBLE(%s, %s)%s", (int)(start - text), text, name, constant,
                   (int)(from - start), start, name, constant, to);
}

/* clang's location of a literal of the program's own kind is its suffix. */
static const char *whole_number(const char *text, const char *suffix) {
  const char *at = suffix;
  while (at > text &&
         (uw_in_word(at[-1]) || at[-1] == '.' || (strchr("+-", at[-1]) && at - text > 1 && strchr("eEpP", at[-2]))))
    at--;
  return *suffix == '_' && starts_number(text, at) && after_number(at) > suffix ? at : suffix;
}

/* A literal of the program's own kind whose suffix is at `at`. */
char *uw_use_double_literal(const char *text, const char *at) {
  const char *number = whole_number(text, at), *end = after_number(number);
  bool floating = number < at && strcspn(number, ".eEpP") < (size_t)(at - number);
  return floating ? hoist(text, number, end) : NULL;
}

char *uw_use_double(const char *text, const char *at) {
  if (whole_number(text, at) < at)
    return uw_use_double_literal(text, at);
  const char *end = at;
  while (uw_in_word(*end))
    end++;
  bool constant = end > at && !isdigit((unsigned char)*at) && is_constant(text, at, (size_t)(end - at));
  return constant ? hoist(text, uw_before_class(text, at), end) : shorten_literals(text, at);
}

char *uw_linkage_first(const char *text, const char *word) {
  const char *end = word;
  while (uw_in_word(*end))
    end++;
  const char *linkage = end + strspn(end, " \t\r\n"), *language = linkage + strlen("extern");
  if (end == word || strncmp(linkage, "extern", strlen("extern")))
    return NULL;
  language += strspn(language, " \t\r\n");
  const char *after = language + strlen("\"C\"");
  if (strncmp(language, "\"C\"", strlen("\"C\"")) || after[strspn(after, " \t\r\n")] == '{')
    return NULL;
  return uw_format("%.*s%.*s %.*s%s", (int)(word - text), text, (int)(after - end), end, (int)(end - word), word,
                   after);
}

/* What is behind the name of the attribute of a sub-group's size (include/sycl/attributes.hpp), if it is at `name`. */
static const char *after_sub_groups(const char *name) {
  const char *end = uw_after_prefix(name, "reqd_sub_group_size");
  return end && end[strspn(end, " \t\r\n")] == '(' ? end : NULL;
}

char *uw_sub_groups_of_member(const char *text, const char *name) {
  const char *end = after_sub_groups(name);
  return end ? uw_format("%.*s_of_member%s", (int)(end - text), text, end) : NULL;
}

char *uw_sub_groups_by_number(const char *text, const char *name) {
  const char *end = after_sub_groups(name);
  const char *size = end ? strchr(end, '(') + 1 : NULL;
  return size ? uw_format("%.*s0 ? 0 : %s", (int)(size - text), text, size) : NULL;
}

/* The brace that opens the body of the function whose name is at `name`, or null. */
static const char *body_of(const char *text, const char *name) {
  for (int depth = 0; *name && (depth || !strchr(";}", *name));) {
    const char *next = uw_after_literal(name, text);
    if (next == name && depth == 0 && *name == '{')
      return name;
    if (next == name)
      depth += strchr("([", *name) ? 1 : strchr(")]", *name) ? -1 : 0;
    name = next == name ? name + 1 : next;
  }
  return NULL;
}

char *uw_define_within(const char *text, const char *name) {
  const char *from = uw_start_of_declaration(text, name), *open = body_of(text, name), *qualifier = name;
  const char *close = open ? uw_closing_brace(text, open) : NULL;
  while (qualifier > text && (uw_in_word(qualifier[-1]) || qualifier[-1] == ':'))
    qualifier--;
  if (!from || !close || !uw_after_prefix(from, "template") || qualifier == name || qualifier <= from)
    return NULL;
  const char *opened = "", *closed = "";
  for (const char *at = qualifier; at < name; at += 2) {
    size_t length = 0;
    while (uw_in_word(at[length]))
      length++;
    if (strncmp(at + length, "::", 2) != 0)
      return NULL;
    if (length) { /* none: of the global namespace */
      opened = uw_format("%snamespace %.*s { ", opened, (int)length, at);
      closed = uw_format("%s }", closed);
    }
    at += length;
  }
  return uw_format("%.*s%s%.*s%.*s%s%s", (int)(from - text), text, opened, (int)(qualifier - from), from,
                   (int)(close + 1 - name), name, closed, close + 1);
}

char *uw_instantiate_kernel(const char *text, const char *at) {
  static const char mark[] = "__global__", before[] = "template";
  const char *type = uw_after_prefix(at, mark), *word = uw_before_word(text, uw_before_space(text, at));
  if (!type || uw_in_word(*type) || strncmp(word, before, sizeof before - 1) != 0 ||
      uw_in_word(word[sizeof before - 1]))
    return NULL;
  const char *end = type + strcspn(type, ";{}#"), *last = uw_before_space(text, end), *name = last, *parameters = last;
  if (*end != ';')
    return NULL;
  if (last[-1] == ')') { /* else the type is decltype(…) */
    parameters = uw_matching_bracket(text, last - 1);
    name = parameters ? uw_before_space(text, parameters) : NULL;
  }
  const char *arguments = name && name[-1] == '>' ? uw_matching_bracket(text, name - 1) : name;
  if (!arguments || arguments < type)
    return NULL;
  const char *name_end = name;
  name = uw_before_class(text, uw_before_word(text, uw_before_space(text, arguments)));
  if (name <= type)
    return NULL;
  return uw_format("%.*sstatic %.*s (*const __uw_instantiated_%zu)%.*s = %.*s%s", (int)(word - text), text,
                   (int)(name - type), type, (size_t)(at - text), (int)(last - parameters), parameters,
                   (int)(name_end - name), name, end);
}

static const char *skip_space(const char *at) { return at + strspn(at, " \t\n"); }

/* The word at the end of what stands before `end`, without its spaces. */
static const char *last_word(const char *from, const char *end, size_t *length) {
  end = uw_before_space(from, end);
  const char *word = uw_before_word(from, end);
  *length = (size_t)(end - word);
  return word;
}

/* One word after the other, the parameters' names and the arguments; defaults, packs and nested templates are not looked into. */
char *uw_drop_own_arguments(const char *text, const char *name) {
  const char *open = name;
  while (uw_in_word(*open))
    open++;
  const char *name_end = open, *declared = uw_start_of_declaration(text, name), *header = NULL;
  open = skip_space(open);
  const char *close = open + strcspn(open, ">;{}");
  for (const char *at = declared; at && at < name; at++)
    if (uw_after_prefix(at, "template") && *skip_space(at + strlen("template")) == '<')
      header = skip_space(at + strlen("template")) + 1;
  if (*open != '<' || *close != '>' || !header)
    return NULL;
  const char *argument = open + 1, *parameter = header;
  for (;;) {
    const char *argument_end = argument + strcspn(argument, ",>"),
               *parameter_end = parameter + strcspn(parameter, ",<>=.");
    size_t length, own;
    const char *word = last_word(parameter, parameter_end, &own), *given = skip_space(argument);
    const char *given_end = uw_before_space(given, argument_end);
    length = (size_t)(given_end - given);
    if (!length || length != own || strncmp(given, word, length) != 0 || *argument_end != *parameter_end)
      return NULL;
    if (*argument_end == '>')
      return uw_format("%.*s%s", (int)(name_end - text), text, argument_end + 1);
    argument = argument_end + 1;
    parameter = parameter_end + 1;
  }
}
