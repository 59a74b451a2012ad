import { oldEvents } from '../events/retention-store.ts';
import { oldOperatorRows } from '../operators/retention-store.ts';
import { Retention } from '../platform/retention.ts';
import type { Base } from './base.ts';

/** Old rows are removed. */
export function composeRetention(base: Base) {
  const { retentionMs } = base.config;
  const onRemoved = (kind: string, count: number) => base.metrics.removedRows.inc({ kind }, count);
  return new Retention({ ...base, retentionMs, oldRows: [oldEvents, oldOperatorRows], onRemoved });
}
