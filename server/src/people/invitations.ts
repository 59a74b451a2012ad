import { type Administration, writeAuditRecord } from '../audit/record.ts';
import { type DomainError, invalidState, notFound } from '../errors.ts';
import { derivedUuid, formatId } from '../ids.ts';
import type { Database } from '../postgres/database.ts';
import { findPersonByEmail } from './account-store.ts';
import {
  findOpenInvitation,
  findOpenInvitations,
  insertInvitation,
  type OpenInvitation,
  revokeEarlier,
  revokeOne,
  type StoredInvitation,
} from './invitation-store.ts';
import type { Role } from './permissions.ts';
import { parseEmail } from './person.ts';
import { hashToken, newToken } from './sessions.ts';

export type { OpenInvitation, StoredInvitation } from './invitation-store.ts';

type Dependencies = Administration & { database: Database };

const lifeMs = 7 * 24 * 3_600_000;

/** A link, shown in this answer only: what is stored is a hash of its token. */
export interface MadeInvitation {
  id: string;
  token: string;
  email: string;
  expiresAtMs: number;
}

/** Where an invitation leads. */
export const invitationUrl = (consoleUrl: string, token: string) =>
  `${consoleUrl}/console/invitation/${token}`;

/**
 * Makes a link with which whoever has this e-mail becomes a member; one of before is revoked.
 * @throws VALIDATION_ERROR for what is no e-mail
 * @throws INVALID_STATE where they are a member already
 */
export function invite(
  dependencies: Dependencies,
  order: { merchantId: string; role: Role; email: string },
): Promise<MadeInvitation> {
  const { merchantId, role } = order;
  const email = parseEmail(order.email);
  return dependencies.database.transaction(async (transaction) => {
    const text = `
SELECT EXISTS (
  SELECT FROM memberships m JOIN people p ON p.id = m.person_id
  WHERE m.merchant_id = t.id AND lower(p.email) = $2
) AS "isMember" FROM merchants t WHERE t.id = $1`;
    const values = [merchantId, email];
    const [merchant] = await transaction.query<{ isMember: boolean }>({ text }, values);
    if (!merchant) throw notFound('merchant');
    if (merchant.isMember) throw invalidState('They are a member already: change their role.');
    const made = await make(transaction, dependencies, {
      kind: 'INVITATION',
      merchantId,
      role,
      email,
    });
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'person.invited',
      subject: formatId('iv', made.id),
      after: { role },
      detail: { merchant: formatId('me', merchantId) },
    });
    return made;
  });
}

/**
 * Makes a link with which a person who has lost everything sets up a password or passkey anew. What they had works
 * until the link is used. For whoever runs the gateway.
 * @throws NOT_FOUND nobody has this e-mail
 */
export function makeReset(dependencies: Dependencies, given: string): Promise<MadeInvitation> {
  const email = parseEmail(given);
  return dependencies.database.transaction(async (transaction) => {
    const person = await findPersonByEmail(transaction, email);
    if (!person) throw notFound('person');
    const order = { kind: 'RESET', merchantId: null, role: null, email } as const;
    const made = await make(transaction, dependencies, order);
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'person.reset',
      subject: formatId('pe', person.id),
      detail: { invitation: formatId('iv', made.id) },
    });
    return made;
  });
}

async function make(
  transaction: Parameters<Parameters<Database['transaction']>[0]>[0],
  { clock, ids, actor = 'gateway' }: Dependencies,
  order: Pick<StoredInvitation, 'kind' | 'merchantId' | 'role' | 'email'>,
): Promise<MadeInvitation> {
  const nowMs = clock.nowMs();
  await revokeEarlier(transaction, order, nowMs);
  const token = newToken();
  const made = { id: ids.next(nowMs), createdAtMs: nowMs, expiresAtMs: nowMs + lifeMs };
  const tokenHash = hashToken(token);
  await insertInvitation(transaction, { ...order, ...made, tokenHash, invitedBy: actor });
  return { id: made.id, token, email: order.email, expiresAtMs: made.expiresAtMs };
}

/** What a link leads to; undefined where it lets nobody in (any more). */
export async function findInvitation(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  token: string,
): Promise<OpenInvitation | undefined> {
  const found = await findOpenInvitation(database, hashToken(token), clock.nowMs());
  return found?.kind === 'FIRST' ? undefined : found;
}

/** Those of a merchant that still let somebody in, oldest first. */
export function listInvitations(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  merchantId: string,
): Promise<StoredInvitation[]> {
  return findOpenInvitations(database, merchantId, clock.nowMs());
}

/** @throws NOT_FOUND it is not this merchant's, or lets nobody in any more */
export function revokeInvitation(
  dependencies: Dependencies,
  invitation: { merchantId: string; id: string },
): Promise<void> {
  return dependencies.database.transaction(async (transaction) => {
    if (!(await revokeOne(transaction, invitation, dependencies.clock.nowMs()))) {
      throw notFound('invitation');
    }
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'person.invitation_revoked',
      subject: formatId('iv', invitation.id),
      detail: { merchant: formatId('me', invitation.merchantId) },
    });
  });
}

/**
 * The id that somebody will have who accepts this invitation: a passkey is made for it before there is the person.
 */
export const personIdFor = (invitationId: string) => derivedUuid(invitationId, 'person');

/** The link lets nobody in any more. */
export const linkIsOver = (): DomainError =>
  invalidState('The link has been used, or has expired: ask for a new one.');
