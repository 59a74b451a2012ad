import { randomUUID } from 'node:crypto';
import { writeNotices } from '../../src/notices/write.ts';
import type { Member, TestConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import type { Texts } from './world-texts.ts';

/** The gateway's staff, and what their pages have to show besides the things of merchants. */
export interface StaffWorld {
  admin: Member;
  auditor: Member;
}

/** @param texts what strangers and colleagues wrote on it */
export async function openStaffWorld(site: TestConsole, texts: Texts): Promise<StaffWorld> {
  const [admin, auditor] = [await site.signInStaff('ADMIN'), await site.signInStaff('AUDITOR')];
  const { database } = site.gateway;
  const text = 'UPDATE people SET name = $1 WHERE id = ANY ($2::uuid[])';
  await database.query({ text }, [texts.person, [admin.personId, auditor.personId]]);
  await agreeTerms(site);
  await writeSomeNotices(site);
  return { admin, auditor };
}

/** What the bell tells of, to the owner and to the staff; whoever works here is told within seconds. */
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
  await writeNotices(database, [
    { kind: 'OPERATOR_DOWN', tenantId: null, subject: 'CVMOVEL', detail: {}, atMs },
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

/** Fees of its own, and a largest payment. */
async function agreeTerms({ gateway, merchantId }: TestConsole): Promise<void> {
  const fees = { ALL: { basisPoints: 150, fixedMinor: '500' } };
  const text = 'UPDATE merchants SET fees = $2, max_payment_minor = 5000000 WHERE id = $1';
  await gateway.database.query({ text }, [merchantId, JSON.stringify(fees)]);
}
