#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which public names of the CUDA tool kit's headers ours do not have.

  scripts/missing-names.py [--toolkit DIR] [--list] [HEADER…]

DIR is an installed tool kit's folder of headers (/usr/local/cuda/include), which are read here and stay there. A name of a header is public
if it is declared there (a function, type, enumerator or macro) and has CUDA's form: the library's prefix, or, in headers of device code,
a function that the header declares as one. It is there if the header of the same name of ours, or what that includes of ours, has the word.
Prints a row of a table for each header, as docs/support.md has them; --list names what is missing.
"""
import argparse
import os
import re
import subprocess
import sys

HOST = [  # and the prefixes of what they declare
    ('cuda_runtime_api.h', r'cuda[A-Z]|CUDA'), ('driver_types.h', r'cuda[A-Z]|CUDA'), ('cuda.h', r'cu[A-Z]|CU_|CU[a-z]|CUDA_'),
    ('cuda_device_runtime_api.h', r'cuda[A-Z]|CUDA'), ('cuda_gl_interop.h', r'cuda[A-Z]'), ('cudaEGL.h', r'cu[A-Z]|CU_|CU[a-z]'),
    ('cuda_egl_interop.h', r'cuda[A-Z]'), ('cuda_profiler_api.h', r'cuda[A-Z]'), ('library_types.h', r'cuda[A-Z]|CUDA_|[A-Z]+_VERSION|[A-Z]+_LEVEL'),
    ('surface_types.h', r'cuda[A-Z]'), ('texture_types.h', r'cuda[A-Z]'), ('vector_types.h', r'[a-z]+[1-4](?:_\d+a)?$|dim3'),
    ('nvrtc.h', r'nvrtc|NVRTC'), ('nvJitLink.h', r'nvJitLink|NVJITLINK'), ('nvFatbin.h', r'nvFatbin|NVFATBIN'), ('nvml.h', r'nvml|NVML'),
    ('cublas_v2.h', r'cublas|CUBLAS'), ('cublas_api.h', r'cublas|CUBLAS'), ('cublas.h', r'cublas|CUBLAS'), ('cublasLt.h', r'cublas|CUBLAS'),
    ('cublasXt.h', r'cublas|CUBLAS'), ('cufft.h', r'cufft|CUFFT'), ('cufftXt.h', r'cufft|CUFFT'), ('cufftw.h', r'fftw|FFTW'),
    ('curand.h', r'curand|CURAND'), ('cusparse.h', r'cusparse|CUSPARSE'), ('cusolver_common.h', r'cusolver|CUSOLVER'),
    ('cusolverDn.h', r'cusolver|CUSOLVER'), ('cusolverSp.h', r'cusolver|CUSOLVER|cs[rc][a-z]*Info'), ('cusolverRf.h', r'cusolver|CUSOLVER'),
    ('cusolverMg.h', r'cusolver|CUSOLVER|CUDALIBMG|cudaLib'), ('nvToolsExt.h', r'nvtx|NVTX'), ('nvvm.h', r'nvvm|NVVM'),
]
DEVICE = ['cuda_fp16.h', 'cuda_bf16.h', 'cuda_fp8.h', 'cuda_fp6.h', 'cuda_fp4.h', 'curand_kernel.h', 'mma.h', 'cooperative_groups.h',
          'cuda_pipeline.h', 'cuda_pipeline_primitives.h', 'cuda_awbarrier.h', 'cuda_awbarrier_primitives.h', 'device_atomic_functions.h',
          'device_functions.h', 'sm_20_intrinsics.h', 'sm_30_intrinsics.h', 'sm_32_intrinsics.h', 'sm_60_atomic_functions.h',
          'sm_61_intrinsics.h', 'math_functions.h', 'vector_functions.h', 'texture_indirect_functions.h', 'surface_indirect_functions.h',
          'cuComplex.h', 'crt/sm_70_rt.h', 'crt/sm_80_rt.h', 'crt/sm_90_rt.h', 'crt/device_functions.h', 'crt/math_functions.h']
# Ours with which that header always comes: names are there if they are in these.
COMES_WITH = {'driver_types.h': ['cuda_runtime_api.h'], 'cusolver_common.h': ['cusolverDn.h'], 'cuda_device_runtime_api.h': ['cuda_runtime.h'],
              'library_types.h': ['cublas_v2.h']}
BESIDE = {'cuda_fp16.h': ['cuda_fp16.hpp'], 'cuda_bf16.h': ['cuda_bf16.hpp'], 'cuda_fp8.h': ['cuda_fp8.hpp'],
          'cuda_fp6.h': ['cuda_fp6.hpp'], 'cuda_fp4.h': ['cuda_fp4.hpp']}


def code_of(text):
    """Without comments, strings and what is continued over lines."""
    text = re.sub(r'/\*.*?\*/', ' ', text, flags=re.S)
    text = re.sub(r'//[^\n]*', ' ', text)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text.replace('\\\n', ' '))


def read(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()


def declared(text, prefix):
    """The public names of a header of the host's."""
    code = code_of(text)
    words = set(re.findall(r'\b(?:' + prefix.replace('$', r'\b') + r')\w*', code))
    # Guards, and what only marks a declaration.
    return {w for w in words if not re.search(r'_H_*$|_API$|_api$|_API_|CALLBACK$|^CUDAAPI|^CUDARTAPI|WINAPI|DEPRECATED|^CUDART_DEVICE$|_INLINE$|_INCLUDED$|_CPP_VERSION$|[A-Za-z]_MAX$|Reserved|_v$|_ptsz$|_ptds$', w)}


