/** Callbacks about returns: refunds of rightful debits, and reversals of late ones. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { eventually, type TestGatewayOptions } from '../support/gateway.ts';
import { type LiveGateway, liveGateway } from './gateway.ts';
import { failure } from './provider.ts';

type Kind = 'refund' | 'reversal';

const payment = (suffix: string) => ({
  amount: 1_520,
  operator: 'CVMOVEL',
  operatorPhone: `+2389910${suffix}`,
});

/** Makes the gateway request a partial refund. */
async function refundOf({ live }: LiveGateway): Promise<void> {
  const { body: paid } = await live('POST', '/v1/payments', payment('345'));
  await eventually('the debit', async () => {
    const { body } = await live('GET', `/v1/payments/${paid.id}`);
    return body.status === 'DEBITED';
  });
  await live('POST', '/v1/refunds', { paymentIntentId: paid.id, amount: 500 });
}

/** Makes the gateway request the reversal of a debit that came after the cancel. */
async function reversalOf({ live, provider }: LiveGateway): Promise<void> {
  const { body: late } = await live('POST', '/v1/payments', payment('109'));
  const reference = await eventually('the request', () => [...provider.entries.keys()][0]);
  await live('POST', `/v1/payments/${late.id}/cancel`);
  provider.decide(reference);
}

/** A return whose outcome the test decides. */
async function moneyBack(context: TestContext, kind: Kind, isHeld = false) {
  const operatorTimeoutMs = isHeld ? 60_000 : 5_000;
  const timing = { operatorTimeoutMs, hintBackoffMs: [20, 20, 20], firstBackoffMs: 60_000 };
  const options: TestGatewayOptions = { timing };
  const gateway = await liveGateway(context, {}, options);
  const { provider, database, url } = gateway;
  provider.fault = ({ path, method }) => {
    if (method !== 'POST' || !path.endsWith('/reversals')) return undefined;
    // Longer than any test: the operator itself stays silent.
    provider.delayMs = 3_600_000;
    return isHeld ? 'hang after' : undefined;
  };
  await (kind === 'refund' ? refundOf(gateway) : reversalOf(gateway));
  const entry = await eventually('the operator is asked', () =>
    [...provider.entries.values()].find((each) => each.kind === 'reversal'),
  );
  const transaction = { ...entry.transaction, transactionStatus: 'completed' };
  const refused = { errorCategory: 'businessRule', errorCode: 'incorrectState' };
  const table = kind === 'refund' ? 'refunds' : 'reversals';
  const status = async () =>
    (await database.query<{ status: string }>({ text: `SELECT status FROM ${table}` }))[0]?.status;
  const inbox = () =>
    database.query<{ contradicts: boolean }>({
      text: `SELECT contradicts FROM operator_callbacks
        WHERE kind = '${kind.toUpperCase()}' AND due_at IS NULL ORDER BY received_at`,
    });
  return {
    ...gateway,
    status,
    transaction,
    refusal: failure(400, 'businessRule', 'incorrectState').body,
    /** The operator's answer to a query. */
    settle: (outcome: 'completed' | 'failed') => {
      entry.transaction.transactionStatus = outcome;
      if (outcome === 'failed') entry.error = refused;
      else delete entry.error;
    },
    tell: (body: unknown) => provider.callBack(entry.callbackUrl!, body),
    becomes: (wanted: string) => eventually(wanted, async () => (await status()) === wanted),
    /** How each stored callback was handled, once this many are. */
    handled: (count: number) =>
      eventually(`${count} are handled`, async () => {
        const rows = await inbox();
        return rows.length === count && rows.map(({ contradicts }) => contradicts);
      }),
    contradictions: async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      const listed = /review_items_total\{kind="CONTRADICTION",operator="CVMOVEL"\} (\d+)/;
      return Number(listed.exec(metrics)?.[1] ?? 0);
    },
    /** The operator's balance according to our records, in minor units, which are consistent. */
    held: async () => {
      assert.deepEqual(await checkLedger(database), []);
      const text = `SELECT -balance_minor AS minor FROM balances WHERE account = 'operator:CVMOVEL'`;
      return (await database.query<{ minor: bigint }>({ text }))[0]!.minor;
    },
  };
}

