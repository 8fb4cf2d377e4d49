// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace unwarp {
void watch_for_checker(); // from here on it is told of tensors, from when it begins
} // namespace unwarp
