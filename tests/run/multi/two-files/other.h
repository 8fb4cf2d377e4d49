// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the file of kernels offers to the file that launches them.
#pragma once

typedef void (*kernel_pointer)(int *, int);

void add_other_secret(int *data, int n, int blocks, int block);
__global__ void reverse_in_block(int *data);
kernel_pointer get_triple(void);
