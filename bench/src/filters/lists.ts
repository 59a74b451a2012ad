import type { Seed } from './seed.ts';

/** A filter with a value, as the query has it. */
interface Choice {
  filter: string;
  query: string;
}

/** What the queries name: ids of rows in the middle, and one that nobody has. */
export interface Known {
  payment: string;
  session: string;
  /** The oldest payment, to which a tenth of all refunds belong. */
  refunded: string;
  nobody: string;
  endpoint: string;
  settlement: string;
}

export interface ListAtScale {
  path: string;
  choices: Choice[];
}

const dayMs = 86_400_000;
const agoIn =
  ({ nowMs }: Seed) =>
  (days: number) =>
    new Date(nowMs - days * dayMs).toISOString();

const valuesOf = (filter: string, ...values: string[]): Choice[] =>
  values.map((value) => ({ filter, query: `${filter}=${encodeURIComponent(value)}` }));

/** The newest day, nearly all of the history, and its first days. */
function rangesOf(seed: Seed): Choice[] {
  const ago = agoIn(seed);
  return [
    ...valuesOf('created_gte', ago(1), ago(179)),
    ...valuesOf('created_gt', ago(20)),
    ...valuesOf('created_lte', ago(90)),
    ...valuesOf('created_lt', ago(179), ago(0)),
  ];
}

/** Half of the rows, one of them, and none. */
const metadata: Choice[] = [
  { filter: 'metadata', query: 'metadata[channel]=web' },
  { filter: 'metadata', query: 'metadata[order]=999' },
];

const customer = valuesOf('customer_id', 'everybody', 'customer-50', 'nobody');
const external = valuesOf('external_id', 'same', 'order-50', 'nothing');

/** Every list with the values of its filters: of most rows, of few or the oldest ones, and of none. */
export function listsOf(seed: Seed, known: Known): Record<string, ListAtScale> {
  const list = (path: string, ...choices: Choice[][]): ListAtScale => ({
    path: `/v1/${path}`,
    choices: [...rangesOf(seed), ...choices.flat()],
  });
  const status = (...values: string[]) => valuesOf('status', ...values);
  const active = valuesOf('active', 'true', 'false');
  return {
    payments: list(
      'payments',
      status('SETTLED', 'CANCELLED', 'REFUNDED', 'USER_CONFIRMING', 'FAILED,CANCELLED,CREATED'),
      valuesOf('operator', 'MOCK', 'CVMOVEL', 'UNITEL_TMAIS,CVMOVEL'),
      valuesOf('currency', 'CVE', 'AOA'),
      customer,
      external,
      valuesOf('amount_gte', '6000', '499999', '600000'),
      valuesOf('amount_lte', '5001', '500000'),
      valuesOf('operator_phone', '+2389912345', '+2389900050', '+2389999999'),
      valuesOf('operator_tx_id', 'SIM50', 'SIM-NONE'),
      valuesOf('checkout_session_id', known.session, known.nobody.replace(/^pi/, 'cs')),
      metadata,
    ),
    refunds: list(
      'refunds',
      status('SUCCEEDED', 'PROCESSING', 'PENDING', 'FAILED,PROCESSING'),
      valuesOf('payment_intent_id', known.refunded, known.payment, known.nobody),
      metadata,
    ),
    'checkout sessions': list(
      'checkout/sessions',
      status('COMPLETED', 'OPEN', 'EXPIRED,OPEN'),
      customer,
      external,
      valuesOf('payment_intent_id', known.payment, known.nobody),
      metadata,
    ),
    products: list('products', active, metadata),
    'payment links': list('payment-links', active, metadata),
    events: list(
      'events',
      valuesOf('type', 'payment.debited', 'refund.failed', 'webhook.test', 'payment.*'),
      valuesOf('object_id', known.payment, known.nobody),
    ),
    settlements: list('settlements', status('COMPLETED', 'FAILED', 'PENDING')),
    'settlement items': list(`settlements/${known.settlement}/items`),
    deliveries: list(
      `webhooks/${known.endpoint}/deliveries`,
      status('SUCCEEDED', 'FAILED', 'PENDING', 'FAILED,PENDING'),
    ),
  };
}

/** Each choice alone, and each pair of choices of two filters. */
export function queriesOf(seed: Seed, { choices }: ListAtScale): string[] {
  const pairs = choices.flatMap((one) =>
    choices.filter((other) => other.filter > one.filter).map((other) => [one, other]),
  );
  return [...choices.map((each) => [each]), ...pairs].map((pair) => queryOf(seed, pair));
}

/** A filter by metadata needs both ends of a range, unless its partner gives one. */
function queryOf(seed: Seed, pair: readonly Choice[]): string {
  const parts = pair.map(({ query }) => query);
  const has = (start: string) => pair.some(({ filter }) => filter.startsWith(start));
  if (has('metadata')) {
    const ago = agoIn(seed);
    const isOld = parts.some((part) => part === `created_lt=${encodeURIComponent(ago(179))}`);
    if (!has('created_gt')) parts.push(`created_gte=${isOld ? ago(181) : ago(30)}`);
    if (!has('created_lt')) parts.push(`created_lt=${ago(0)}`);
  }
  return parts.join('&');
}
