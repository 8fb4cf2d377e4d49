/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * SYCL's header and the prelude of CUDA sources, precompiled. Reading them is most of both front ends' time, so clang's
 * precompiled form is kept, in
 *
 *   the folder headers of the cache (libraries/jit/cache.c), where there is one
 *     sycl-<number>/, cuda-<number>/   one for each set of options that changes the header
 *       command            the two commands that made it: they must be those that would make it now
 *       files              each file that was read and each folder they lie in, with its time and size: they must be as they were
 *       words              what prologue.c has to know of them
 *       host.pch device.pch
 *
 * Where nothing in the source suggests a kernel the device's half is left out, and made for the next source that has
 * one.
 *
 * A folder is made under another name and then renamed, so what has its name is whole, whoever makes it at the same
 * time. The first compile makes it: making and using it takes hardly longer than reading the header twice. Of these
 * folders MOST stay, those used last.
 *
 * CUDA's prelude stands at the source's begin anyway. SYCL's header does so then: prologue.c says whether that is
 * right. compile.c starts again without it when clang fails, so that messages are those of the source as it is. Folders
 * of headers, warnings and -v are no part of the key: in the former there is nothing that the header includes
 * (prologue.c), the others are off in it. */
#include "precompiled.h"

#include "../../libraries/jit/jit.h"
#include "../support/files.h"
#include "jobs.h"
#include "prologue.h"
#include "temp.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 24 };

static bool is_sycl(const uw_command_context *context) { return context->input->kind == UW_INPUT_SYCL; }
static const char *name_of(const uw_command_context *context) { return is_sycl(context) ? "SYCL" : "CUDA"; }
static bool is_entry(const char *name) { return uw_after_prefix(name, "sycl-") || uw_after_prefix(name, "cuda-"); }

/* In the cache of libraries/jit/cache.c: it is nobody else's to write to, as clang takes a precompiled header at its
 * word. */
static const char *cache_folder(void) {
  char room[UWJIT_PATH_BYTES];
  const char *path = uwjit_cache_part("headers", room);
  return path ? uw_copy_text(path, strlen(path)) : NULL;
}

/* The header's files by their paths, since folders for headers in the environment come before ours. */
static bool environment_has_folders(void) {
  static const char *const names[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value && *value)
      return true;
  }
  return false;
}

/* Folders for headers of one list of options; false for options of which it is not known what they do to a header. */
static bool read_options(const uw_strings *options, uw_strings *folders) {
  static const char *const known[] = {"-D", "-U", "-f", "-m", "-g", "-pthread"};
  for (size_t i = 0; i < options->count; i++) {
    const char *text = options->items[i], *folder = uw_after_prefix(text, "-I");
    bool fine = uw_is_neutral_option(text) || (folder && *folder);
    if (uw_is_folder_option(text) && i + 1 < options->count) {
      folder = options->items[++i];
      fine = true;
    }
    for (size_t k = 0; !fine && k < sizeof known / sizeof *known; k++)
      fine = uw_after_prefix(text, known[k]) && strcmp(text, "-D") && strcmp(text, "-U");
    if (!fine)
      return false;
    if (folder && *folder)
      uw_strings_add(folders, folder);
  }
  return true;
}

/* --- what files are like ------------------------------------------------------------------------------------------ */

