import { claimDuePayments } from '../../../server/src/money/payments/lease-store.ts';
import type { Database } from '../../../server/src/platform/postgres/database.ts';
import type { BenchGateway } from '../gateway/gateway.ts';

const pollMs = 10;
const limitMs = 120_000;
const claims = 40;
const claimed = 50;

/** Settles the payable payments, and waits until all events are written: milliseconds per payment. */
export async function settleMs(
  { url, key, database }: BenchGateway,
  currency: string,
): Promise<number> {
  const startMs = performance.now();
  const answer = await fetch(`${url}/v1/settlements/process`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ currency }),
  });
  if (answer.status !== 200) throw new Error(`no settlement: ${await answer.text()}`);
  const { itemCount } = (await answer.json()) as { itemCount: number };
  const text = `SELECT FROM settlements WHERE currency = $1 AND (status <> 'COMPLETED' OR due_at IS NOT NULL)`;
  while (performance.now() - startMs < limitMs) {
    if ((await database.query({ text }, [currency])).length === 0) {
      return (performance.now() - startMs) / Number(itemCount);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error('the settlement did not finish');
}

/**
 * The median of claims by the gateway's own statement. The latest payments become due for it,
 * whatever their status: no worker is there to process them.
 */
export async function claimMs(database: Database): Promise<number> {
  const due = `
    UPDATE payments SET due_at = now() - interval '1 hour' WHERE (tenant_id, id) IN (
      SELECT tenant_id, id FROM payments ORDER BY tenant_id DESC, id DESC LIMIT ${claims * claimed})`;
  await database.query({ text: due });
  const taken: number[] = [];
  for (let index = 0; index < claims; index++) {
    const nowMs = Date.now();
    const startMs = performance.now();
    const rows = await claimDuePayments(database, nowMs, nowMs + 3_600_000, claimed);
    taken.push(performance.now() - startMs);
    if (rows.length < claimed) throw new Error('too few payments were due');
  }
  return taken.sort((a, b) => a - b)[Math.floor(claims / 2)]!;
}
