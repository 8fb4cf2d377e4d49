/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A piece of an ordered sum (ordered.c) by vectors. Included for each kind of number and each set of instructions, with
 * PIECE (the function's name), TARGET (its attribute), NUMBER, and BITS and SIGNED as wide as that, REGISTER: the bytes
 * of one, and REGISTERS: how many bytes at a time. */
TARGET static piece_sum PIECE(const void *numbers, size_t count, uint64_t base) {
  enum {
    LANES = REGISTERS / sizeof(NUMBER),
    FRACTION = sizeof(NUMBER) == 4 ? 23 : 52,
    SHIFT = sizeof(NUMBER) == 4 ? 32 : 0
  };
  typedef NUMBER vector __attribute__((vector_size(REGISTERS)));
  typedef NUMBER in_memory __attribute__((vector_size(REGISTERS), aligned(sizeof(NUMBER)), may_alias));
  typedef BITS bits __attribute__((vector_size(REGISTERS)));
  typedef SIGNED integers __attribute__((vector_size(REGISTERS)));
  typedef uint64_t longs __attribute__((vector_size(REGISTERS))), wide __attribute__((vector_size(REGISTER)));
  const NUMBER *x = numbers;
  const bits none = {0}, even = none + (BITS)base, odd = none + (BITS)(base + 1);
  bits total = none, risen = none, outside = none, differs = ~none;
  const BITS fraction = (BITS)base & (((BITS)1 << FRACTION) - 1);
  const int mixed = fraction == (BITS)1 << (FRACTION - 1);
  for (size_t i = 0; mixed && i < count; i += LANES) {
    const vector at = *(const in_memory *)(x + i);
    const bits y = (bits)((vector)even + at), z = (bits)((vector)odd + at),
               above = (bits)((integers)y > (integers)even);
    total += y;
    outside |= y ^ even;
    differs &= y ^ z;
    risen += (y & above) | (even & ~above);
  }
  for (size_t i = 0; !mixed && i < count; i += LANES) {
    const vector at = *(const in_memory *)(x + i);
    const bits y = (bits)((vector)even + at), z = (bits)((vector)odd + at);
    total += y;
    outside |= y ^ even;
    differs &= y ^ z;
  }
  if (!mixed)
    risen = fraction == 0 ? total : (even + 1) * (BITS)(count / LANES);
  const longs up = (longs)(risen - even * (BITS)(count / LANES)), down = (longs)(risen - total);
  const longs wrong = (longs)((outside >> FRACTION) | (~differs & 1));
  const longs low = (longs)none + (SHIFT ? UINT32_MAX : UINT64_MAX);
  union {
    longs all[3];
    wide each[3][REGISTERS / sizeof(wide)];
  } sums = {{SHIFT ? (up & low) + (up >> SHIFT) : up, SHIFT ? (down & low) + (down >> SHIFT) : down, wrong}};
  union {
    wide all[3];
    pair each[3][sizeof(wide) / sizeof(pair)];
  } last = {{sums.each[0][0], sums.each[1][0], sums.each[2][0]}};
  for (size_t i = 1; i < REGISTERS / sizeof(wide); i++) {
    last.all[0] += sums.each[0][i];
    last.all[1] += sums.each[1][i];
    last.all[2] |= sums.each[2][i];
  }
  pair of_up = {0}, of_down = {0}, of_wrong = {0};
  for (size_t i = 0; i < sizeof(wide) / sizeof(pair); i++) {
    of_up += last.each[0][i];
    of_down += last.each[1][i];
    of_wrong |= last.each[2][i];
  }
  return (piece_sum){of_wrong[0] | of_wrong[1] ? UINT64_MAX : of_up[0] + of_up[1], of_down[0] + of_down[1]};
}
#undef PIECE
#undef TARGET
#undef REGISTER
#undef REGISTERS
