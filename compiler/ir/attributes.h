/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How long attributes of ours live: attributes.def. */
#ifndef UW_ATTRIBUTES_H
#define UW_ATTRIBUTES_H

#include "runner.h"

/* At the end of the stage "passes": takes off what nobody reads after it. */
void uw_end_attributes(MlirModule module);
/* With UW_STRESS=attributes: names what is on no list, or alive after its end. */
void uw_check_attributes(const uw_row *row, MlirModule module);

#endif
