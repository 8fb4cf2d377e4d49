/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * --lib: a static library of all objects, by the host's archiver, which adds to a library that is there. */
#include "archive.h"

#include "jobs.h"
#include "packages.h"
#include "report.h"

#include <stdlib.h>

bool uw_archive(const uw_options *options, const uw_strings *objects, const char *output) {
  const char *wanted = options->archiver ? options->archiver : "ar", *archiver = uw_find_program(wanted);
  if (!archiver) {
    uw_report_error("the archiver '%s' is missing", wanted);
    if (!options->archiver)
      uw_report_note("%s", uw_how_to_install(UW_NEED_BINUTILS));
    return false;
  }
  uw_job job = {.what = uw_format("archiving %s", output), .result_file = output};
  uw_strings_add_many(&job.command, archiver, "cr", NULL);
  uw_strings_add_all(&job.command, &options->archiver_options);
  uw_strings_add(&job.command, output);
  uw_strings_add_all(&job.command, objects);
  return uw_jobs_run(&job, 1) || uw_report_error("%s failed while %s", archiver, job.what);
}
