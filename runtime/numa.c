/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * UNWARP_DEVICES=numa: a device for each NUMA node that has cores of this process's. Its kernels' threads run on the
 * node's cores, and what is allocated on it is in the node's memory. hwloc knows the nodes; it is loaded when it is
 * asked for, so that programs need none.
 *
 * Of nodes with the same cores (memory of several kinds) the first is meant, as the kernel's own. Ranks that a launcher
 * has bound to a part of the machine number all nodes alike, so that each finds the one of its number.
 *
 * libomp keeps a host thread's workers for its next region. So these are bound by a region of their own when the thread
 * comes to another device; the thread itself is so for the launch alone, since its place is the program's matter.
 * Memory is preferred on a node, not bound to it: where that is full, it comes from another one, as elsewhere.
 *
 * A topology that is not this machine's (HWLOC_SYNTHETIC, HWLOC_XMLFILE) is a plan: the devices are counted, and
 * nothing is bound. HWLOC_THISSYSTEM=1 says that it is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "workers.h"

#if __has_include(<hwloc.h>)
#include <hwloc.h>

typedef struct node {
  cpu_set_t set; /* empty: nothing is bound */
  int cores;
  size_t memory;
  hwloc_bitmap_t own; /* the node alone */
} node;

static node nodes[UWRT_DEVICE_MOST];
static int count, all_cores, is_this_machine;
static hwloc_topology_t topology;
static __typeof__(hwloc_set_area_membind) *set_area;
static atomic_int was_told;

static _Thread_local cpu_set_t before; /* of this thread, while it launches */
static _Thread_local int is_bound, bound_part = -1, bound_workers;

#define FUNCTION(name) __typeof__(name) *name##_ = (__typeof__(name) *)find(library, #name)

static void *find(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function)
    uwrt_fatal("UNWARP_DEVICES is \"numa\", and libhwloc.so.15 has no %s", name);
  return function;
}

/* What the process may use of it; ranks that share a machine are elsewhere, but count its nodes alike. */
static int take_cores(node *into, const cpu_set_t *whole) {
  const cpu_set_t *own = uwrt_first_cores();
  CPU_AND(&into->set, whole, own);
  into->cores = CPU_COUNT(&into->set);
  if (!into->cores && uwrt_ranks_here() > 1)
    into->cores = CPU_COUNT(own);
  return into->cores > 0;
}

static int is_twin(const hwloc_obj_t *objects, unsigned int at,
                   int (*equal)(hwloc_const_bitmap_t, hwloc_const_bitmap_t)) {
  for (unsigned int i = 0; i < at; i++)
    if (equal(objects[i]->cpuset, objects[at]->cpuset))
      return 1;
  return 0;
}

int uwrt_numa_find(void) {
  void *library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    uwrt_fatal("UNWARP_DEVICES is \"numa\", which needs hwloc, and libhwloc.so.15 is not here. On Debian: apt-get "
               "install libhwloc15");
  FUNCTION(hwloc_topology_init);
  FUNCTION(hwloc_topology_load);
  FUNCTION(hwloc_topology_is_thissystem);
  FUNCTION(hwloc_get_nbobjs_by_depth);
  FUNCTION(hwloc_get_obj_by_depth);
  FUNCTION(hwloc_bitmap_isequal);
  FUNCTION(hwloc_bitmap_isset);
  FUNCTION(hwloc_bitmap_weight);
  set_area = (__typeof__(set_area))find(library, "hwloc_set_area_membind");
  if (hwloc_topology_init_(&topology) != 0 || hwloc_topology_load_(topology) != 0)
    uwrt_fatal("UNWARP_DEVICES is \"numa\", and hwloc cannot read this machine's topology: %s", strerror(errno));
  is_this_machine = hwloc_topology_is_thissystem_(topology);

  enum { MOST_NODES = 1024 };
  static hwloc_obj_t objects[MOST_NODES];
  int found = hwloc_get_nbobjs_by_depth_(topology, HWLOC_TYPE_DEPTH_NUMANODE);
  for (int i = 0; i < found && i < MOST_NODES && count < UWRT_DEVICE_MOST; i++) {
    hwloc_obj_t object = objects[i] = hwloc_get_obj_by_depth_(topology, HWLOC_TYPE_DEPTH_NUMANODE, (unsigned int)i);
    node *next = &nodes[count];
    cpu_set_t whole;
    CPU_ZERO(&whole);
    for (unsigned int core = 0; core < CPU_SETSIZE; core++)
      if (hwloc_bitmap_isset_(object->cpuset, core))
        CPU_SET(core, &whole);
    *next = (node){.cores = hwloc_bitmap_weight_(object->cpuset),
                   .memory = object->attr->numanode.local_memory,
                   .own = object->nodeset};
    if (next->cores < 1 || is_twin(objects, (unsigned int)i, hwloc_bitmap_isequal_) ||
        (is_this_machine && !take_cores(next, &whole)))
      continue;
    all_cores += next->cores;
    count++;
  }
  if (is_this_machine)
    all_cores = CPU_COUNT((const cpu_set_t *)uwrt_first_cores());
  if (count == 0)
    uwrt_fatal("UNWARP_DEVICES is \"numa\", and hwloc knows of no node with cores of this process");
  return count;
}

