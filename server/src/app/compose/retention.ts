import { actKeySweep } from '../../act-keys/sweep.ts';
import { createRequestTidier } from '../../api-requests/worker.ts';
import { oldEvents } from '../../events/retention-store.ts';
import { Retention } from '../../jobs/retention.ts';
import { measurementSweep } from '../../operators/measurements/sweep.ts';
import { oldOperatorRows } from '../../operators/retention-store.ts';
import { promptSweep } from '../../phones/sweep.ts';
import type { Base } from './base.ts';

/** Old rows are removed. */
export function composeRetention(base: Base) {
  const { retentionMs } = base.config;
  const onRemoved = (kind: string, count: number) => base.metrics.removedRows.inc({ kind }, count);
  const oldRows = [oldEvents, oldOperatorRows];
  return [
    new Retention({ ...base, retentionMs, oldRows, onRemoved }),
    promptSweep(base),
    actKeySweep(base),
    measurementSweep(base),
    createRequestTidier(base),
  ];
}
