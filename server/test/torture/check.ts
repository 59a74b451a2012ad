import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BatchStatus } from '../../src/money/disbursements/batches/batch.ts';
import { disbursementTransitions } from '../../src/money/disbursements/disbursement.ts';
import { inspectLedger } from '../../src/money/ledger/check.ts';
import { paymentTransitions } from '../../src/money/payments/payment.ts';
import { sessionTransitions } from '../../src/money/payments/session-slot.ts';
import { refundTransitions } from '../../src/money/refunds/refund.ts';
import { settlementTransitions } from '../../src/money/settlements/settlement.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { formatId, parseId } from '../../src/platform/values/ids.ts';
import type { Transitions } from '../../src/platform/values/transitions.ts';
import {
  disbursedTwice,
  disbursementStillDue,
  disbursementsAtRest,
  wrongDisbursements,
} from './check-disbursements.ts';
import type { TortureReceiver } from './receiver.ts';
import type { Kind, OutsideRecord } from './record.ts';

export interface Evidence {
  record: OutsideRecord;
  receiver: TortureReceiver;
  database: Database;
  payoutsFolder: string;
}

const tables: Record<Kind, { table: string; prefix: 'pi' | 're' | 'cs' | 'se' | 'di' | 'dib' }> = {
  payment: { table: 'payments', prefix: 'pi' },
  refund: { table: 'refunds', prefix: 're' },
  session: { table: 'checkout_sessions', prefix: 'cs' },
  settlement: { table: 'settlements', prefix: 'se' },
  disbursement: { table: 'disbursements', prefix: 'di' },
  batch: { table: 'disbursement_batches', prefix: 'dib' },
};
const kinds = Object.keys(tables) as Kind[];

/** The promises that hold at any instant; returns the broken ones in words. */
export async function brokenNow(evidence: Evidence): Promise<string[]> {
  const { record, database } = evidence;
  const { problems } = await inspectLedger(database);
  return [
    ...record.broken,
    ...(await lostAcknowledgements(evidence)),
    ...(await sql(database, debitedTwice, disbursedTwice)),
    ...problems.map(({ message }) => `the ledger: ${message}`),
  ];
}

/** The promises that hold once nothing is in flight. */
export async function brokenAtRest(evidence: Evidence): Promise<string[]> {
  const { database, receiver } = evidence;
  return [
    ...(await brokenNow(evidence)),
    ...(await keptRefusals(evidence)),
    ...(await sql(database, ...atRest, ...disbursementsAtRest)),
    ...(await wrongDisbursements(database, evidence.record)),
    ...(await untoldEvents(database, receiver)),
    ...(await wrongPayouts(evidence)),
  ];
}

/** All due rows; none may stay due forever. */
export function unfinished(database: Database): Promise<string[]> {
  return sql(database, stillDue, disbursementStillDue);
}

async function sql(database: Database, ...texts: string[]): Promise<string[]> {
  const words: string[] = [];
  for (const text of texts) {
    const rows = await database.query<{ words: string }>({ text });
    words.push(...rows.map((row) => named(row.words)));
  }
  return words;
}

/** Ids as the API shows them: `payment 019…` becomes `pi_…`. */
function named(words: string): string {
  return words.replace(
    /(pi|re|cs|se|dib|di|evt)\|([0-9a-f-]{36})/g,
    (_, prefix: 'pi', id: string) => formatId(prefix, id),
  );
}

async function lostAcknowledgements({ record, database }: Evidence): Promise<string[]> {
  const broken: string[] = [];
  for (const kind of kinds) {
    const { table, prefix } = tables[kind];
    // The record before the database is read: later answers may report later states.
    const told = [...record.seen].flatMap(([id, { kind: itsKind, statuses }]) =>
      itsKind === kind ? [{ id, statuses: [...statuses] }] : [],
    );
    const rows = await database.query<{ id: string; status: string }>(
      { text: `SELECT id, status FROM ${table} WHERE id = ANY ($1::uuid[])` },
      [told.map(({ id }) => parseId(prefix, id))],
    );
    const now = new Map(rows.map(({ id, status }) => [formatId(prefix, id), status]));
    for (const { id, statuses } of told) {
      const status = now.get(id);
      if (status === undefined) broken.push(`${id} was acknowledged, and is lost`);
      for (const seen of statuses) {
        if (status !== undefined && !isReachable(kind, seen, status)) {
          broken.push(`${id} was reported as ${seen}, and is ${status}`);
        }
      }
    }
  }
  return broken;
}

const batchTransitions: Transitions<BatchStatus> = {
  CREATED: ['PROCESSING'],
  PROCESSING: ['COMPLETED'],
  COMPLETED: [],
};

const transitionsOf: Record<Kind, Transitions<string>> = {
  payment: paymentTransitions,
  refund: refundTransitions,
  session: sessionTransitions,
  settlement: settlementTransitions,
  disbursement: disbursementTransitions,
  batch: batchTransitions,
};

