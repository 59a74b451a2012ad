import type { RequestHashes } from '../../platform/idempotency/idempotency.ts';
import { Batcher } from '../../platform/jobs/batcher.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Payment } from './payment.ts';
import { findEarlierPayments, type SoughtPayment } from './store.ts';

interface FindEarlierDependencies {
  database: Database;
  requestHashes: RequestHashes;
}

/** The payment that stands in the way of another: of its id, or under its key, as that came or sealed. */
export type FindEarlier = (sought: SoughtPayment) => Promise<Payment | undefined>;

/** In batches of their own, so that nobody's insert waits for the look at what a repeated request had created. */
export function makeFindEarlier(dependencies: FindEarlierDependencies): FindEarlier {
  const batcher = new Batcher<SoughtPayment, Payment | undefined>({
    maxItems: 256,
    maxInFlight: 1,
    write: (sought) => find(dependencies, sought),
  });
  return (sought) => batcher.submit(sought);
}

async function find(
  { database, requestHashes }: FindEarlierDependencies,
  sought: SoughtPayment[],
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

/** No key holds a line break, so one without a key stands apart. */
const keyed = ({ tenantId, idempotencyKey }: SoughtPayment) =>
  `${tenantId} ${idempotencyKey ?? '\n'}`;
