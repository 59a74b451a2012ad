import { createMask } from '../audit/mask.ts';
import { createLinkSecrets } from '../checkout/link-secrets.ts';
import { StatusStreams } from '../checkout/page/streams.ts';
import { databaseFigures } from '../figures.ts';
import { storedRequestHashes } from '../idempotency.ts';
import { memoryFigures } from '../memory-figures.ts';
import { KeyUse } from '../merchants/key-use.ts';
import { KnownKeys } from '../merchants/known-keys.ts';
import { createCallbackTokens } from '../operators/callbacks/token.ts';
import { createCheckOperator } from '../operators/check.ts';
import type { OperatorName } from '../operators/operator.ts';
import type { Payment } from '../payments/payment.ts';
import { ByteBudget } from '../platform/byte-budget.ts';
import { systemClock } from '../platform/clock.ts';
import type { OperatorConfigs } from '../platform/config-operators.ts';
import { openDatabase } from '../platform/database.ts';
import { createDigestKey, type DigestKeyParts } from '../platform/digest-key.ts';
import { createRoom } from '../platform/http/heavy.ts';
import { randomIds } from '../platform/ids.ts';
import { createMetrics } from '../platform/metrics.ts';
import { pageBytes } from '../platform/page-bytes.ts';
import { createSecretBox } from '../platform/secrets.ts';
import { createAskPerson } from '../review/ask-person.ts';
import { type Surroundings, timingOf } from '../surroundings.ts';
import { createTimekeeping } from '../timekeeping.ts';
import { createTraced } from '../traced.ts';

export type Base = ReturnType<typeof composeBase>;

/** What all parts need: the database, the clock of the database, metrics, secrets and streams. */
export function composeBase(surroundings: Surroundings) {
  const { config, adapterOf, databaseUrl, log, tracing, ...rest } = surroundings;
  const maxConnections = config.databaseConnections;
  const onConnection = (change: 'made' | 'lost') => timekeeping.connection(change);
  const database = openDatabase({ url: databaseUrl, log, maxConnections, onConnection });
  const timing = timingOf({ config, ...rest });
  const { wallClock = systemClock } = rest;
  const secret = composeSecrets(rest, { database, log });
  const { keys } = secret;
  const gapMs = timing.clockGapMs;
  const timekeeping = createTimekeeping({ database, wallClock, log, config, keys, gapMs });
  const { clock } = timekeeping;
  const nowMs = () => clock.nowMs();
  const figures = databaseFigures(database, nowMs, config.paymentReviewAfterMs);
  const memory = composeMemory();
  const gauges = [...figures, timekeeping.gauges, memoryFiguresOf(memory)];
  const metrics = createMetrics({ gauges, connections: () => database.connections() });
  const limits = { overall: config.page.streams, perAddress: 200, perSession: 20 };
  const streams = new StatusStreams({ database, log, limits });
  const onTransition = (payment: Payment) => {
    metrics.payments.inc({ status: payment.status, operator: payment.operator });
    streams.changed(payment);
  };
  // Changed when the gateway turns out to be reached through a proxy.
  const allowPrivate = { ...config.webhookAllowPrivate };
  const told = { log, metrics, onTransition, tracing, traced: createTraced(tracing) };
  const checkOperator = createCheckOperator(config.operators);
  // The simulator, and what no operator is configured for, take as many as we like.
  const maxCallsOf = (lane: string) => config.operators[lane as keyof OperatorConfigs]?.maxCalls;
  const operators = { adapterOf, checkOperator, maxCallsOf };
  const askPerson = createAskPerson({
    database,
    clock,
    log,
    onReview: (kind, { operator }) => metrics.reviews.inc({ kind, operator }),
  });
  const onNotReceived = ({ operator }: { operator: OperatorName }) =>
    metrics.notReceived.inc({ operator });
  const keyUse = new KeyUse({ database, clock, log, ...timing });
  return {
    askPerson,
    keyUse,
    knownKeys: new KnownKeys(),
    onNotReceived,
    config,
    clock,
    wallClock,
    timekeeping,
    ids: randomIds(),
    database,
    timing,
    allowPrivate,
    streams,
    ...secret,
    ...memory,
    ...operators,
    ...told,
  };
}

/** What is signed, encrypted or kept as a digest under the secret key. */
function composeSecrets(
  { secretKey, ...rest }: Pick<Surroundings, 'secretKey' | 'previousSecretKey'>,
  parts: Omit<DigestKeyParts, 'secrets'>,
) {
  const keys = { current: secretKey, previous: rest.previousSecretKey };
  const secrets = createSecretBox(secretKey, rest.previousSecretKey);
  const digestKey = createDigestKey({ ...parts, secrets });
  return {
    keys,
    secrets,
    digestKey,
    tokens: createCallbackTokens(secretKey, rest.previousSecretKey),
    linkSecrets: createLinkSecrets(secretKey, rest.previousSecretKey),
    requestHashes: storedRequestHashes({ digestKey, keys }),
    mask: createMask(secretKey),
  };
}

/** What large requests, deliveries, and payments and refunds that wait may take of it. */
function composeMemory() {
  const limits = { perTenant: pageBytes, test: 1.5 * pageBytes, overall: 3 * pageBytes };
  const [deliveryMemory, paymentMemory] = [new ByteBudget(limits), new ByteBudget(limits)];
  return { room: createRoom(), deliveryMemory, paymentMemory };
}

const memoryFiguresOf = ({ room, ...rest }: ReturnType<typeof composeMemory>) =>
  memoryFigures({
    requests: room.budget,
    deliveries: rest.deliveryMemory,
    payments: rest.paymentMemory,
  });
