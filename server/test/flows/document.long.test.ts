import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { firstTenant, fund } from '../support/disbursing.ts';
import {
  type Document,
  type Operation,
  type Parameter,
  readDocument,
} from '../support/document.ts';
import {
  type Answer,
  type Api,
  anotherGateway,
  apiOf,
  reach,
  testGateway,
} from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';

/** FUZZ_SEED repeats a run, FUZZ_RUNS makes it longer. */
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const numRuns = Number(process.env.FUZZ_RUNS ?? 20);

const endings: (() => unknown)[] = [];
const context = { after: (ending: () => unknown) => endings.push(ending) };
let document: Document;
let api: Api;
let ids: Record<string, string[]>;
let samples: Sample[];

/**
 * One object of each kind; then a gateway that answers, but sends nothing to random addresses. Requests are made up
 * before that gateway starts: some seeds take so long that its connections would time out.
 */
before(async () => {
  document = await readDocument();
  const first = await testGateway(context as never);
  ids = await oneOfEverything(first);
  await first.gateway.stop();
  samples = document.operations.filter(answersJson).flatMap(samplesOf);
  const environment = { ROLE: 'api', RATE_LIMIT: 'off' };
  const { url } = await anotherGateway(context as never, first.databaseUrl, { environment });
  api = apiOf(url, first.key);
});

after(async () => {
  for (const ending of endings.toReversed()) await ending();
});

async function oneOfEverything(gateway: Awaited<ReturnType<typeof testGateway>>) {
  const { zimbo } = gateway;
  const receiver = await testReceiver(context as never);
  const endpoint = await zimbo.webhooks.create({ url: receiver.url, events: ['payment.debited'] });
  const asked = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  const payment = await zimbo.payments.create(asked);
  await reach(zimbo.payments, payment.id, 'DEBITED');
  const refund = await zimbo.refunds.create({ paymentIntentId: payment.id, amount: 1 });
  const session = await zimbo.checkout.sessions.create({ amount: 1 });
  const product = await zimbo.products.create({ name: 'Café', price: 1 });
  const link = await zimbo.paymentLinks.create({ description: 'Quota', amount: 1 });
  await fund(gateway.database, await firstTenant(gateway.database), 20_000);
  const row = { ...asked, amount: 100 };
  const disbursement = await zimbo.disbursements.create(row, { idempotencyKey: 'one' });
  const batch = await zimbo.disbursements.batches.create(
    { items: [row] },
    { idempotencyKey: 'many' },
  );
  const settlement = await zimbo.settlements.process();
  const [delivery] = (await zimbo.webhooks.deliveries.list(endpoint.id).page()).data;
  const [event] = (await zimbo.events.list().page()).data;
  return {
    payments: [payment.id],
    refunds: [refund.id],
    sessions: [session.id],
    products: [product.id],
    'payment-links': [link.id],
    settlements: [settlement!.id],
    events: [event!.id],
    webhooks: [endpoint.id],
    deliveries: [delivery!.id],
    operators: ['MOCK', 'CVMOVEL'],
    disbursements: [disbursement.id],
    disbursement_batches: [batch.id],
  };
}

/** The text of a parameter, or those of the keys of an object. */
type QueryValue = string | Record<string, string>;

interface Request {
  path: Record<string, string>;
  query: Record<string, QueryValue>;
  body: unknown;
}

/** A request, and whether the document allows it. */
interface Sample {
  operation: Operation;
  request: Request;
  isRight: boolean;
}

function samplesOf(operation: Operation): Sample[] {
  const [path, query, body] = [pathOf(operation), queryOf(operation), bodyOf(operation)];
  const requests = fc.sample(fc.record({ path, query, body }), { seed, numRuns });
  return requests.map((request) => ({
    operation,
    request,
    isRight: isAllowed(operation, request),
  }));
}

/** The kind of object by the list in a path: `/v1/payments/{id}` names a payment. */
function pathOf({ path, parameters }: Operation): fc.Arbitrary<Record<string, string>> {
  const segments = path.split('/');
  const entries = parameters
    .filter((one) => one.in === 'path')
    .map(({ name }) => {
      const kind = segments[segments.indexOf(`{${name}}`) - 1]!;
      const known = ids[kind]!;
      const nobodys = known[0]!.replace(/_.*/, `_${'0'.repeat(26)}`);
      return [name, fc.constantFrom(...known, ...known, nobodys, 'x')];
    });
  return fc.record(Object.fromEntries(entries));
}

const hostileTexts = fc.constantFrom(
  '',
  ' ',
  'null',
  '0',
  '-1',
  '101',
  '1e1',
  'x'.repeat(256),
  'pi_1',
  '2026-01-01',
);

/** Several values are separated by commas. */
const written = (value: unknown): QueryValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, string>)
    : String(value);

function queryOf(operation: Operation): fc.Arbitrary<Record<string, QueryValue>> {
  const entries = operation.parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) => [
      name,
      fc.oneof({ weight: 5, arbitrary: document.allowed(schema).map(written) }, hostileTexts),
    ]);
  const known = fc.record(Object.fromEntries(entries), { requiredKeys: [] });
  return known as fc.Arbitrary<Record<string, QueryValue>>;
}

