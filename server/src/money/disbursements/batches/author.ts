import type { Queryable } from '../../../platform/postgres/database.ts';
import { rowQuery } from '../../../platform/postgres/query.ts';
import type { MerchantTerms } from '../../../platform/values/merchant-terms.ts';
import {
  type StoredTerms,
  termsColumns,
  termsOf,
} from '../../../tenants/merchants/change-terms.ts';
import type { CreateDisbursementInput } from '../prepare.ts';
import type { DueBatch } from './store.ts';

/** Those for whom the rows of a batch are written, as they are now. */
export interface Author {
  terms: MerchantTerms;
  apiKey: CreateDisbursementInput['apiKey'];
  /** The API key is revoked, or has lost its permission. */
  isRevoked: boolean;
}

interface Found extends StoredTerms {
  keyId: string | null;
  maxDisbursementMinor: bigint | null;
  maxDisbursedPerDayMinor: bigint | null;
  mayWrite: boolean | null;
}

// A test key may have been made before there was the permission, which it has all the same.
const find = rowQuery<Found, [tenantId: string, keyId: string | null]>({
  name: 'disbursement_batches.author',
  text: `
SELECT ${termsColumns}, k.id AS "keyId", k.max_disbursement_minor AS "maxDisbursementMinor",
  k.max_disbursed_per_day_minor AS "maxDisbursedPerDayMinor",
  k.revoked_at IS NULL AND (t.mode = 'test' OR 'disbursements:write' = ANY (k.permissions)) AS "mayWrite"
FROM tenants t
JOIN merchants m ON m.id = t.merchant_id
LEFT JOIN api_keys k ON k.tenant_id = t.id AND k.id = $2
WHERE t.id = $1`,
});

/** Reads what the merchant and the API key of a batch may do now. */
export async function findAuthor(
  database: Queryable,
  { tenantId, createdByKey }: Pick<DueBatch, 'tenantId' | 'createdByKey'>,
): Promise<Author> {
  const found = (await find(database, tenantId, createdByKey))!;
  const { keyId, maxDisbursementMinor, maxDisbursedPerDayMinor, mayWrite } = found;
  const limits = { maxDisbursementMinor, maxDisbursedPerDayMinor };
  return {
    terms: termsOf(found),
    apiKey: keyId === null ? null : { id: keyId, ...limits },
    isRevoked: createdByKey !== null && mayWrite !== true,
  };
}
