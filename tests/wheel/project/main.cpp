// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int added();
int main() { return added() != 63 * 64 / 2 + 64 * 5; }