int uwrt_numa_cores(int part) { return nodes[part].cores; }

/* Of so many that may run: OMP_NUM_THREADS says fewer than the machine has. */
int uwrt_numa_workers(int part, int all) {
  int own = (int)((long)all * nodes[part].cores / all_cores);
  return own < 1 ? 1 : own;
}

/* A synthetic topology need not say; and a control group may leave the process less. */
size_t uwrt_numa_memory(int part, size_t all) {
  size_t share = all / (size_t)count;
  return nodes[part].memory && nodes[part].memory < share ? nodes[part].memory : share;
}

static void bind_this(int32_t *thread, int32_t *bound, void *data) {
  const node *to = data;
  (void)thread, (void)bound;
  sched_setaffinity(0, sizeof to->set, &to->set); /* refused: the thread runs where the kernel has it run */
}

void uwrt_numa_enter(int part, int workers) {
  enum { CALLED_BY_COMPILED_CODE = 2 };
  static uwrt_omp_place here = {0, CALLED_BY_COMPILED_CODE, {0, 0}, ";unknown;unknown;0;0;;"};
  node *to = &nodes[part];
  if (is_bound || uwrt_own_place.launch || !CPU_COUNT(&to->set) || sched_getaffinity(0, sizeof before, &before) != 0)
    return;
  is_bound = 1;
  if (part == bound_part && workers == bound_workers) {
    bind_this(NULL, NULL, to);
    return;
  }
  if (workers > 1)
    uwrt_crew_fork(&here, 1, bind_this, to);
  else
    bind_this(NULL, NULL, to);
  bound_part = part;
  bound_workers = workers;
}

void uwrt_numa_leave(void) {
  if (is_bound)
    sched_setaffinity(0, sizeof before, &before);
  is_bound = 0;
}

void uwrt_numa_place(int part, void *start, size_t bytes) {
  if (is_this_machine &&
      set_area(topology, start, bytes, nodes[part].own, HWLOC_MEMBIND_BIND, HWLOC_MEMBIND_BYNODESET) != 0 &&
      !atomic_exchange(&was_told, 1))
    fprintf(stderr,
            "unwarp: UNWARP_DEVICES is \"numa\", and the system does not place memory on a node: %s. It is where it is "
            "first used%s\n",
            strerror(errno), errno == EPERM ? " (containers refuse that: --cap-add SYS_NICE)" : "");
}

#else

int uwrt_numa_find(void) {
  uwrt_fatal("UNWARP_DEVICES is \"numa\": this build of unwarp lacks it, as libhwloc-dev was not installed when it was "
             "built. UNWARP_DEVICES=n makes n devices");
}
int uwrt_numa_cores(int part) { return part; }
int uwrt_numa_workers(int part, int all) { return part + all; }
size_t uwrt_numa_memory(int part, size_t all) { return (size_t)part + all; }
void uwrt_numa_enter(int part, int workers) { (void)part, (void)workers; }
void uwrt_numa_leave(void) {}
void uwrt_numa_place(int part, void *start, size_t bytes) { (void)part, (void)start, (void)bytes; }

#endif
