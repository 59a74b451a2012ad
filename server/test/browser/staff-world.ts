import { formatId } from '../../src/ids.ts';
import { adminKey as issueKey } from '../support/admin.ts';
import type { Member, TestConsole } from '../support/console.ts';
import { seedOperatorHistory } from '../support/operator-history.ts';
import { addStatements, type StatementWorld } from './staff-reconciliations.ts';
import type { Texts } from './world-texts.ts';

/** The gateway's staff, and what their pages have to show besides the things of merchants. */
export interface StaffWorld extends StatementWorld {
  admin: Member;
  auditor: Member;
  /** A key of `/admin/v1`: `ak_…`. */
  adminKey: string;
}

/** Two that nobody calls, for the pages of operators. */
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

/** @param texts what strangers and colleagues wrote on it */
export async function openStaffWorld(site: TestConsole, texts: Texts): Promise<StaffWorld> {
  const [admin, auditor] = [await site.signInStaff('ADMIN'), await site.signInStaff('AUDITOR')];
  const { database } = site.gateway;
  const text = 'UPDATE people SET name = $1 WHERE id = ANY ($2::uuid[])';
  await database.query({ text }, [texts.person, [admin.personId, auditor.personId]]);
  await agreeTerms(site);
  await addAccounts(site, texts, admin.personId);
  await operatorsOfAllStates(site);
  const { id } = await issueKey(site.gateway, { label: texts.label.slice(0, 100) });
  await admin.send('audit/verification', { action: 'verify' });
  const statements = await addStatements(database, admin.personId, texts);
  return { admin, auditor, adminKey: formatId('ak', id), ...statements };
}

/** Fees of its own, and a largest payment. */
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

/** Where the merchant is paid out to, where it was before, and where somebody wants it to be. */
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
