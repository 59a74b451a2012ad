import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { revokeAllOfAuthor, type StoredInvitation } from './invitation-store.ts';
import { setPinHash } from './pin-store.ts';
import { staffTeam, teamDetail } from './teams.ts';
import { revokeTillsOf } from './till-devices.ts';

/**
 * Revokes the open invitations and the shared phones in a person's name, and their PIN, when one of their credentials is
 * removed or renewed, because an intruder may have made them. Every removal and renewal calls this in its transaction.
 */
export async function retireCredential(
  transaction: Queryable,
  author: Administration,
  personId: string,
): Promise<void> {
  const revoked = await revokeAllOfAuthor(transaction, personId, author.clock.nowMs());
  await recordRevoked(transaction, author, revoked);
  await revokeTillsOf(transaction, author, { personId });
  if (!(await setPinHash(transaction, personId, null))) return;
  const subject = formatId('pe', personId);
  await writeAuditRecord(transaction, author, { tenantId: null, action: 'pin.removed', subject });
}

/** Records each invitation that a change revoked, under the name of the change's author. */
export async function recordRevoked(
  transaction: Queryable,
  author: Administration,
  invitations: readonly StoredInvitation[],
): Promise<void> {
  for (const invitation of invitations) {
    await writeAuditRecord(transaction, author, {
      tenantId: null,
      action: 'person.invitation_revoked',
      subject: formatId('iv', invitation.id),
      detail: detailOf(invitation),
    });
  }
}

function detailOf({ merchantId, staffRole }: StoredInvitation): Record<string, string> {
  if (merchantId !== null) return teamDetail({ merchantId });
  return staffRole === null ? {} : teamDetail(staffTeam);
}
