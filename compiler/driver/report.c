/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The driver's own messages. Each is built whole and written at once, so that parallel makes do not mix lines. */
#include "report.h"

#include "../support/strings.h"

#include <stdarg.h>
#include <stdio.h>

static void (*listener)(const char *kind, const char *text);

void uw_report_to(void (*say)(const char *kind, const char *text)) { listener = say; }

static void say(const char *kind, const char *format, va_list arguments) {
  char text[4096];
  vsnprintf(text, sizeof text, format, arguments);
  if (listener)
    listener(kind, text);
  else
    fputs(uw_format("unwarp: %s: %s\n", kind, text), stderr);
}

bool uw_report_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("error", format, arguments);
  va_end(arguments);
  return false;
}

void uw_report_warning(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("warning", format, arguments);
  va_end(arguments);
}

void uw_report_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("note", format, arguments);
  va_end(arguments);
}
