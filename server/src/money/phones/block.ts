import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { maskPhone } from '../../platform/values/phone.ts';
import { deleteBlockedPhone, insertBlockedPhone } from './store.ts';

interface BlockDependencies extends Administration {
  database: Database;
}

/** A phone in readable form, and its digest. */
export interface NamedPhone {
  phone: string;
  phoneDigest: Buffer;
}

/** Stops all payments from prompting this phone. False if it is blocked already. */
export function blockPhone(
  dependencies: BlockDependencies,
  { phone, phoneDigest }: NamedPhone,
  reason: string | null,
): Promise<boolean> {
  const { database, clock, actor = 'gateway' } = dependencies;
  return database.transaction(async (transaction) => {
    const maskedPhone = maskPhone(phone);
    const blockedAtMs = clock.nowMs();
    const row = { phoneDigest, maskedPhone, reason, blockedAtMs, blockedBy: actor };
    if (!(await insertBlockedPhone(transaction, row))) return false;
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'phone.blocked',
      subject: subjectOf(phoneDigest),
      detail: { phone: maskedPhone, reason },
    });
    return true;
  });
}

/** Allows prompts of the phone again. False if it was not blocked. */
export function allowPhone(
  dependencies: BlockDependencies,
  { phone, phoneDigest }: NamedPhone,
): Promise<boolean> {
  return dependencies.database.transaction(async (transaction) => {
    if (!(await deleteBlockedPhone(transaction, phoneDigest))) return false;
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'phone.allowed',
      subject: subjectOf(phoneDigest),
      detail: { phone: maskPhone(phone) },
    });
    return true;
  });
}

const subjectOf = (phoneDigest: Buffer) => `phone ${phoneDigest.toString('hex').slice(0, 16)}`;
