// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A square plate of cells whose heat spreads; its edge stays as it is.
#pragma once

constexpr int SIDE = 48;
constexpr int STEPS = 20;

// What a step makes of the cell at `at`, for host and device. In another file than the kernel that calls it.
__host__ __device__ float spread(const float *plate, int at);

// The share of its neighbours' difference that a cell takes over in a step.
extern __constant__ float conduction;
extern const float host_conduction;
