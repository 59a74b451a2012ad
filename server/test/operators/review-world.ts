import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { Command } from 'commander';
import { addOperatorCommands } from '../../src/cli/operators.ts';
import { addReviewCommands } from '../../src/cli/review.ts';
import { reviewItemOf } from '../../src/money/review/review-item.ts';
import { insertReviewItem } from '../../src/money/review/store.ts';
import { runCommand } from '../support/command-line.ts';
import { testDatabase } from '../support/database.ts';
import { terminalCode } from '../support/zimbo.ts';
import { type Harness, openHarness } from './harness.ts';
import { openOperatorRecords } from './operator-records.ts';
import { notFound, refused, success, unreachable } from './scripted.ts';

/** The fields of `zimbo review --json` that tests use. */
export interface Row {
  id: string;
  kind: string;
  since: string;
  subject: { id: string; kind: string };
  ledger: string;
  operatorSays: string;
}

/** The operator of the ledger, for processes that do not call it. */
export const settings = {
  OPERATOR_CVMOVEL_URL: 'http://127.0.0.1:1',
  OPERATOR_CVMOVEL_ACCOUNT: 'walletid@loja',
  OPERATOR_CVMOVEL_SECRET: 'secret',
};

const addCommands = (program: Command) => {
  addReviewCommands(program);
  addOperatorCommands(program);
};

/** A ledger with cases for a person, and the command line on it. */
export async function reviewWorld(context: TestContext) {
  const { url, database } = await testDatabase(context);
  const harness = await openHarness(context, { database });
  // Commands have the clock of the machine.
  harness.nowMs = Date.now();
  const operator = await openOperatorRecords(context);
  const environment = { DATABASE_URL: url, ...settings, OPERATOR_CVMOVEL_URL: operator.url };
  const zimbo = async (...args: string[]) => {
    const said = await runCommand(addCommands, args, environment);
    return { ...said, all: `${said.code} ${said.stdout}${said.stderr}` };
  };
  const list = async (...args: string[]): Promise<Row[]> =>
    JSON.parse((await zimbo('review', '--json', ...args)).stdout);
  const audit = async () => {
    const text = 'SELECT action, subject, detail FROM audit_records ORDER BY at, id';
    return harness.database.query<{ action: string; subject: string; detail: object }>({ text });
  };
  /** Who closed items, and why. */
  const closed = async () => {
    const text = `SELECT kind, regexp_replace(closed_by, ':.*', '') AS by, reason FROM review_items
      WHERE closed_at IS NOT NULL ORDER BY created_at, kind`;
    return harness.database.query<{ kind: string; by: string; reason: string }>({ text });
  };
  return { harness, url, environment, operator, zimbo, list, audit, closed };
}

export type ReviewWorld = Awaited<ReturnType<typeof reviewWorld>>;

/** A debit that our records lack, as found after a restore. */
export async function heldDebit(harness: Harness, reference: string, operatorTxId: string) {
  const { tenantId, nowMs } = harness;
  const subject = { tenantId, id: reference, operator: 'CVMOVEL' } as const;
  const amountMinor = 7_700n;
  const debit = { reason: 'UNKNOWN_REFERENCE', operatorTxId, amountMinor } as const;
  await harness.useCases.reverse({ ...subject, currency: 'CVE' }, debit, 'walletid@loja');
  const told = { operatorTxId, amountMinor: amountMinor.toString(), currency: 'CVE' };
  const finding = {
    kind: 'UNKNOWN_REFERENCE',
    about: operatorTxId,
    detail: { booked: 'nothing', told },
  } as const;
  await insertReviewItem(harness.database, reviewItemOf('PAYMENT', subject, finding, nowMs));
  const [held] = (await harness.reversals()).filter((each) => each.operatorTxId === operatorTxId);
  return held!;
}

const daysMs = (days: number) => days * 86_400_000;

/** One case of each kind. */
export async function oneOfEach({ harness }: Pick<ReviewWorld, 'harness'>) {
  const { operator, useCases } = harness;
  // A minute more, so that the ages in days are the same however fast the test is.
  harness.nowMs -= daysMs(5) + 60_000;
  const debited = await harness.debited('TX-1001');
  const unclear = await harness.sent({ amountMinor: 250_000n });
  await harness.cancel(unclear);
  operator.onQueryDebit = () => unreachable;
  await harness.workFor(daysMs(3));
  operator.onQueryDebit = () => notFound;
  harness.wait(1_000);
  const unanswered = await harness.sent();
  await harness.cancel(unanswered);
  harness.wait(1_000);
  const clashing = await harness.sent();
  harness.wait(1_000);
  const tell = (payment: { id: string }, answer = success('TX-1001', 10_000n)) =>
    useCases.processor.notify({ tenantId: harness.tenantId, reference: payment.id, answer });
  await tell(clashing);
  harness.wait(1_000);
  await tell(debited, success('TX-1001', 2_000n));
  harness.wait(1_000);
  await late(harness);
  operator.onReverse = () => refused;
  const [refusal] = await harness.reversals();
  await useCases.reversalProcessor.process({ ...refusal!, dueAtMs: harness.nowMs }, 'DATABASE');
  harness.wait(1_000);
  const held = await heldDebit(harness, randomUUID(), 'TX-5005');
  harness.wait(1_000);
  const refund = await harness.refund(debited, 4_000n);
  await contradictRefund(harness, refund.id);
  return { debited, unclear, unanswered, clashing, refusal: refusal!, held, refund };
}

/** A debit that comes after the operator had said that there will be none. */
async function late(harness: Harness): Promise<void> {
  harness.operator.onRequestDebit = () => refused;
  const { tenantId, id: reference } = await harness.sent();
  await harness.useCases.processor.notify({
    tenantId,
    reference,
    answer: success('TX-2001', 10_000n),
  });
}

async function contradictRefund(harness: Harness, id: string): Promise<void> {
  const told = {
    transactionReference: `TX-77${terminalCode}[2J`,
    transactionStatus: 'completed',
    amount: '40',
    currency: 'CVE',
  };
  const booked = { outcome: 'OPEN', transactions: [] };
  const finding = {
    kind: 'CONTRADICTION',
    about: 'callback',
    detail: { booked, told, by: 'callback' },
  } as const;
  const subject = { tenantId: harness.tenantId, id, operator: 'CVMOVEL' } as const;
  await insertReviewItem(harness.database, reviewItemOf('REFUND', subject, finding, harness.nowMs));
}
