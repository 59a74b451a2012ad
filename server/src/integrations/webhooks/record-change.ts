import type { Mask } from '../../platform/audit/mask.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { aboutEndpoint, recordedEndpoint } from './endpoint.ts';
import type { RecordChange } from './endpoint-store.ts';

/** Audits a change of an endpoint, or its deletion. */
export function recordChange(
  dependencies: { clock: Clock; ids: Ids; mask: Mask },
  author: Author,
): RecordChange {
  const { mask } = dependencies;
  return (transaction, before, after) =>
    writeAuditRecord(
      transaction,
      { ...dependencies, ...author },
      {
        ...aboutEndpoint(before),
        action: after ? 'webhook.changed' : 'webhook.deleted',
        before: recordedEndpoint(before, mask),
        ...(after && { after: recordedEndpoint(after, mask) }),
      },
    );
}
