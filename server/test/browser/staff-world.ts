import type { Member, TestConsole } from '../support/console.ts';
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
  return { admin, auditor };
}

/** Fees of its own, and a largest payment. */
async function agreeTerms({ gateway, merchantId }: TestConsole): Promise<void> {
  const fees = { ALL: { basisPoints: 150, fixedMinor: '500' } };
  const text = 'UPDATE merchants SET fees = $2, max_payment_minor = 5000000 WHERE id = $1';
  await gateway.database.query({ text }, [merchantId, JSON.stringify(fees)]);
}
