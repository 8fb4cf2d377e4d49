/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is made of the compiler's tables, so that it is never out of date:
 *
 *   option-pages man VERSION < docs/unwarp.1.in    the manual page: @VERSION@, @OPTIONS@ and @ENVIRONMENT@ replaced
 *   option-pages bash | zsh | fish                 completion for that shell
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/driver/option_table.h"
#include "../compiler/support/strings.h"

static const uw_option_row *rows;
static size_t row_count;

static bool is_option(const uw_option_row *row) { return !row->section && row->meaning != MEANS_REFUSE; }

static bool takes_value(const uw_option_row *row) {
  return row->form == FORM_NEXT || row->form == FORM_EITHER || row->form == FORM_EQUALS;
}

/* --- the manual page ---------------------------------------------------------------------------------------------- */

/* Text of a paragraph: what roff would read as its own gets a backslash. */
static void put_roff(const char *text) {
  if (*text == '.' || *text == '\'')
    fputs("\\&", stdout);
  for (; *text; text++)
    if (*text == '\\')
      fputs("\\e", stdout);
    else if (*text == '-')
      fputs("\\-", stdout);
    else
      putchar(*text);
  putchar('\n');
}

static void put_entry(const char *name, const char *help) {
  fputs(".TP\n.B ", stdout);
  put_roff(name);
  put_roff(help);
}

static void put_options(void) {
  const char *section = NULL;
  for (size_t i = 0; i < row_count; i++) {
    if (rows[i].section)
      section = rows[i].section;
    if (rows[i].section || !rows[i].help)
      continue;
    if (section)
      printf(".SS %s\n", section);
    section = NULL;
    put_entry(uw_option_usage(&rows[i]), rows[i].help);
  }
}

static void put_environment(void) {
  size_t count;
  const uw_environment_row *environment = uw_environment_table(&count);
  for (int of_program = 0; of_program < 2; of_program++) {
    printf(".SS %s\n", of_program ? "Read by the programs that it makes" : "Read by unwarp");
    for (size_t i = 0; i < count; i++)
      if (environment[i].of_program == (of_program == 1))
        put_entry(environment[i].name, environment[i].help);
  }
}

static void put_manual(const char *version) {
  char line[1024];
  while (fgets(line, sizeof line, stdin)) {
    char *at = strstr(line, "@VERSION@");
    if (strcmp(line, "@OPTIONS@\n") == 0)
      put_options();
    else if (strcmp(line, "@ENVIRONMENT@\n") == 0)
      put_environment();
    else if (at)
      printf("%.*s%s%s", (int)(at - line), line, version, at + strlen("@VERSION@"));
    else
      fputs(line, stdout);
  }
}

/* --- completion --------------------------------------------------------------------------------------------------- */

/* Between single quotes: zsh wants brackets and colons quoted as well. */
static void put_quoted(const char *text, const char *also) {
  for (; *text; text++)
    if (*text == '\'')
      fputs("'\\''", stdout);
    else if (strchr(also, *text))
      printf("\\%c", *text);
    else
      putchar(*text);
}

static void put_bash(void) {
  fputs("# bash completion for unwarp, made from its table of options\n"
        "_unwarp() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "  [ \"$word\" = = ] && word=\n"
        "  [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD - 2]}\n"
        "  case $before in\n"
        "  --emit) COMPREPLY=($(compgen -W 'nvvm mlir llvm asm obj' -- \"$word\")); return ;;\n"
        "  --skip | --print-after)\n"
        "    COMPREPLY=($(compgen -W \"$(unwarp --help-passes | sed -n 's/^[* ] \\([a-z-]*\\) .*/\\1/p')\" -- "
        "\"$word\"))\n"
        "    return ;;\n"
        "  esac\n"
        "  case $word in\n"
        "  -*) COMPREPLY=($(compgen -W '",
        stdout);
  for (size_t i = 0; i < row_count; i++)
    if (is_option(&rows[i]))
      printf("%s%s", rows[i].spelling, rows[i].form == FORM_EQUALS && rows[i].spelling[1] == '-' ? "= " : " ");
  fputs("' -- \"$word\"))\n"
        "    case ${COMPREPLY[*]} in *=) compopt -o nospace 2>/dev/null ;; esac ;;\n"
        "  *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
        "  esac\n"
        "}\n"
        "complete -o filenames -F _unwarp unwarp\n",
        stdout);
}

static void put_zsh(void) {
  puts("#compdef unwarp\n# zsh completion for unwarp, made from its table of options\n_arguments -S \\");
  for (size_t i = 0; i < row_count; i++) {
    if (!is_option(&rows[i]) || !rows[i].help)
      continue;
    fputs("  '*", stdout); /* may come again */
    put_quoted(rows[i].spelling, ":[]");
    if (takes_value(&rows[i]))
      putchar(rows[i].form == FORM_EQUALS ? '=' : '+');
    else if (rows[i].form == FORM_JOINED)
      putchar('-');
    putchar('[');
    put_quoted(rows[i].help, ":[]");
    putchar(']');
    if (takes_value(&rows[i]) || rows[i].form == FORM_JOINED) {
      putchar(':');
      put_quoted(rows[i].argument ? rows[i].argument : "value", ":[]");
      fputs(":_files", stdout);
    }
    puts("' \\");
  }
  puts("  '*:file:_files'");
}

static void put_fish(void) {
  puts("# fish completion for unwarp, made from its table of options");
  for (size_t i = 0; i < row_count; i++) {
    if (!is_option(&rows[i]) || !rows[i].help)
      continue;
    const char *name = rows[i].spelling + 1;
    bool one_letter = name[0] != '-' && !name[1];
    printf("complete -c unwarp -%c '", one_letter ? 's' : *name == '-' ? 'l' : 'o');
    put_quoted(name + (*name == '-'), "");
    printf("'%s -d '", takes_value(&rows[i]) ? " -r" : "");
    put_quoted(rows[i].help, "");
    puts("'");
  }
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "";
  rows = uw_option_table(&row_count);
  if (strcmp(what, "man") == 0 && count == 3)
    put_manual(arguments[2]);
  else if (strcmp(what, "bash") == 0)
    put_bash();
  else if (strcmp(what, "zsh") == 0)
    put_zsh();
  else if (strcmp(what, "fish") == 0)
    put_fish();
  else
    return fputs("usage: option-pages man VERSION | bash | zsh | fish\n", stderr), 2;
  return fflush(stdout) != 0;
}
