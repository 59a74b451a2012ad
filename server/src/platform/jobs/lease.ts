/**
 * The condition that a row is still under the lease with which it was claimed. It must not use the index on due rows:
 * rows claimed together share a lease, so each look-up would scan all of them, and their dead index entries. So the row
 * is found by its key. (A lease that may be absent, `lease IS NULL OR due_at = lease`, is served by no index either.)
 */
export const isUnderLease = (dueAt: string, lease: string): string =>
  `${dueAt} IS NOT DISTINCT FROM ${lease}`;