static const char *stamp_of(const char *path) {
  struct stat s;
  if (stat(path, &s) != 0)
    return NULL;
  return uw_format("%lld.%09ld %lld %s", (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec,
                   S_ISDIR(s.st_mode) ? 0LL : (long long)s.st_size, path);
}

static bool as_they_were(const char *stamps) {
  char *text = uw_read_file(stamps);
  for (char *at = text, *end; at && (end = strchr(at, '\n')); at = end + 1) {
    *end = 0;
    const char *path = strchr(at, '/'), *now = path ? stamp_of(path) : NULL;
    if (!now || strcmp(now, at) != 0)
      return false;
  }
  return text && *text;
}

static void add_once(uw_strings *list, const char *text) {
  if (!uw_strings_contains(list, text))
    uw_strings_add(list, text);
}

/* The files of a rule of make's that clang wrote. */
static bool read_rule(const char *path, uw_strings *files) {
  char *text = uw_read_file(path), *at = text ? strchr(text, ':') : NULL;
  if (!at)
    return false;
  for (at++; *at;) {
    at += strspn(at, " \n\\");
    size_t length = strcspn(at, " \n");
    if (length) {
      const char *file = uw_copy_text(at, length);
      if (*file != '/' || strchr(file, '\\'))
        return false; /* a blank in a name: not worth more */
      add_once(files, file);
    }
    at += length;
  }
  return true;
}

/* With the folders that they lie in, and those that these lie in: a new file or version there may be found in place of
 * one of these. */
static bool write_stamps(const uw_strings *files, const char *compiler, const char *path) {
  FILE *out = fopen(path, "w");
  if (!out)
    return false;
  uw_strings all = {0};
  char real[PATH_MAX];
  uw_strings_add(&all, compiler);
  if (realpath(compiler, real))
    uw_strings_add(&all, uw_copy_text(real, strlen(real)));
  uw_strings folders = {0};
  for (size_t i = 0; i < files->count; i++) {
    uw_strings_add(&all, files->items[i]);
    const char *folder = files->items[i], *slash;
    for (int up = 0; up < 2 && (slash = strrchr(folder, '/')) && slash != folder; up++)
      add_once(&folders, folder = uw_copy_text(folder, (size_t)(slash - folder)));
  }
  uw_strings_add_all(&all, &folders);
  bool good = true;
  for (size_t i = 0; i < all.count; i++) {
    const char *stamp = stamp_of(all.items[i]);
    good &= stamp && fprintf(out, "%s\n", stamp) > 0;
  }
  return fclose(out) == 0 && good;
}

/* --- the cache ---------------------------------------------------------------------------------------------------- */

static const char *const parts[] = {"command", "files", "words", "host.pch", "device.pch", "host.d", "device.d"};

static void remove_entry(const char *folder) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    unlink(uw_format("%s/%s", folder, parts[i]));
  rmdir(folder);
}

static bool write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  bool good = file && fputs(text, file) >= 0;
  return file && fclose(file) == 0 && good;
}

static bool is_good(const char *entry, const char *commands) {
  const char *made_by = uw_read_file(uw_format("%s/command", entry));
  return made_by && strcmp(made_by, commands) == 0 && as_they_were(uw_format("%s/files", entry));
}

/* The host's half of an entry that has no other. What is linked is not written to again. */
static bool take_host_side(const char *entry, const char *commands, const char *folder) {
  const char *rule = uw_format("%s/host.d", folder), *header = uw_format("%s/host.pch", folder);
  if (!is_good(entry, commands) || link(uw_format("%s/host.d", entry), rule) != 0)
    return false;
  if (link(uw_format("%s/host.pch", entry), header) == 0)
    return true;
  unlink(rule);
  return false;
}

/* In a folder of its own, which is null on failure. */
static const char *make_entry(const uw_command_context *context, const char *cache, const char *entry,
                              const char *commands, int sides) {
  char *folder = uw_format("%s/new-XXXXXX", cache);
  if (!mkdtemp(folder))
    return NULL;
  const char *const names[] = {"host", "device"};
  const char *header = name_of(context);
  uw_job jobs[2] = {{.what = uw_format("precompiling %s's header for the host", header)},
                    {.what = uw_format("precompiling %s's header for the device", header)}};
  const int first = sides > UW_SIDE_DEVICE && take_host_side(entry, commands, folder) ? UW_SIDE_DEVICE : UW_SIDE_HOST;
  for (int side = first; side < sides; side++) {
    jobs[side].command = uw_header_command(context, (uw_side)side, uw_format("%s/%s.pch", folder, names[side]));
    uw_strings_add_many(&jobs[side].command, "-MD", "-MF", uw_format("%s/%s.d", folder, names[side]), NULL);
    jobs[side].error_file = uw_temp_path(uw_format("%s-header.messages", names[side]));
    if (!jobs[side].error_file)
      return remove_entry(folder), NULL;
  }
  uw_strings files = {0};
  bool good = uw_jobs_run(jobs + first, (size_t)(sides - first));
  for (int side = 0; side < sides; side++)
    good = good && read_rule(uw_format("%s/%s.d", folder, names[side]), &files);
  if (good) {
    uw_header_words words = uw_collect_words(&files);
    good = uw_write_words(&words, uw_format("%s/words", folder)) &&
           write_text(uw_format("%s/command", folder), commands) &&
           write_stamps(&files, context->toolchain->clangxx, uw_format("%s/files", folder)) &&
           (first == UW_SIDE_HOST || is_good(entry, commands)); /* as the host's half was made from */
  }
  if (!good)
    remove_entry(folder);
  return good ? folder : NULL;
}