def functions(text):
    """The functions and types that a header of device code declares."""
    code = re.sub(r'^\s*#[^\n]*', '', code_of(text), flags=re.M)
    names = set(re.findall(r'\b(?:__device__|__DECL__|__\w*DECL\w*__|__DEVICE_\w+_FUNCTIONS_DECL__|__SM_\w+_DECL__|QUALIFIERS|__device_builtin__'
                           r'|__forceinline__|__cudart_builtin__|_CG_QUALIFIER)[^;{}()]*?\b(\w+)\s*\(', code))
    names |= set(re.findall(r'\btypedef\s+[^;{}]*?\b(\w+)\s*;', code)) | set(re.findall(r'\b(?:struct|class|enum)\s+(?:__\w+__\s+)*(\w+)\s*[:{]', code))
    hidden = re.compile(r'^(?:_[A-Z]|__internal|__nv_|__nvvm|__cv_|__anon|operator$|__attribute__$|__align__$|__declspec$|if$|defined$|__builtin|__location__$'
                        r'|__CUDA|__NV|__DEPRECATED|__static_|__single_|__multi_|__float_simpl|__curand_|_curand|_skip|_packLanes|_get_|_is_|gg_|tg_|group_data|'
                        r'get_mask$|get_type$|get_scratch|get_sync|collectives_scheme|multi_warp|internal_|static\w*BaseT|thread_group_base|OK$|th$|valid$|'
                        r'syncthreads|curn?and_MRG|noexcept$|explicit$|static$)|_impl$|_raw$|^(?:asm|return|while|for|switch|sizeof)$')
    return {n for n in names if not hidden.search(n)}


def includes(folder, header, seen):
    path = os.path.normpath(os.path.join(folder, header))
    if path in seen or not os.path.isfile(path):
        return ''
    seen.add(path)
    text = read(path)
    for inner in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', text, flags=re.M):
        near = os.path.relpath(os.path.join(os.path.dirname(path), inner), folder)
        text += includes(folder, near, seen) or includes(folder, inner, seen)
    return text


def words_of_ours(folder, header):
    return set(re.findall(r'\w+', code_of(includes(folder, header, set()))))


def preprocessed(folder, header, clang):
    """What the macros make: the words after the preprocessor, on either side, and the macros that are left."""
    words = set()
    source = '#include "%s"\n' % header
    base = [clang, '-x', 'cuda', '-nocudainc', '-nocudalib', '--cuda-gpu-arch=sm_80', '-Wno-unknown-cuda-version', '-I', folder, '-E', '-dD', '-P', '-']
    for side in ('--cuda-host-only', '--cuda-device-only'):
        for version in ('11080', '12040', '13000'):
            run = subprocess.run(base + [side, '-DUNWARP_CUDA_VERSION=' + version], input=source, capture_output=True, text=True)
            words |= set(re.findall(r'\w+', run.stdout))
    return words


def main():
    parser = argparse.ArgumentParser(description='public names of the tool kit that our headers do not have')
    parser.add_argument('--toolkit', default='/usr/local/cuda/include')
    parser.add_argument('--ours', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'include'))
    parser.add_argument('--clang', default='clang++-22')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('headers', nargs='*')
    asked = parser.parse_args()
    if not os.path.isdir(asked.toolkit):
        sys.exit('missing-names.py: no headers in %s; --toolkit names their folder' % asked.toolkit)
    total = missing_total = 0
    print('| header | public names | missing |\n| --- | --- | --- |')
    for header, prefix in HOST + [(name, None) for name in DEVICE]:
        path = os.path.join(asked.toolkit, header)
        if (asked.headers and header not in asked.headers) or not os.path.isfile(path):
            continue
        text = read(path) + ''.join(read(os.path.join(asked.toolkit, other)) for other in BESIDE.get(header, [])
                                    if os.path.isfile(os.path.join(asked.toolkit, other)))
        theirs = declared(text, prefix) if prefix else functions(text)
        if not theirs:
            continue
        have = set()
        for of_ours in [header] + COMES_WITH.get(header, []):
            have |= words_of_ours(asked.ours, of_ours)
            if os.path.isfile(os.path.join(asked.ours, of_ours)) and theirs - have:
                have |= preprocessed(asked.ours, of_ours, asked.clang)
        missing = sorted(theirs - have)
        there = os.path.isfile(os.path.join(asked.ours, header))
        print('| %s | %d | %s |' % (header, len(theirs), len(missing) if there else '%d (no such header)' % len(missing)))
        total += len(theirs)
        missing_total += len(missing)
        if asked.list:
            for name in missing:
                print('    ' + name)
    print('| all | %d | %d |' % (total, missing_total))


main()
