import type { Queryable } from '../../platform/postgres/database.ts';
import { erasedPhone } from '../../platform/values/phone.ts';
import type { ErasingPayment, Erasure } from './erasures-store.ts';
import type { DigestPhone } from './phone-digest.ts';
import { unwrittenRows } from './unwritten-rows.ts';

interface PhoneRow extends ErasingPayment {
  /** Null for a disbursement that was erased. */
  phone: string | null;
  createdAtMs: number;
}

const pageSize = 2_000;
const zeroUuid = '00000000-0000-0000-0000-000000000000';

const sources = {
  payments: 'payments',
  disbursements: 'disbursements',
  unwritten_rows: `(${unwrittenRows}) AS unwritten`,
};

const pageStatements = Object.entries(sources).map(([name, table]) => ({
  name: `erasures.phones_of_${name}`,
  text: `
SELECT tenant_id AS "tenantId", id AS "paymentId", operator_phone AS phone, created_at AS "createdAtMs"
FROM ${table} WHERE (tenant_id, id) > ($1, $2)
ORDER BY tenant_id, id LIMIT ${pageSize}`,
}));

export interface FoundErased {
  erasure: Erasure;
  phone: string;
  payments: ErasingPayment[];
}

/**
 * Finds the payments and disbursements of phones that are known only by digest: it digests the phones of all of them,
 * and compares.
 */
export async function* findErased(
  database: Queryable,
  erasures: readonly Erasure[],
  digestPhone: DigestPhone,
): AsyncGenerator<FoundErased> {
  const byDigest = Map.groupBy(erasures, ({ keyId, phoneDigest }) => nameOf(keyId, phoneDigest));
  const known = new Map<string, Erasure[]>();
  const erasuresOf = (phone: string) => {
    const found = known.get(phone);
    if (found) return found;
    const own = digestPhone(phone).flatMap(
      ({ keyId, digest }) => byDigest.get(nameOf(keyId, digest)) ?? [],
    );
    known.set(phone, own);
    return own;
  };
  for await (const page of pages(database)) {
    for (const [phone, rows] of Map.groupBy(page, (row) => row.phone)) {
      if (phone === null || phone === erasedPhone) continue;
      for (const erasure of erasuresOf(phone)) {
        const payments = rows.filter((row) => row.createdAtMs <= erasure.requestedAtMs);
        if (payments.length > 0) yield { erasure, phone, payments };
      }
    }
    // Phones recur soon or not at all, so the cache is bounded.
    known.clear();
  }
}

async function* pages(database: Queryable): AsyncGenerator<PhoneRow[]> {
  for (const statement of pageStatements) {
    let after: ErasingPayment = { tenantId: zeroUuid, paymentId: zeroUuid };
    for (;;) {
      const values = [after.tenantId, after.paymentId];
      const page = await database.query<PhoneRow>(statement, values);
      if (page.length === 0) break;
      yield page;
      after = page.at(-1)!;
    }
  }
}

const nameOf = (keyId: Buffer, digest: Buffer) =>
  `${keyId.toString('hex')} ${digest.toString('hex')}`;
