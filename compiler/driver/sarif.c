/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * SARIF of what a command says. clang, unwarp, the linker and the assembler all say "file:line:column: error: text", so
 * the text is read once it is whole:
 *   an error, a warning, a remark    a result
 *   "In file included from", a note  a location beside the result before which, or after which, it stands
 *   a line of the source, a count    nothing
 *   other lines                      more of the message before (">>> referenced by"), or a notification if there is none
 */
#include "sarif.h"

#include "../support/files.h"
#include "diagnostics.h"
#include "jobs.h"
#include "report.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct said {
  const char *kind; /* a row of kinds; null: no message of a tool's */
  const char *level, *file, *message, *rule;
  int line, column; /* 0: not known */
} said;

static const struct {
  const char *word, *level;
} kinds[] = {
    {"fatal error", "error"}, {"error", "error"}, {"warning", "warning"}, {"remark", "none"}, {"note", "note"}};

/* Takes ":12" off the end. */
static bool take_number(char *text, int *number) {
  char *colon = strrchr(text, ':');
  if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
    return false;
  *colon = 0;
  *number = atoi(colon + 1);
  return true;
}

/* "[-Wunused-variable]" and "[barrier-elim] (kernel)" are the rules; of the latter the kernel stays. */
static void take_rule(said *s) {
  const char *open = strrchr(s->message, '['), *close = open ? strchr(open, ']') : NULL;
  bool is_flag = close && uw_after_prefix(open, "[-W") && !close[1];
  bool is_pass = close && strcmp(s->kind, "remark") == 0 && isalpha((unsigned char)open[1]);
  if (!is_flag && !is_pass)
    return;
  const char *name = open + (is_flag ? strlen("[-W") : 1);
  const char *also = is_flag ? memchr(name, ',', (size_t)(close - name)) : NULL; /* "[-Werror,-Wunused]" */
  if (also && uw_after_prefix(also, ",-W"))
    name = also + strlen(",-W");
  s->rule = uw_copy_text(name, (size_t)(close - name));
  size_t before = (size_t)(open - s->message);
  while (before && s->message[before - 1] == ' ')
    before--;
  s->message = uw_format("%.*s%s", (int)before, s->message, close + 1);
}

static said read_line(const char *line) {
  said s = {0};
  const char *at = NULL;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const char *found = uw_after_prefix(line, uw_format("%s: ", kinds[i].word)) ? line : NULL;
    const char *inside = found ? NULL : strstr(line, uw_format(": %s: ", kinds[i].word));
    found = inside ? inside + 2 : found;
    if (found && (!at || found < at)) {
      at = found;
      s.kind = s.rule = kinds[i].word;
      s.level = kinds[i].level;
    }
  }
  if (!at || *line == ' ')
    return (said){0};
  s.message = at + strlen(s.kind) + 2;
  char *where = uw_copy_text(line, at == line ? 0 : (size_t)(at - line) - 2);
  bool has_line = take_number(where, &s.line);
  int before;
  if (has_line && take_number(where, &before)) {
    s.column = s.line;
    s.line = before;
  }
  if (has_line || access(where, F_OK) == 0)
    s.file = where;
  else if (*where && strcmp(where, "unwarp") != 0)
    s.message = uw_format("%s: %s", where, s.message); /* a tool's name */
  take_rule(&s);
  return s;
}

static bool is_excerpt(const char *line) {
  const char *at = line + strspn(line, " ");
  at += strspn(at, "0123456789");
  return *line == ' ' && strncmp(at + strspn(at, " "), "|", 1) == 0;
}

static const char *uri(const char *path) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-~+";
  const char *text = *path == '/' ? "file://" : "";
  while (uw_after_prefix(path, "./"))
    path += 2;
  for (; *path; path++)
    text = strchr(plain, *path) ? uw_format("%s%c", text, *path) : uw_format("%s%%%02X", text, (unsigned char)*path);
  return text;
}

static const char *message(const char *text) { return uw_format("\"message\": {\"text\": %s}", uw_json_quoted(text)); }

static const char *location(const said *s) {
  if (!s->file || strcmp(s->file, UW_STANDARD_INPUT) == 0)
    return NULL;
  const char *column = s->column ? uw_format(", \"startColumn\": %d", s->column) : "";
  const char *region = s->line ? uw_format(", \"region\": {\"startLine\": %d%s}", s->line, column) : "";
  const char *base = *s->file == '/' ? "" : ", \"uriBaseId\": \"PWD\"";
  return uw_format("\"physicalLocation\": {\"artifactLocation\": {\"uri\": %s%s}%s}", uw_json_quoted(uri(s->file)),
                   base, region);
}

static const char *beside(const said *s) {
  const char *where = location(s);
  return uw_format("{%s%s%s}", where ? where : "", where ? ", " : "", message(s->message));
}

static const char *joined(const uw_strings *list, const char *separator) {
  const char *text = "";
  for (size_t i = 0; i < list->count; i++)
    text = uw_format("%s%s%s", text, i ? separator : "", list->items[i]);
  return text;
}

