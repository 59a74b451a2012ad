import { formatId } from '../values/ids.ts';
import type { ListedRecord } from './store.ts';

/** A record as the API for staff and the command line show it. */
export function recordView(record: ListedRecord) {
  const { id, atMs, tenantId: _tenant, merchantId, mode, ...rest } = record;
  return {
    id: formatId('au', id),
    at: new Date(atMs).toISOString(),
    merchantId: merchantId === null ? null : formatId('me', merchantId),
    mode,
    ...rest,
  };
}