static bool has_device_side(const char *entry) { return access(uw_format("%s/device.pch", entry), R_OK) == 0; }

/* Has it what this source reads? */
static bool serves(const char *entry, const char *commands, const uw_command_context *source) {
  return is_good(entry, commands) && (source->host_alone || has_device_side(entry));
}

/* Those used longest ago go; and what a compile that was killed left behind, after an hour. */
static void drop_old(const char *cache) {
  struct entry {
    const char *path;
    struct timespec used;
  } all[256];
  size_t count = 0;
  DIR *entries = opendir(cache);
  for (struct dirent *entry; entries && count < sizeof all / sizeof *all && (entry = readdir(entries));) {
    const char *path = uw_format("%s/%s", cache, entry->d_name);
    struct stat s;
    bool unfinished = uw_after_prefix(entry->d_name, "new-") != NULL;
    if ((!unfinished && !is_entry(entry->d_name)) || stat(path, &s) != 0)
      continue;
    if (!unfinished)
      all[count++] = (struct entry){path, s.st_mtim};
    else if (s.st_mtim.tv_sec + 3600 < time(NULL))
      remove_entry(path);
  }
  if (entries)
    closedir(entries);
  while (count > MOST) {
    size_t oldest = 0;
    for (size_t i = 1; i < count; i++)
      if (all[i].used.tv_sec < all[oldest].used.tv_sec)
        oldest = i;
    remove_entry(all[oldest].path);
    all[oldest] = all[--count];
  }
}

static uint64_t number_of(const char *text) {
  uint64_t hash = 0xcbf29ce484222325; /* FNV-1a; that two texts have one value costs time only */
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
  return hash;
}

/* What of a source's text there is a device side for: what launches, what other files call or share, what only that
 * side has. In comments too, which does no harm. That nothing is launched all the same says the host side's bitcode. */
static bool has_device_words(const char *text) {
  static const char *const words[] = {"parallel_for",  "single_task",          "SYCL_EXTERNAL",
                                      "sycl_external", "__SYCL_DEVICE_ONLY__", "__SPIR",
                                      "device_global", "specialization_",      "indirectly_callable"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(text, words[i]))
      return true;
  return false;
}

/* In options, and in all files but those of our own headers, of which a rule of make's has the list. */
static bool suggests_kernels(const uw_command_context *context, const char *rule) {
  const uw_options *o = context->options;
  const uw_strings *const lists[] = {&o->both, &o->host};
  for (size_t l = 0; l < 2; l++)
    for (size_t i = 0; i < lists[l]->count; i++)
      if (has_device_words(lists[l]->items[i]))
        return true;
  char *text = uw_read_file(rule), *at = text ? strchr(text, ':') : NULL;
  if (!at || strchr(text, '#') || strstr(text, "\\ ")) /* names that the rule writes in another form */
    return true;
  for (at++; *at;) {
    at += strspn(at, " \n\\");
    size_t length = strcspn(at, " \n");
    const char *file = uw_copy_text(at, length);
    at += length;
    if (!length || uw_after_prefix(file, context->toolchain->include_folder))
      continue;
    const char *source = uw_read_file(file);
    if (!source || has_device_words(source))
      return true;
  }
  return false;
}

/* Only for code: what is wrong with a source both sides say. */
static bool may_leave_device_out(const uw_command_context *context) {
  const uw_options *o = context->options;
  return is_sycl(context) && !context->needs_device && o->stage != UW_STAGE_CHECK && o->emit == UW_EMIT_OBJECT &&
         !o->default_device && !o->module && !o->checks;
}