typedef struct document {
  uw_strings results, rules, notifications;
  said open; /* the result that is not written yet, with what stands beside it; kind null: none */
  uw_strings beside, before;
} document;

static void close_result(document *d) {
  if (!d->open.kind)
    return;
  const char *where = location(&d->open), *rule = uw_json_quoted(d->open.rule);
  const char *kind = strcmp(d->open.level, "none") == 0 ? ", \"kind\": \"informational\"" : "";
  if (!uw_strings_contains(&d->rules, uw_format("{\"id\": %s}", rule)))
    uw_strings_add(&d->rules, uw_format("{\"id\": %s}", rule));
  uw_strings_add(&d->results, uw_format("    {\"ruleId\": %s, \"level\": \"%s\"%s, %s, \"locations\": [%s%s%s], "
                                        "\"relatedLocations\": [%s]}",
                                        rule, d->open.level, kind, message(d->open.message), where ? "{" : "",
                                        where ? where : "", where ? "}" : "", joined(&d->beside, ", ")));
  d->open = (said){0};
  d->beside = (uw_strings){0};
}

/* "In file included from x.h:3:", "                 from y.h:4:". */
static bool take_including(document *d, const char *line) {
  const char *at = uw_after_prefix(line, "In file included from ");
  at = at ? at : uw_after_prefix(line, "                 from ");
  if (!at)
    return false;
  char *where = uw_copy_text(at, strcspn(at, ",") - (at[strcspn(at, ",") - 1] == ':'));
  said s = {.message = "included from here", .file = where};
  take_number(where, &s.line);
  uw_strings_add(&d->before, beside(&s));
  return true;
}

static void take_line(document *d, const char *line) {
  if (take_including(d, line) || is_excerpt(line) || uw_is_count(line))
    return;
  said s = read_line(line);
  if (s.kind && (strcmp(s.kind, "note") != 0 || !d->open.kind)) {
    close_result(d);
    d->open = s;
    d->beside = d->before;
    d->before = (uw_strings){0};
  } else if (s.kind) {
    uw_strings_add(&d->beside, beside(&s));
  } else if (d->open.kind) {
    d->open.message = uw_format("%s\n%s", d->open.message, line);
  } else {
    uw_strings_add(&d->notifications, uw_format("{%s}", message(line)));
  }
}

static const char *write_document(document *d, int status) {
  char *folder = getcwd(NULL, 0);
  const char *base = folder ? uw_format("   \"originalUriBaseIds\": {\"PWD\": {\"uri\": %s}},\n",
                                        uw_json_quoted(uw_format("%s/", uri(folder))))
                            : "";
  free(folder);
  return uw_format(
      "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": [\n"
      "  {\"tool\": {\"driver\": {\"name\": \"unwarp\", \"rules\": [%s]}},\n%s"
      "   \"invocations\": [{\"executionSuccessful\": %s, \"exitCode\": %d, "
      "\"toolExecutionNotifications\": [%s]}],\n"
      "   \"columnKind\": \"utf16CodeUnits\", \"results\": [\n%s\n]}]}\n",
      joined(&d->rules, ", "), base, status ? "false" : "true", status, joined(&d->notifications, ", "),
      joined(&d->results, ",\n"));
}

/* As GCC calls it: after the source, in the folder at hand. */
static const char *file_name(const uw_options *options) {
  const char *source = "a.out";
  for (size_t i = options->input_count; i-- > 0;)
    if (options->inputs[i].kind != UW_INPUT_LINK)
      source = options->inputs[i].text;
  const char *slash = strrchr(source, '/');
  return uw_format("%s.sarif", strcmp(source, "-") == 0 ? "stdin" : slash ? slash + 1 : source);
}

int uw_as_sarif(const uw_options *options, int (*command)(const void *), const void *argument) {
  int messages = memfd_create("messages", MFD_CLOEXEC);
  if (messages < 0)
    return uw_report_error("cannot keep messages: %s", strerror(errno)), 1;
  const char *path = uw_format("/proc/self/fd/%d", messages);
  uw_job job = {.what = "the command", .function = command, .argument = argument, .error_file = path};
  int status = uw_jobs_run(&job, 1) ? 0 : 1;
  const char *text = uw_read_file(path);
  document d = {0};
  uw_strings lines = {0};
  uw_strings_add_split(&lines, uw_without_colours(text ? text : ""), '\n');
  for (size_t i = 0; i < lines.count; i++)
    take_line(&d, lines.items[i]);
  close_result(&d);
  const char *document_text = write_document(&d, status);
  if (!options->sarif_file) {
    fputs(document_text, stderr);
    return status;
  }
  fputs(text ? text : "", stderr);
  const char *name = file_name(options);
  FILE *out = fopen(name, "w");
  bool good = out && fputs(document_text, out) >= 0;
  if ((out && fclose(out) != 0) || !good)
    return uw_report_error("cannot write '%s': %s", name, strerror(errno)), 1;
  return status;
}
