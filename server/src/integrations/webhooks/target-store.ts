import { rowQuery } from '../../platform/postgres/query.ts';

export interface TargetRow {
  version: number;
  url: string;
  status: 'ACTIVE' | 'DISABLED';
  secretBox: Buffer;
  nextSecretBox: Buffer | null;
  nextSecretFromMs: number | null;
  deletedAtMs: number | null;
  mode: 'live' | 'test';
}

/**
 * The target and format of an endpoint's deliveries; includes deleted endpoints, so that their remaining deliveries
 * can be given up.
 */
export const loadTarget = rowQuery<TargetRow, [tenantId: string, endpointId: string]>({
  name: 'webhook_endpoints.load_target',
  text: `
SELECT w.version, w.url, w.status, w.secret_box AS "secretBox",
  w.next_secret_box AS "nextSecretBox", w.next_secret_from AS "nextSecretFromMs",
  w.deleted_at AS "deletedAtMs", t.mode
FROM webhook_endpoints w JOIN tenants t ON t.id = w.tenant_id
WHERE w.tenant_id = $1 AND w.id = $2`,
});