/** By any number of allowed transitions. */
function isReachable(kind: Kind, from: string, to: string, passed: string[] = []): boolean {
  if (from === to) return true;
  const next = transitionsOf[kind][from]!.filter((status) => !passed.includes(status));
  return next.some((status) => isReachable(kind, status, to, [...passed, from]));
}

/** A request refused at its only attempt must not exist. */
async function keptRefusals({ record, database }: Evidence): Promise<string[]> {
  const broken: string[] = [];
  for (const kind of kinds) {
    const refused = record.orders.filter(
      (order) => order.kind === kind && order.refused !== undefined && order.tries === 1,
    );
    const rows = await database.query<{ key: string }>(
      {
        text: `SELECT idempotency_key AS key FROM ${tables[kind].table} WHERE idempotency_key = ANY ($1::text[])`,
      },
      [refused.map(({ key }) => key)],
    );
    for (const { key } of rows) {
      const order = refused.find((other) => other.key === key)!;
      broken.push(`a ${kind} exists that was refused: ${order.refused}`);
    }
  }
  return broken;
}

/** Each subscribed endpoint must have accepted each event. */
async function untoldEvents(database: Database, receiver: TortureReceiver): Promise<string[]> {
  const rows = await database.query<{ id: string; type: string; object: string; url: string }>({
    text: dueToEndpoints,
  });
  return rows.flatMap(({ id, type, object, url }) => {
    const name = new URL(url).pathname.slice(1);
    const eventId = formatId('evt', id);
    if (receiver.inboxes.get(name)!.taken.has(eventId)) return [];
    return [`${eventId} (${type} of ${object}) never reached the endpoint ${name}`];
  });
}

/** The flapping endpoint gets the events while it was enabled, which only its deliveries record. */
const dueToEndpoints = `
  SELECT e.id, e.type, e.object_id::text AS object, w.url
  FROM events e JOIN webhook_endpoints w ON w.tenant_id = e.tenant_id AND e.type = ANY (w.events)
  WHERE w.url NOT LIKE '%/fickle' OR EXISTS (
    SELECT FROM deliveries d
    WHERE d.tenant_id = e.tenant_id AND d.endpoint_id = w.id AND d.event_id = e.id)
  ORDER BY e.id`;

/** The bank must find one file for each settlement, with its net amount. */
async function wrongPayouts({ database, payoutsFolder }: Evidence): Promise<string[]> {
  const files = (await readdir(payoutsFolder).catch(() => [])).filter(
    (name) => !/\.(new|failed)$/.test(name),
  );
  const settlements = await database.query<{ id: string; ref: string | null; net: string }>({
    text: `SELECT id, payout_ref AS ref, net_minor::text AS net FROM settlements`,
  });
  const broken: string[] = [];
  const left = new Set(files);
  for (const { id, ref, net } of settlements) {
    const name = formatId('se', id);
    if (ref === null || !left.delete(ref)) {
      broken.push(`settlement ${name} is not at the bank`);
      continue;
    }
    const row = (await readFile(join(payoutsFolder, ref), 'utf8')).split('\n')[1] ?? '';
    const paidMinor = row
      .split(',')[3]
      ?.replace('.', '')
      .replace(/^0+(?=\d)/, '');
    if (paidMinor !== net)
      broken.push(`settlement ${name} is of ${net}, and the bank pays ${paidMinor}`);
  }
  for (const name of left) broken.push(`the bank pays ${name}, which is no settlement`);
  return broken;
}

/** Every order has a unique amount, so two debits of one amount belong to one order. */
const debitedTwice = `
  SELECT 'an order of ' || d.amount_minor || ' was debited ' || count(*) || ' times, under '
    || string_agg('pi|' || d.reference, ', ') AS words
  FROM simulator_transactions d
  WHERE d.kind = 'DEBIT' AND d.status = 'SUCCEEDED' AND (d.tenant_id, d.operator_tx_id) NOT IN (
    SELECT tenant_id, reversed_tx_id FROM simulator_transactions WHERE kind = 'REVERSAL')
    AND NOT EXISTS (
      SELECT FROM payments p WHERE p.tenant_id = d.tenant_id AND p.id = d.reference
        AND p.status IN ('CANCELLED', 'EXPIRED', 'FAILED'))
  GROUP BY d.amount_minor HAVING count(*) > 1`;

