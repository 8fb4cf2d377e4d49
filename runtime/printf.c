/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Device printf (CUDA C++ Programming Guide, "Formatted output"). The format is taken apart, each conversion reads its
 * argument from the packed buffer and goes through the host's own printf, and the whole text is written at once, so
 * that lines of different threads do not mix. What is no conversion that CUDA knows is printed as it stands.
 *
 * The buffer is what clang packs for vprintf: arguments promoted as in C, each at its natural alignment.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

typedef struct text {
  char *bytes;
  size_t length, capacity;
  char local[1024];
} text;

typedef struct arguments {
  const unsigned char *bytes;
  size_t offset;
  int count;
} arguments;

/* One conversion: its parts as written, but with the values that * stands for. */
typedef struct conversion {
  char flags[8];
  int width, precision; /* -1: none */
  int wide;             /* the integer has 64 bits */
  const char *length;   /* to pass on: "", "h", "hh", "ll" */
  char letter;
} conversion;

/* Makes room for more bytes and a final 0. Returns 0 when there is no memory: the text then stays as it is. */
static int reserve(text *out, size_t more) {
  if (more < out->capacity - out->length)
    return 1;
  size_t wanted = (out->length + more + 1) * 2;
  char *larger = malloc(wanted);
  if (!larger)
    return 0;
  memcpy(larger, out->bytes, out->length);
  if (out->bytes != out->local)
    free(out->bytes);
  out->bytes = larger;
  out->capacity = wanted;
  return 1;
}

static void append(text *out, const char *bytes, size_t length) {
  if (!reserve(out, length))
    return;
  memcpy(out->bytes + out->length, bytes, length);
  out->length += length;
}

static void read_argument(arguments *from, void *value, size_t bytes) {
  from->offset = (from->offset + bytes - 1) / bytes * bytes;
  memcpy(value, from->bytes + from->offset, bytes);
  from->offset += bytes;
  from->count++;
}

/* An integer, or a * that takes one from the arguments. Returns what follows it. */
static const char *parse_number(const char *at, arguments *from, int *number) {
  if (*at == '*') {
    read_argument(from, number, sizeof *number);
    return at + 1;
  }
  for (*number = 0; *at >= '0' && *at <= '9'; at++)
    *number = *number < 100000 ? *number * 10 + (*at - '0') : *number;
  return at;
}

/* Returns what follows the conversion that starts after a %, or null for one that CUDA does not know. */
static const char *parse(const char *at, arguments *from, conversion *found) {
  size_t flags = 0;
  *found = (conversion){.width = -1, .precision = -1, .length = ""};
  for (; *at && strchr("-+ #0", *at); at++)
    if (!strchr(found->flags, *at))
      found->flags[flags++] = *at;
  if (*at == '*' || (*at >= '1' && *at <= '9')) {
    at = parse_number(at, from, &found->width);
    if (found->width < 0) {
      found->width = found->width == -2147483647 - 1 ? 0 : -found->width;
      if (!strchr(found->flags, '-'))
        found->flags[flags++] = '-';
    }
  }
  if (*at == '.') {
    at = parse_number(at + 1, from, &found->precision);
    if (found->precision < 0)
      found->precision = -1;
  }
  if (*at == 'h') {
    found->length = at[1] == 'h' ? "hh" : "h";
    at += strlen(found->length);
  } else if (*at == 'l' || *at == 'j' || *at == 'z' || *at == 't' || *at == 'L') {
    found->wide = *at != 'L';
    at += at[0] == 'l' && at[1] == 'l' ? 2 : 1;
  }
  found->letter = *at;
  return *at && strchr("diouxXcspeEfFgGaA", *at) ? at + 1 : NULL;
}

/* Appends one value through the host's printf. kind picks the argument; format has exactly one conversion. */
#define APPEND_VALUE(out, format, value)                                                                               \
  do {                                                                                                                 \
    size_t room = (out)->capacity - (out)->length;                                                                     \
    int needed = snprintf((out)->bytes + (out)->length, room, format, value);                                          \
    if (needed >= 0 && (size_t)needed >= room && reserve(out, (size_t)needed))                                         \
      needed = snprintf((out)->bytes + (out)->length, (out)->capacity - (out)->length, format, value);                 \
    if (needed >= 0 && (size_t)needed < (out)->capacity - (out)->length)                                               \
      (out)->length += (size_t)needed;                                                                                 \
  } while (0)

static void append_conversion(text *out, const conversion *what, arguments *from) {
  char format[64], width[16] = "", precision[16] = "";
  const char *length = what->length;
  if (what->width >= 0)
    snprintf(width, sizeof width, "%d", what->width);
  if (what->precision >= 0)
    snprintf(precision, sizeof precision, ".%d", what->precision);
  if (what->wide)
    length = "ll";
  if (!strchr("diouxX", what->letter))
    length = "";
  snprintf(format, sizeof format, "%%%s%s%s%s%c", what->flags, width, precision, length, what->letter);
  switch (what->letter) {
  case 'd':
  case 'i':
  case 'o':
  case 'u':
  case 'x':
  case 'X':
    if (what->wide) {
      unsigned long long value;
      read_argument(from, &value, sizeof value);
      APPEND_VALUE(out, format, value);
      break;
    }
    /* fall through */
  case 'c': {
    int value;
    read_argument(from, &value, sizeof value);
    APPEND_VALUE(out, format, value);
    break;
  }
  case 's': {
    const char *value;
    read_argument(from, &value, sizeof value);
    APPEND_VALUE(out, format, value ? value : "(null)");
    break;
  }
  case 'p': {
    void *value;
    read_argument(from, &value, sizeof value);
    APPEND_VALUE(out, format, value);
    break;
  }
  default: {
    double value;
    read_argument(from, &value, sizeof value);
    APPEND_VALUE(out, format, value);
  }
  }
}

int uwrt_vprintf(const char *format, void *args) {
  text out = {.length = 0};
  arguments from = {args, 0, 0};
  if (!format)
    return -1;
  out.bytes = out.local;
  out.capacity = sizeof out.local;
  while (*format) {
    size_t plain = strcspn(format, "%");
    append(&out, format, plain);
    format += plain;
    if (!*format)
      break;
    if (format[1] == '%') {
      append(&out, "%", 1);
      format += 2;
      continue;
    }
    conversion what;
    const char *after = parse(format + 1, &from, &what);
    if (after) {
      append_conversion(&out, &what, &from);
      format = after;
    } else {
      append(&out, format++, 1);
    }
  }
  fwrite(out.bytes, 1, out.length, stdout);
  if (out.bytes != out.local)
    free(out.bytes);
  return from.count;
}
