import { randomUUID } from 'node:crypto';
import { takeBankStatement } from '../../src/backoffice/bank-statements/upload.ts';
import { writeNotices } from '../../src/platform/notices/write.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, parseId, randomIds } from '../../src/platform/values/ids.ts';
import { adminKey as issueKey } from '../support/admin.ts';
import type { Member, TestConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { seedOperatorHistory } from '../support/operator-history.ts';
import { addStatements, type StatementWorld } from './staff-reconciliations.ts';
import type { Texts } from './world-texts.ts';

/** The gateway's staff, and the objects of their pages other than merchants'. */
export interface StaffWorld extends StatementWorld {
  admin: Member;
  auditor: Member;
  /** A key of `/admin/v1`: `ak_…`. */
  adminKey: string;
  /** An open case, ri_…, and a held debit, by its UUID. */
  review: string;
  heldDebit: string;
  /** A bank's statement, bs_… */
  bankStatement: string;
}

interface Things {
  tenantId: string;
  payment: { id: string };
  /** A payout, se_… */
  settlement: string;
}

/** Two operators that no payment calls, for the pages of operators. */
export const staffEnvironment = Object.fromEntries(
  ['CVMOVEL', 'UNITEL_TMAIS'].flatMap((operator) =>
    Object.entries({
      URL: 'http://127.0.0.1:9/v1.2/mm',
      SECRET: 'secret',
      ACCOUNT: 'organisationid@1234',
      MODE: 'polling',
    }).map(([name, value]) => [`OPERATOR_${operator}_${name}`, value]),
  ),
);

/** @param texts the texts of strangers and colleagues */
export async function openStaffWorld(
  site: TestConsole,
  texts: Texts,
  things: Things,
): Promise<StaffWorld> {
  const [admin, auditor] = [await site.signInStaff('ADMIN'), await site.signInStaff('AUDITOR')];
  const { database } = site.gateway;
  const text = 'UPDATE people SET name = $1 WHERE id = ANY ($2::uuid[])';
  await database.query({ text }, [texts.person, [admin.personId, auditor.personId]]);
  await agreeTerms(site);
  await addAccounts(site, texts, admin.personId);
  await writeSomeNotices(site);
  await operatorsOfAllStates(site);
  const { id } = await issueKey(site.gateway);
  // A value that no form accepts.
  const label = 'UPDATE admin_keys SET label = $2 WHERE id = $1';
  await database.query({ text: label }, [id, texts.label]);
  await admin.send('audit/verification', { action: 'verify' });
  const statements = await addStatements(database, admin.personId, texts);
  const decisions = await addDecisions(site, texts, things, auditor);
  const bankStatement = await addBankStatement(site, texts, things);
  const adminKey = formatId('ak', id);
  return { admin, auditor, adminKey, bankStatement, ...statements, ...decisions };
}

/** A bank's statement with a line about a payout, and one that looks like ours. Returns its id, bs_… */
async function addBankStatement(
  { gateway: { database } }: TestConsole,
  texts: Texts,
  { settlement }: Things,
): Promise<string> {
  const today = new Date().toISOString().slice(0, 10);
  const lines = [settlement, formatId('se', randomUUID())].map(
    (id, index) => `${today};-1${index}0,00;${id.replace('_', '-')};TX${index}`,
  );
  const bytes = Buffer.from(['data;valor;descricao;referencia', ...lines].join('\r\n'));
  const author = { actor: 'cli:maria', origin: 'praia-1', clock: systemClock, ids: randomIds() };
  const file = { name: texts.label, bytes, columns: {}, currency: 'CVE' };
  const { statement } = await takeBankStatement({ database, ...author }, file);
  return formatId('bs', statement.id);
}

/** The notices of the owner and the staff; people who work here get them within seconds. */
async function writeSomeNotices({ gateway, merchantId }: TestConsole): Promise<void> {
  const { database } = gateway;
  const text = 'SELECT id, mode FROM tenants WHERE merchant_id = $1';
  const tenants = await database.query<{ id: string; mode: string }>({ text }, [merchantId]);
  const [live, test] = ['live', 'test'].map(
    (each) => tenants.find(({ mode }) => mode === each)!.id,
  );
  const atMs = Date.now();
  const subject = randomUUID();
  const review = { review: 'CLASH', operator: 'CVMOVEL' };
  const lowFloat = { currency: 'CVE', balance: '120000', threshold: '500000', reserved: '80000' };
  await writeNotices(database, [
    { kind: 'OPERATOR_DOWN', tenantId: null, subject: 'CVMOVEL', detail: {}, atMs },
    { kind: 'FLOAT_LOW', tenantId: null, subject: 'CVMOVEL', detail: lowFloat, atMs },
    { kind: 'REVIEW_WAITING', tenantId: live!, subject, detail: review, atMs },
    { kind: 'SETTLEMENT_FAILED', tenantId: live!, subject, detail: {}, atMs },
    { kind: 'SETTLEMENT_FAILED', tenantId: test!, subject, detail: {}, atMs },
    { kind: 'ENDPOINT_DISABLED', tenantId: test!, subject, detail: { reason: 'GONE' }, atMs },
  ]);
  const untold = 'SELECT FROM notices WHERE told_at IS NULL';
  await eventually('the notices are told', async () => {
    return (await database.query({ text: untold })).length === 0;
  });
}

/** Its own fees, and a largest payment. */
async function agreeTerms({ gateway, merchantId }: TestConsole): Promise<void> {
  const fees = { ALL: { basisPoints: 150, fixedMinor: '500' } };
  const text = 'UPDATE merchants SET fees = $2, max_payment_minor = 5000000 WHERE id = $1';
  await gateway.database.query({ text }, [merchantId, JSON.stringify(fees)]);
}

/** One is slow, one is down, and the simulator is up. */
async function operatorsOfAllStates({ gateway: { database } }: TestConsole): Promise<void> {
  await seedOperatorHistory(database, { operator: 'CVMOVEL', days: 7, tookMs: 6_000 });
  await seedOperatorHistory(database, { operator: 'UNITEL_TMAIS', days: 7, unanswered: 60 });
  await seedOperatorHistory(database, { operator: 'SIMULATOR', days: 7 });
}

/** The merchant's current and former bank accounts, and a requested one. */
async function addAccounts(
  { gateway: { database }, merchantId }: TestConsole,
  { person: holder }: Texts,
  askedBy: string,
): Promise<void> {
  const text = `
INSERT INTO bank_accounts (merchant_id, id, currency, account_number, holder, bic, valid_from, valid_until)
SELECT $1, gen_random_uuid(), currency, number, $2, 'BCATCVCV', now() - interval '2 days', until
FROM (VALUES ('CVE', 'CV64000500000020108215144', now() - interval '1 day'),
  ('CVE', 'PT50000201231234567890154', NULL), ('AOA', 'AO06004400006729503010102', NULL)) AS made (currency, number, until)`;
  await database.query({ text }, [merchantId, holder]);
  const request = { currency: 'CVE', accountNumber: '000500000020108215144', holder, bic: null };
  const asking = `
INSERT INTO approvals (tenant_id, id, kind, status, subject_id, subject_state, request, asked_by, asked_at, expires_at)
SELECT id, gen_random_uuid(), 'BANK_ACCOUNT', 'PENDING', $1, 'account none', $2, $3, now(), now() + interval '3 days'
FROM tenants WHERE merchant_id = $1 AND mode = 'live'`;
  await database.query({ text: asking }, [merchantId, JSON.stringify(request), askedBy]);
}

/** Open cases, and requests for approval. */
async function addDecisions(
  { gateway: { database } }: TestConsole,
  { reason, operatorError }: Texts,
  { tenantId, payment, settlement }: Things,
  asker: Member,
) {
  const paymentId = parseId('pi', payment.id)!;
  const [review, heldDebit] = [randomUUID(), randomUUID()];
  const item = `
INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
VALUES ($1, $2, 'CONTRADICTION', 'PAYMENT', $3, 'MOCK', $4, now() - interval '3 hours')`;
  const detail = {
    booked: { status: 'DEBITED', operatorTxId: 'TX-1001', amountMinor: '250000', byHand: true },
    told: { failureCode: operatorError },
  };
  await database.query({ text: item }, [tenantId, review, paymentId, JSON.stringify(detail)]);
  const reversal = `
INSERT INTO reversals (tenant_id, id, payment_id, reason, status, amount_minor, currency, operator, operator_tx_id,
  failure_code, ask_count, created_at, updated_at)
SELECT $1, CASE status WHEN 'HELD' THEN $2::uuid ELSE gen_random_uuid() END, $3, 'UNKNOWN_REFERENCE', status, 7700, 'CVE',
  'MOCK', $4 || status, CASE status WHEN 'FAILED' THEN 'OPERATOR_REJECTED' END, 0, now() - interval '2 days', now()
FROM unnest(ARRAY['HELD', 'FAILED']) AS status`;
  const transaction = operatorError.slice(0, 60);
  await database.query({ text: reversal }, [tenantId, heldDebit, paymentId, transaction]);
  const about = formatId('ri', review);
  const requests = [
    ['REVIEW_CLOSE', 'PENDING', review, { about, reason }],
    [
      'REVIEW_RESOLVE',
      'REJECTED',
      review,
      { about, finding: { kind: 'NOT_DEBITED' }, note: reason },
    ],
    [
      'SETTLEMENT_FAIL',
      'PENDING',
      parseId('se', settlement),
      { netMinor: '147000', currency: 'CVE', payoutRef: `${settlement}.csv` },
    ],
  ] as const;
  const approval = `
INSERT INTO approvals (tenant_id, id, kind, status, subject_id, subject_state, request, asked_by, asked_at, expires_at,
  ended_at)
VALUES ($1, gen_random_uuid(), $2, $3, $4, '', $5, $6, now(), now() + interval '72 hours',
  CASE $3::text WHEN 'REJECTED' THEN now() END)`;
  for (const [kind, status, subject, request] of requests) {
    const values = [tenantId, kind, status, subject, JSON.stringify(request), asker.personId];
    await database.query({ text: approval }, values);
  }
  return { review: about, heldDebit };
}
