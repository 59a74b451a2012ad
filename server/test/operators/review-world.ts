import type { TestContext } from 'node:test';
import type { Command } from 'commander';
import { addOperatorCommands } from '../../src/cli/operators.ts';
import { addReviewCommands } from '../../src/cli/review.ts';
import { reviewItemOf } from '../../src/review/review-item.ts';
import { insertReviewItem } from '../../src/review/store.ts';
import { runCommand } from '../support/command-line.ts';
import { urlOf } from '../support/database.ts';
import { type Harness, openHarness } from './harness.ts';

/** What `zimbo review --json` tells of each, as far as tests look at it. */
export interface Row {
  id: string;
  kind: string;
  since: string;
  subject: { id: string; kind: string };
  ledger: string;
  operatorSays: string;
}

/** The operator of the ledger, as commands must know it. */
export const settings = {
  OPERATOR_CVMOVEL_URL: 'http://127.0.0.1:1',
  OPERATOR_CVMOVEL_ACCOUNT: 'walletid@loja',
  OPERATOR_CVMOVEL_SECRET: 'secret',
};

const addCommands = (program: Command) => {
  addReviewCommands(program);
  addOperatorCommands(program);
};

/** A ledger in which something waits for a person, and the command line on it. */
export async function reviewWorld(context: TestContext) {
  const harness = await openHarness(context);
  // Commands have the clock of the machine.
  harness.nowMs = Date.now();
  const [row] = await harness.database.query<{ name: string }>({
    text: 'SELECT current_database() AS name',
  });
  const url = urlOf(process.env.ZIMBO_TEST_DATABASE!, row!.name);
  const environment = { DATABASE_URL: url, ...settings };
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
  /** Who closed what is listed no more, and why. */
  const closed = async () => {
    const text = `SELECT kind, regexp_replace(closed_by, ':.*', '') AS by, reason FROM review_items
      WHERE closed_at IS NOT NULL ORDER BY created_at, kind`;
    return harness.database.query<{ kind: string; by: string; reason: string }>({ text });
  };
  return { harness, url, environment, zimbo, list, audit, closed };
}

export type ReviewWorld = Awaited<ReturnType<typeof reviewWorld>>;

/** A debit of which our records know nothing, as it is found after a restore. */
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