/* Does clang find them all? Asking takes a tenth of what it takes to read SYCL's header, less of what precompiling it
 * for a source that does not compile would. */
static bool has_its_headers(uw_command_context *context) {
  uw_job job = {.what = uw_format("looking for the headers of %s", context->input->text)};
  if (context->input->standard_input)
    return true;
  job.command = is_sycl(context) ? uw_sycl_command(context, UW_SIDE_DEVICE, NULL)
                                 : uw_cuda_command(context, UW_SIDE_DEVICE, NULL);
  uw_only_preprocess(&job.command);
  const char *rule = uw_temp_path("headers.d");
  if (!rule)
    return true;
  uw_strings_add_many(&job.command, "-MD", "-MF", rule, NULL);
  job.error_file = uw_temp_path("headers.messages");
  if (!job.error_file || uw_jobs_run(&job, 1)) {
    context->host_alone = may_leave_device_out(context) && !suggests_kernels(context, rule);
    return true;
  }
  const char *said = uw_read_file(job.error_file);
  context->lacks_header = said && strstr(said, "fatal error: ") && strstr(said, "file not found");
  return false;
}

/* The folder of what these commands make, which is null where there can be none. Is made for a source that has its
 * headers. */
static const char *find_or_make(const uw_command_context *context, const char *commands, uw_command_context *source) {
  const char *cache = cache_folder();
  if (!cache)
    return NULL;
  const char *entry =
      uw_format("%s/%s-%016llx", cache, is_sycl(context) ? "sycl" : "cuda", (unsigned long long)number_of(commands));
  bool serves_now = serves(entry, commands, source);
  if (!serves_now && !has_its_headers(source))
    return NULL;
  if (serves_now || serves(entry, commands, source)) {
    utimensat(AT_FDCWD, entry, NULL, 0);
    return entry;
  }
  const char *fresh = make_entry(context, cache, entry, commands, source->host_alone ? 1 : 2);
  if (!fresh)
    return NULL;
  if (rename(fresh, entry) != 0) { /* there is one: of another's making, or out of date */
    if (!serves(entry, commands, source)) {
      remove_entry(entry);
      rename(fresh, entry);
    } else {
      remove_entry(fresh);
    }
  }
  drop_old(cache);
  return is_good(entry, commands) ? entry : NULL;
}

/* As they would be shown to the user: without what lies in our temporary files. */
static const char *commands_for(const uw_command_context *context) {
  uw_options shown = *context->options;
  uw_command_context for_show = *context;
  shown.dry_run = true;
  for_show.options = &shown;
  uw_strings host = uw_header_command(&for_show, UW_SIDE_HOST, "host.pch");
  uw_strings device = uw_header_command(&for_show, UW_SIDE_DEVICE, "device.pch");
  return uw_format("%s\n%s\n", uw_quoted_command(&host), uw_quoted_command(&device));
}

static bool is_macro_option(const char *option) {
  return uw_after_prefix(option, "-D") || uw_after_prefix(option, "-U");
}

static uw_strings without_macros(const uw_strings *options) {
  uw_strings rest = {0};
  for (size_t i = 0; i < options->count; i++)
    if (!is_macro_option(options->items[i]))
      uw_strings_add(&rest, options->items[i]);
  return rest;
}

static bool names_macro_of(const uw_header_words *words, const uw_strings *options) {
  for (size_t i = 0; i < options->count; i++)
    if (is_macro_option(options->items[i]) && uw_has_first_word(words, options->items[i] + 2))
      return true;
  return false;
}

/* The entry made without the user's macros, where the header has none of their names: most options -D are about the
 * program alone, and often about one source. Else one made with them. */
static const char *find_entry(uw_command_context *context) {
  uw_options plain = *context->options;
  uw_command_context without = *context;
  uw_header_words words;
  plain.both = without_macros(&plain.both);
  plain.host = without_macros(&plain.host);
  without.options = &plain;
  const char *entry = find_or_make(&without, commands_for(&without), context);
  if (!entry || !uw_read_words(&words, uw_format("%s/words", entry)))
    return NULL;
  bool matter = names_macro_of(&words, &context->options->both) || names_macro_of(&words, &context->options->host);
  return matter ? find_or_make(context, commands_for(context), context) : entry;
}