/** Sometimes a part of the body is replaced, removed or added. */
function bodyOf(operation: Operation): fc.Arbitrary<unknown> {
  const { body } = operation;
  if (body === undefined) return fc.constant(undefined);
  const whole = document.allowed(body);
  const part = fc.oneof(
    fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__')),
    fc.constantFrom(null, '', 0, -1, 1.5, 100_000_001, 2 ** 53, [], {}, 'x'.repeat(300), true),
  );
  const changed = fc
    .tuple(whole, fc.nat(), part, fc.constantFrom('replace', 'remove', 'add', 'keep', 'keep'))
    .map(([value, at, other, change]) => changedBody(value, at, other, change));
  return fc.oneof({ weight: 12, arbitrary: changed }, part, fc.constant(undefined));
}

function changedBody(value: unknown, at: number, other: unknown, change: string): unknown {
  if (typeof value !== 'object' || value === null || change === 'keep') return value;
  const names = Object.keys(value);
  const name = change === 'add' ? 'colour' : names[at % Math.max(1, names.length)];
  if (name === undefined) return value;
  const { [name]: _, ...rest } = value as Record<string, unknown>;
  return change === 'remove' ? rest : { ...rest, [name]: other };
}

/** A parameter parsed by its type; unparsable values stay text. */
function readParameter({ schema }: Parameter, given: QueryValue): unknown {
  if (typeof given === 'object') return given;
  if (schema.type === 'array') return given.split(',');
  if (schema.type === 'integer' && /^-?\d{1,15}$/.test(given)) return Number(given);
  if (schema.type === 'boolean' && /^(true|false)$/.test(given)) return given === 'true';
  return given;
}

function isAllowed(operation: Operation, { query, body }: Request): boolean {
  const parameters = new Map(operation.parameters.map((one) => [one.name, one]));
  const queryIsFine = Object.entries(query).every(([name, value]) => {
    const parameter = parameters.get(name)!;
    return document.check(parameter.schema)(readParameter(parameter, value));
  });
  const lacks = operation.parameters.some(
    (one) => one.in === 'query' && one.required && !(one.name in query),
  );
  if (!queryIsFine || lacks) return false;
  if (body === undefined) return !operation.bodyIsRequired;
  // An operation without a body accepts an empty one.
  if (operation.body === undefined) return true;
  // JSON has no other representation.
  return document.check(operation.body)(JSON.parse(JSON.stringify(body))) as boolean;
}

/** Errors that no schema can express. */
const unsayable = [
  /^month must be one that has begun/,
  /^until must not be before since/,
  /^metadata must not be (nested|larger)/,
  /^maxAmount must be at least minAmount/,
  /^expiresAt must lie in the future/,
  /^productId must name an active product/,
  /^description must not be blank/,
  /^ending_before must not be given together with starting_after/,
  /^created_gte must be (given together|at most 31 days)/,
  /^operator_phone must be an international number/,
  /^frameOrigins\[\d+\] must be an https origin/,
];

async function send(operation: Operation, { path, query, body }: Request): Promise<Answer> {
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => path[name]!);
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[name, value]]
      : Object.entries(value).map(([key, each]) => [`${name}[${key}]`, each]),
  );
  const search = new URLSearchParams(pairs).toString();
  const isKeyed = operation.parameters.some((one) => one.in === 'header' && one.required);
  const headers = isKeyed ? { 'idempotency-key': randomUUID() } : {};
  return api(operation.method, search === '' ? filled : `${filled}?${search}`, body, headers);
}

function checkAnswer(operation: Operation, { status, body, headers }: Answer): void {
  const said = operation.responses[status];
  assert.ok(said, `the document does not say that ${operation.id} answers ${status}`);
  const schema = said.content?.['application/json'].schema;
  if (schema !== undefined) {
    const check = document.check(schema);
    assert.ok(check(body), `${operation.id} ${status}: ${JSON.stringify(check.errors)}`);
  }
  assert.ok(headers.has('x-request-id'));
}

const answersJson = ({ responses }: Operation) =>
  !Object.values(responses).some(({ content }) => content?.['text/csv'] !== undefined);

test('accepts what the document allows, rejects what it forbids, and answers as it says', async (t) => {
  t.diagnostic(`FUZZ_SEED=${seed}`);
  const outcomes = { accepted: 0, refused: 0 };
  for (const { operation, request, isRight } of samples) {
    const answer = await send(operation, request);
    const { message = '' } = answer.body?.error ?? {};
    checkAnswer(operation, answer);
    const refused = answer.status === 400 && !unsayable.some((rule) => rule.test(message));
    // Deletions run too, and deleted objects answer 404.
    const said = `${operation.id} ${JSON.stringify(request)}: ${answer.status} ${message}`;
    assert.equal(!refused, isRight, said);
    outcomes[refused ? 'refused' : 'accepted']++;
  }
  t.diagnostic(JSON.stringify(outcomes));
  assert.ok(outcomes.accepted > 50 && outcomes.refused > 50);
});