const afterwards = { refund: 1_020n, reversal: 0n };
const before = { refund: 1_520n, reversal: 1_520n };

for (const kind of ['refund', 'reversal'] as const) {
  test(`${kind}: books the success of a callback once, however often it comes`, async (context) => {
    const { tell, settle, transaction, becomes, handled, held } = await moneyBack(context, kind);
    settle('completed');
    const again = {
      ...transaction,
      modificationDate: '2026-11-21T09:30:00Z',
      transactionReceipt: 'R',
    };
    assert.deepEqual(await Promise.all([tell(transaction), tell(again)]), [204, 204]);
    await becomes('SUCCEEDED');
    assert.equal(await tell(again), 204);
    assert.deepEqual(await handled(1), [false]);
    assert.equal(await held(), afterwards[kind]);
  });

  test(`${kind}: stores and counts a refusal after the success, and changes no status`, async (context) => {
    const { tell, settle, transaction, refusal, becomes, status, handled, contradictions, held } =
      await moneyBack(context, kind);
    settle('completed');
    await tell(transaction);
    await becomes('SUCCEEDED');
    assert.equal(await tell(refusal), 204);
    assert.deepEqual(await handled(2), [false, true]);
    assert.equal(await status(), 'SUCCEEDED');
    assert.equal(await contradictions(), 1);
    assert.equal(await held(), afterwards[kind]);
  });

  test(`${kind}: does not trust a forged refusal while the operator stays silent`, async (context) => {
    const { tell, settle, refusal, status, becomes, held, provider } = await moneyBack(
      context,
      kind,
    );
    provider.exchanges = [];
    assert.equal(await tell(refusal), 204);
    await eventually('it is asked about', () => provider.calls(/^GET/).length >= 4);
    assert.equal(await status(), 'PROCESSING');
    settle('completed');
    await tell({ ...refusal, errorCode: 'genericError' });
    await becomes('SUCCEEDED');
    assert.equal(await held(), afterwards[kind]);
    assert.equal(provider.calls(/reversals$/).length, 0, 'it is not asked for again');
  });

  test(`${kind}: books a success after the refusal once, and lists it if the merchant knew of the failure`, async (context) => {
    const { tell, settle, transaction, refusal, becomes, handled, contradictions, held } =
      await moneyBack(context, kind);
    settle('failed');
    assert.equal(await tell(refusal), 204);
    await becomes('FAILED');
    assert.equal(await held(), before[kind]);
    settle('completed');
    assert.deepEqual(await Promise.all([tell(transaction), tell(transaction)]), [204, 204]);
    assert.deepEqual(await handled(2), [false, false]);
    assert.equal(await contradictions(), kind === 'refund' ? 1 : 0);
    assert.equal(await held(), afterwards[kind]);
    // The merchant was told of the failure of a refund; a reversal is not announced to anybody.
    await becomes(kind === 'refund' ? 'FAILED' : 'SUCCEEDED');
  });

  test(`${kind}: uses a callback that is faster than the answer to our request, which then changes nothing`, async (context) => {
    const { tell, settle, transaction, becomes, status, handled, held, provider, url } =
      await moneyBack(context, kind, true);
    settle('completed');
    assert.equal(await tell(transaction), 204);
    await becomes('SUCCEEDED');
    provider.recover();
    await eventually('our request ends', async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      return /operator_calls?_\w*count\{[^}]*call="reverse"[^}]*answer="UNREACHABLE"[^}]*\} 1/.test(
        metrics,
      );
    });
    assert.deepEqual(await handled(1), [false]);
    assert.equal(await status(), 'SUCCEEDED');
    assert.equal(await held(), afterwards[kind]);
    assert.equal(provider.calls(/reversals$/).length, 1, 'it is not asked for again');
  });
}

test('treats another transaction for a successful refund as a contradiction: it may have been returned twice', async (context) => {
  const { tell, settle, transaction, becomes, handled, held } = await moneyBack(context, 'refund');
  settle('completed');
  await tell(transaction);
  await becomes('SUCCEEDED');
  assert.equal(await tell({ ...transaction, transactionReference: 'TX-OTHER' }), 204);
  assert.deepEqual(await handled(2), [false, true]);
  assert.equal(await held(), afterwards.refund);
});
