// temporary
import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Authenticate, Principal } from '../platform/http/principal.ts';
export function createAuthenticate({ database, clock }: { database: Database; clock: Clock }): Authenticate {
  const cache = new Map<string, { until: number; principal: Promise<Principal | undefined> }>();
  return async (key) => {
    const hit = cache.get(key);
    if (hit && hit.until > clock.nowMs()) return hit.principal;
    const principal = (async () => {
      const hash = createHash('sha256').update(key).digest();
      const text = 'SELECT k.tenant_id AS "tenantId", t.merchant_id AS "merchantId", t.mode, k.permissions FROM api_keys k JOIN tenants t ON t.id = k.tenant_id WHERE key_hash = $1 AND revoked_at IS NULL';
      const [row] = await database.query<any>({ text }, [hash]);
      return row && { ...row, permissions: new Set(row.permissions) };
    })();
    cache.set(key, { until: clock.nowMs() + 3000, principal });
    return principal;
  };
}