const stillDue = `
  SELECT 'payment pi|' || id || ' is ' || status || ', due ' || coalesce(due_at::text, 'never') AS words
  FROM payments WHERE due_at IS NOT NULL OR status IN ('CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING')
  UNION ALL SELECT 'refund re|' || id || ' is ' || status || ', due ' || coalesce(due_at::text, 'never')
  FROM refunds WHERE status NOT IN ('SUCCEEDED', 'FAILED') OR due_at IS NOT NULL
  UNION ALL SELECT 'reversal ' || id || ' is ' || status || coalesce(' (' || failure_code || ')', '')
    || ', created ' || created_at || ', sent ' || coalesce(sent_at::text, 'never')
    || ', due ' || coalesce(due_at::text, 'never')
  FROM reversals WHERE status <> 'SUCCEEDED' OR due_at IS NOT NULL
  UNION ALL SELECT 'settlement se|' || id || ' is ' || status || ', due ' || coalesce(due_at::text, 'never')
  FROM settlements WHERE status <> 'COMPLETED' OR due_at IS NOT NULL
  UNION ALL SELECT 'the delivery of evt|' || event_id || ' is ' || status || ' after ' || attempt_count
    || ' attempts (' || coalesce(last_error, 'no error') || '), due ' || coalesce(due_at::text, 'never')
  FROM deliveries WHERE status <> 'SUCCEEDED'
  UNION ALL SELECT 'checkout session cs|' || id || ' is ' || status || ', due ' || coalesce(due_at::text, 'never')
  FROM checkout_sessions WHERE attempt_in_flight OR (due_at IS NOT NULL AND due_at <= now())
    OR (status <> 'OPEN' AND due_at IS NOT NULL)
  UNION ALL SELECT 'the simulated debit of pi|' || reference || ' is ' || status
  FROM simulator_transactions WHERE due_at IS NOT NULL
  UNION ALL SELECT 'of the totals, ' || count(*) || ' deltas are not folded'
  FROM payment_total_deltas HAVING count(*) > 0`;

/** The event that reports each status. */
const withoutEvent = `
  SELECT 'payment pi|' || p.id || ' is ' || p.status || ', and ' || type || ' was never written' AS words
  FROM payments p CROSS JOIN LATERAL (
    SELECT 'payment.created' AS type
    UNION ALL SELECT 'payment.' || lower(p.status) WHERE p.status IN ('FAILED', 'EXPIRED', 'CANCELLED')
    UNION ALL SELECT 'payment.debited'
      WHERE p.status IN ('DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED')
    UNION ALL SELECT 'payment.settled' WHERE p.status = 'SETTLED'
  ) AS due
  WHERE NOT EXISTS (
    SELECT FROM events e WHERE e.tenant_id = p.tenant_id AND e.object_id = p.id AND e.type = due.type)
  UNION ALL
  SELECT 'refund re|' || r.id || ' is ' || r.status || ', and ' || type || ' was never written'
  FROM refunds r CROSS JOIN LATERAL (
    SELECT 'refund.created' AS type UNION ALL SELECT 'refund.' || lower(r.status)) AS due
  WHERE NOT EXISTS (
    SELECT FROM events e WHERE e.tenant_id = r.tenant_id AND e.object_id = r.id AND e.type = due.type)
  UNION ALL
  SELECT 'checkout session cs|' || s.id || ' is ' || s.status || ', and that was never told'
  FROM checkout_sessions s
  WHERE s.status <> 'OPEN' AND NOT EXISTS (
    SELECT FROM events e WHERE e.tenant_id = s.tenant_id AND e.object_id = s.id
      AND e.type = 'checkout.' || lower(s.status))
  UNION ALL
  SELECT 'settlement se|' || s.id || ' was never told of' FROM settlements s
  WHERE NOT EXISTS (
    SELECT FROM events e WHERE e.tenant_id = s.tenant_id AND e.object_id = s.id
      AND e.type = 'settlement.completed')`;

const settledAndUntold = `
  SELECT 'payment pi|' || p.id || ' is in a completed settlement, and is still DEBITED' AS words
  FROM payments p
  JOIN postings o ON o.tenant_id = p.tenant_id AND o.source_id = p.id AND o.kind = 'debit_net'
  JOIN settlement_periods sp ON sp.tenant_id = o.tenant_id AND sp.currency = o.currency
    AND sp.period = o.period
  JOIN settlements s ON s.tenant_id = sp.tenant_id AND s.id = sp.settlement_id
  WHERE s.status = 'COMPLETED' AND p.status = 'DEBITED'`;

/** A debit is a success of its payment, or has been returned to the customer. */
const debitedForNothing = `
  SELECT 'payment pi|' || d.reference || ' is ' || coalesce(p.status, 'unknown')
    || ', and its customer was debited' AS words
  FROM simulator_transactions d
  LEFT JOIN payments p ON p.tenant_id = d.tenant_id AND p.id = d.reference
  WHERE d.kind = 'DEBIT' AND d.status = 'SUCCEEDED'
    AND coalesce(p.status, '') NOT IN ('DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED')
    AND NOT EXISTS (
      SELECT FROM simulator_transactions r
      WHERE r.tenant_id = d.tenant_id AND r.reversed_tx_id = d.operator_tx_id
        AND r.kind = 'REVERSAL' AND r.status = 'SUCCEEDED')`;

const completedWithoutDebit = `
  SELECT 'checkout session cs|' || s.id || ' is ' || s.status || ', and '
    || count(p.id) || ' attempts were debited' AS words
  FROM checkout_sessions s
  LEFT JOIN payments p ON p.tenant_id = s.tenant_id AND p.checkout_session_id = s.id
    AND p.status IN ('DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED')
  GROUP BY s.tenant_id, s.id, s.status
  HAVING count(p.id) <> CASE s.status WHEN 'COMPLETED' THEN 1 ELSE 0 END`;

const atRest = [withoutEvent, settledAndUntold, debitedForNothing, completedWithoutDebit];
