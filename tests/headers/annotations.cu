/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVTX's names, as programs write them.
 */
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>

int main() {
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.colorType = NVTX_COLOR_ARGB;
  event.color = 0xFF880000;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "range";
  event.payloadType = NVTX_PAYLOAD_TYPE_INT64;
  event.payload.llValue = 5;
  nvtxMark("mark");
  nvtxRangeId_t range = nvtxRangeStart("start");
  int level = nvtxRangePushEx(&event) + nvtxRangePush("inner") + nvtxRangePop() + nvtxRangePop();
  nvtxRangeEnd(range);
  nvtxDomainHandle_t domain = nvtxDomainCreate("domain");
  nvtxDomainRangePushEx(domain, &event);
  nvtxDomainRangePop(domain);
  nvtxStringHandle_t text[] = {nvtxDomainRegisterStringA(domain, "text"), nvtxDomainRegisterStringW(domain, L"text")};
  level += (text[0] || text[1]);
  nvtxDomainNameCategoryW(domain, 1, L"category");
  nvtxDomainDestroy(domain);
  nvtxNameCategoryW(1, L"category");
  nvtxNameOsThreadW(1, L"thread");
  nvtxNameCudaDevice(0, "device");
  nvtxNameCudaStream(cudaStream_t(), "stream");
  nvtxNameCudaEventW(cudaEvent_t(), L"event");
  nvtxNameCuContext(CUcontext(), "context");
  return level == 4 * NVTX_NO_PUSH_POP_TRACKING ? 0 : 1;
}
