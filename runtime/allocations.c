/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The ranges of memory that the API knows (device, managed, pinned and registered memory, device variables), ordered by
 * address. They never overlap, so the range around an address is the last one that starts at or before it.
 *
 * The order is a treap: a search tree by base that is a heap by a random priority, hence about as deep as the logarithm
 * of its size whatever the order of calls. Split and merge are all the operations it needs.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "internal.h"

typedef struct node {
  uwrt_allocation allocation;
  uint32_t priority;
  struct node *left, *right;
} node;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static node *root;
static atomic_size_t count;
static size_t total_bytes[UWRT_DEVICE_MOST];
static uint32_t random_state = 0x9E3779B9u;

static uint32_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state;
}

/* Nodes whose base is below base go to *low, the others to *high. */
static void split(node *tree, uintptr_t base, node **low, node **high) {
  if (!tree) {
    *low = *high = NULL;
  } else if (tree->allocation.base < base) {
    *low = tree;
    split(tree->right, base, &tree->right, high);
  } else {
    *high = tree;
    split(tree->left, base, low, &tree->left);
  }
}

static node *merge(node *low, node *high) {
  if (!low || !high)
    return low ? low : high;
  if (low->priority > high->priority) {
    low->right = merge(low->right, high);
    return low;
  }
  high->left = merge(low, high->left);
  return high;
}

/* The last node that starts at or before address. */
static const node *last_before(uintptr_t address) {
  const node *best = NULL;
  for (const node *at = root; at;) {
    if (at->allocation.base <= address) {
      best = at;
      at = at->right;
    } else {
      at = at->left;
    }
  }
  return best;
}

static int overlaps(uintptr_t base, size_t bytes) {
  const node *before = last_before(base + (bytes - 1));
  return before && before->allocation.base + (before->allocation.bytes - 1) >= base;
}

static size_t own_bytes(const uwrt_allocation *allocation) {
  return allocation->space & (UWRT_SPACE_DEVICE | UWRT_SPACE_MANAGED | UWRT_SPACE_HOST) ? allocation->bytes : 0;
}

cudaError_t uwrt_allocation_add(const uwrt_allocation *allocation) {
  if (!allocation->bytes || allocation->base + (allocation->bytes - 1) < allocation->base)
    return cudaErrorInvalidValue;
  node *fresh = malloc(sizeof *fresh);
  if (!fresh)
    return cudaErrorMemoryAllocation;
  cudaError_t error = cudaSuccess;
  pthread_mutex_lock(&lock);
  if (overlaps(allocation->base, allocation->bytes)) {
    error = cudaErrorInvalidValue;
    free(fresh);
  } else {
    node *low, *high;
    *fresh = (node){*allocation, next_random(), NULL, NULL};
    split(root, allocation->base, &low, &high);
    root = merge(merge(low, fresh), high);
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    total_bytes[allocation->device] += own_bytes(allocation);
  }
  pthread_mutex_unlock(&lock);
  return error;
}

int uwrt_allocation_find(const void *address, uwrt_allocation *found) {
  pthread_mutex_lock(&lock);
  const node *before = last_before((uintptr_t)address);
  int inside = before && (uintptr_t)address - before->allocation.base < before->allocation.bytes;
  if (inside)
    *found = before->allocation;
  pthread_mutex_unlock(&lock);
  return inside;
}

int uwrt_allocation_before(const void *address, uwrt_allocation *found) {
  if (pthread_mutex_trylock(&lock) != 0)
    return 0; /* the other threads have been stopped, one of them here */
  const node *before = last_before((uintptr_t)address);
  if (before)
    *found = before->allocation;
  pthread_mutex_unlock(&lock);
  return before != NULL;
}

int uwrt_allocation_after(uintptr_t address, uwrt_allocation *found) {
  const node *best = NULL;
  pthread_mutex_lock(&lock);
  for (const node *at = root; at;) {
    if (at->allocation.base > address) {
      best = at;
      at = at->left;
    } else {
      at = at->right;
    }
  }
  if (best)
    *found = best->allocation;
  pthread_mutex_unlock(&lock);
  return best != NULL;
}

int uwrt_allocation_overlaps(const void *address, size_t bytes) {
  pthread_mutex_lock(&lock);
  int result = bytes && overlaps((uintptr_t)address, bytes);
  pthread_mutex_unlock(&lock);
  return result;
}

/* Takes the node with this base out of the tree. The caller holds the lock and knows that the node is there. */
static void take_node(uintptr_t base, uwrt_allocation *taken) {
  node *low, *middle, *high;
  split(root, base, &low, &middle);
  split(middle, base + 1, &middle, &high);
  root = merge(low, high);
  *taken = middle->allocation;
  total_bytes[taken->device] -= own_bytes(taken);
  atomic_fetch_sub_explicit(&count, 1, memory_order_relaxed);
  free(middle);
}

void uwrt_allocation_forget_registered(const void *address, size_t bytes) {
  uwrt_allocation taken;
  uintptr_t base = (uintptr_t)address;
  const node *before;
  pthread_mutex_lock(&lock);
  while ((before = last_before(base + (bytes - 1))) && before->allocation.space == UWRT_SPACE_REGISTERED &&
         before->allocation.base + (before->allocation.bytes - 1) >= base)
    take_node(before->allocation.base, &taken);
  pthread_mutex_unlock(&lock);
}

int uwrt_allocation_take(const void *base, unsigned int spaces, uwrt_allocation *taken) {
  pthread_mutex_lock(&lock);
  const node *before = last_before((uintptr_t)base);
  int found = before && before->allocation.base == (uintptr_t)base && (before->allocation.space & spaces);
  if (found)
    take_node((uintptr_t)base, taken);
  pthread_mutex_unlock(&lock);
  return found;
}

static const node *any_of(const node *tree, unsigned int spaces, int device, const void *context) {
  if (!tree ||
      ((tree->allocation.space & spaces) && tree->allocation.device == device && tree->allocation.context == context))
    return tree;
  const node *left = any_of(tree->left, spaces, device, context);
  return left ? left : any_of(tree->right, spaces, device, context);
}

int uwrt_allocation_take_any(unsigned int spaces, int device, const void *context, uwrt_allocation *taken) {
  pthread_mutex_lock(&lock);
  const node *found = any_of(root, spaces, device, context);
  if (found)
    take_node(found->allocation.base, taken);
  pthread_mutex_unlock(&lock);
  return found != NULL;
}

size_t uwrt_allocation_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

size_t uwrt_allocation_bytes(int device) {
  pthread_mutex_lock(&lock);
  size_t bytes = total_bytes[device];
  pthread_mutex_unlock(&lock);
  return bytes;
}
