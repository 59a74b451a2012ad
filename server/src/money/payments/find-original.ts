import type { RequestHashes } from '../../platform/idempotency/idempotency.ts';
import { Batcher } from '../../platform/jobs/batcher.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Payment } from './payment.ts';
import { findEarlierPayments, type PaymentIdentity } from './store.ts';

interface FindEarlierDependencies {
  database: Database;
  requestHashes: RequestHashes;
}

/** The existing payment that conflicts with a new one: with the same id, or under its key, plain or sealed. */
export type FindEarlier = (sought: PaymentIdentity) => Promise<Payment | undefined>;

/** In batches of their own, so that no insert waits for the search for an original. */
export function makeFindEarlier(dependencies: FindEarlierDependencies): FindEarlier {
  const batcher = new Batcher<PaymentIdentity, Payment | undefined>({
    maxItems: 256,
    maxInFlight: 1,
    write: (sought) => find(dependencies, sought),
  });
  return (sought) => batcher.submit(sought);
}

async function find(
  { database, requestHashes }: FindEarlierDependencies,
  sought: PaymentIdentity[],
): Promise<(Payment | undefined)[]> {
  const candidates = sought.map((payment) => {
    const { tenantId, idempotencyKey } = payment;
    const sealed = idempotencyKey === null ? [] : requestHashes.sealedKeys(idempotencyKey);
    return [payment, ...sealed.map((key) => ({ tenantId, idempotencyKey: key }))];
  });
  const found = await findEarlierPayments(database, candidates.flat());
  const byId = new Map(found.map((payment) => [payment.id, payment]));
  const byKey = new Map(found.map((payment) => [keyed(payment), payment]));
  return sought.map(({ id }, index) => {
    const own = id === undefined ? undefined : byId.get(id);
    return own ?? candidates[index]!.map((each) => byKey.get(keyed(each))).find(Boolean);
  });
}

/** No key contains a line break, so this marks payments without a key. */
const keyed = ({ tenantId, idempotencyKey }: PaymentIdentity) =>
  `${tenantId} ${idempotencyKey ?? '\n'}`;
