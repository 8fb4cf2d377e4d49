// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile time: 280 instances of one small kernel, one of which is chosen while the program runs: pictures between spaces of
// colour, samplings and formats.
#include <utility>

typedef void convert_kernel(const unsigned char *from, unsigned char *to, int pad, int width, int height);

template <int SPACE, int SAMPLING, int FORMAT>
__global__ void convert(const unsigned char *from, unsigned char *to, int pad, int width, int height) {
  int pixel = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  if (pixel >= width * height)
    return;
  int x = pixel % width, y = pixel / width;
  float value[3];
  for (int k = 0; k < 3; k++) {
    int across = k ? SAMPLING % 3 + 1 : 1, down = k ? SAMPLING / 3 + 1 : 1;
    value[k] = from[(k * height + y / down) * width + x / across];
  }
  if (SPACE) {
    float blue = value[1] - 128, red = value[2] - 128;
    float green = value[0] - 0.34f * SPACE * blue - 0.71f * red;
    value[2] = fminf(fmaxf(value[0] + 1.77f * blue, 0), 255);
    value[0] = fminf(fmaxf(value[0] + (0.4f + SPACE) * red, 0), 255);
    value[1] = fminf(fmaxf(green, 0), 255);
  }
  int place = pixel * (FORMAT + 1) + pad * y;
  for (int k = 0; k <= FORMAT % 4; k++)
    to[place + k] = (unsigned char)(k < 3 ? value[k] : 255);
  if (FORMAT > 3 && x % 2 == 0)
    to[place + 4] = (unsigned char)((value[0] + value[1]) / 2);
}

template <int... NUMBER> static convert_kernel *choose(int which, std::integer_sequence<int, NUMBER...>) {
  static convert_kernel *const all[] = {convert<NUMBER / 56, NUMBER % 56 / 7, NUMBER % 7>...};
  return all[which];
}

int main(int count, char **) {
  unsigned char *from, *to;
  cudaMallocManaged(&from, 3 * 64 * 64);
  cudaMallocManaged(&to, 8 * 64 * 64);
  choose(count, std::make_integer_sequence<int, 280>())<<<dim3(4, 16), 64>>>(from, to, 0, 64, 64);
  return cudaDeviceSynchronize();
}