/* May the header stand at the source's begin, and is it the one that is precompiled? */
static bool is_right(const uw_command_context *context, const uw_strings *folders, const char *entry) {
  const char *path = context->input->standard_input ? context->input->standard_input : context->input->text;
  const char *slash = context->input->standard_input ? NULL : strrchr(path, '/');
  uw_header_words words;
  if (!uw_read_words(&words, uw_format("%s/words", entry)) || uw_hide_headers(folders, &words))
    return false;
  uw_strings all = {0}; /* ours have other names of the header */
  uw_strings_add_all(&all, folders);
  uw_strings_add(&all, context->toolchain->include_folder);
  return !is_sycl(context) ||
         uw_starts_with_sycl(path, slash ? uw_copy_text(path, (size_t)(slash - path)) : ".", &all, &words);
}

static bool start_from_entry(uw_command_context *context) {
  const uw_options *o = context->options;
  uw_strings folders = {0};
  if (o->checks || environment_has_folders() || !read_options(&o->both, &folders) || !read_options(&o->host, &folders))
    return false;
  const char *entry = find_entry(context);
  if (!entry || !is_right(context, &folders, entry))
    return false;
  context->precompiled[UW_SIDE_HOST] = uw_format("%s/host.pch", entry);
  context->precompiled[UW_SIDE_DEVICE] = has_device_side(entry) ? uw_format("%s/device.pch", entry) : NULL;
  return true;
}

void uw_use_precompiled(uw_command_context *context) {
  if (!context->options->dry_run && !start_from_entry(context) && is_sycl(context) && !context->lacks_header)
    has_its_headers(context); /* before the header is read for nothing */
}

size_t uw_precompiled_headers(bool remove) {
  const char *cache = cache_folder();
  DIR *entries = cache ? opendir(cache) : NULL;
  size_t count = 0;
  for (struct dirent *entry; entries && (entry = readdir(entries));)
    if (is_entry(entry->d_name) || uw_after_prefix(entry->d_name, "new-")) {
      count++;
      if (remove)
        remove_entry(uw_format("%s/%s", cache, entry->d_name));
    }
  if (entries)
    closedir(entries);
  return count;
}

/* As clang writes a file's name into a rule of make's. */
static const char *name_in_rule(const char *path) {
  char *name = uw_format("%s%s", path, path), *end = name; /* room for each character twice */
  for (; *path; path++) {
    if (*path == ' ' || *path == '#')
      *end++ = '\\';
    else if (*path == '$')
      *end++ = '$';
    *end++ = *path;
  }
  *end = 0;
  return name;
}

/* Takes the file out of the list of a rule's, or (`phony`) its own empty rule. */
static bool take_out(char *text, const char *name, bool phony) {
  size_t length = strlen(name);
  for (char *at = text; (at = strstr(at, name)); at += length) {
    char before = at == text ? '\n' : at[-1];
    bool whole = phony ? before == '\n' && strncmp(at + length, ":\n", 2) == 0
                       : before == ' ' && (at[length] == ' ' || at[length] == '\n');
    if (!whole)
      continue;
    size_t more = phony ? 2 : at[length] == ' ';
    memmove(at, at + length + more, strlen(at + length + more) + 1);
    return true;
  }
  return false;
}

/* clang read that file first, and takes the source for one that it includes: listed after what the header has, and
 * with -MP as a file that need not be there. */
void uw_forget_header(const uw_command_context *context) {
  char *text = context->dependency_file ? uw_read_file(context->dependency_file) : NULL;
  const char *header =
      uw_format("%s/%s", context->toolchain->include_folder, is_sycl(context) ? UW_SYCL_HEADER : UW_CUDA_HEADER);
  const char *source = name_in_rule(context->input->text);
  if (!text || !take_out(text, name_in_rule(header), false))
    return;
  char *list = strstr(text, ": ");
  if (list && take_out(list, source, false)) {
    take_out(list, source, true);
    text = uw_format("%.*s: %s%s", (int)(list - text), text, source, list + 1);
  }
  write_text(context->dependency_file, text);
}
