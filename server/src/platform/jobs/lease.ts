/**
 * The condition that a row is still under the lease that it was taken with. No index can serve it: rows that were
 * claimed together share a lease, and by the index of what is due each would be looked for among all of these, and
 * among what is left of them in the index after they have moved on. So the row is found by its key. (A lease that
 * may be absent, `lease IS NULL OR due_at = lease`, is served by no index either.)
 */
export const isUnderLease = (dueAt: string, lease: string): string =>
  `${dueAt} IS NOT DISTINCT FROM ${lease}`;
