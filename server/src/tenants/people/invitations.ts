import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import {
  type DomainError,
  invalidState,
  limitReached,
  notFound,
} from '../../platform/errors/errors.ts';
import { lockCount } from '../../platform/postgres/advisory-lock.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { derivedUuid, formatId } from '../../platform/values/ids.ts';
import { storeMerchantNames } from '../cells/merchant-names.ts';
import { findMerchant, type Merchant } from '../merchants/store.ts';
import { findPerson, findPersonByEmail } from './account-store.ts';
import {
  countInvitations,
  findOpenInvitation,
  findOpenInvitations,
  insertInvitation,
  type OpenInvitation,
  revokeEarlier,
  revokeOne,
  type StoredInvitation,
} from './invitation-store.ts';
import { findRole } from './member-store.ts';
import { requireMerchantRole } from './merchant-roles.ts';
import { mailboxOf, parseEmail } from './person.ts';
import { recordRevoked } from './retire-credential.ts';
import { hashToken, newToken, requireOpen } from './sessions.ts';
import { merchantOf, type Post, roleIdOf, type Team, teamDetail } from './teams.ts';

export type { OpenInvitation, StoredInvitation } from './invitation-store.ts';

/** The database with the people, the home's. */
type Dependencies = Administration & {
  database: Database;
  /** The session of a member or of staff who invite. */
  session?: { id: string; personId: string };
};

/** A merchant may be in another cell than its people. */
export interface InvitingDependencies extends Dependencies {
  /** Looks the merchant up in its cell; if omitted, in the people's database. */
  findServed?: ((merchantId: string) => Promise<Merchant | undefined>) | undefined;
}

const lifeMs = 7 * 24 * 3_600_000;
/** A QR code is scanned from a screen, by somebody who is there. */
const qrLifeMs = 24 * 3_600_000;
/** The page of a team shows them all. */
const mostOpen = 100;
const dayMs = 24 * 3_600_000;
/** Each invitation may send a mail: the limits per address and per team within 24 hours. */
const mostPerDay = { toAddress: 5, ofTeam: 200 };

/** A link. Only this answer contains it; the database stores a hash of its token. */
export interface MadeLink {
  id: string;
  token: string;
  expiresAtMs: number;
}

export type MadeInvitation = MadeLink & { email: string };

/** The team of an invitation. */
export const invitationUrl = (consoleUrl: string, token: string) =>
  `${consoleUrl}/console/invitation/${token}`;

/**
 * Creates a link with which the owner of this e-mail joins a team; an earlier link is revoked.
 * @throws VALIDATION_ERROR for an invalid e-mail
 * @throws NOT_FOUND the merchant
 * @throws INVALID_STATE they are a member already
 * @throws LIMIT_REACHED the team has 100 open invitations, or created too many within 24 hours
 */
export async function invite(
  dependencies: InvitingDependencies,
  order: Post & { email: string },
): Promise<MadeInvitation> {
  const email = parseEmail(order.email);
  const merchant = await merchantToJoin(dependencies, order);
  return dependencies.database.transaction(async (transaction) => {
    // The page of the link shows its name.
    if (merchant && dependencies.findServed) await storeMerchantNames(transaction, [merchant]);
    if (await isIn(transaction, order, email)) {
      throw invalidState('They are a member already: change their role.');
    }
    await lockCount(transaction, `invitations to ${mailboxOf(email)}`);
    await lockCount(transaction, `invitations of ${merchantOf(order) ?? 'the staff'}`);
    const open = await findOpenInvitations(transaction, order, dependencies.clock.nowMs());
    if (open.filter((each) => each.email !== email).length >= mostOpen) {
      throw limitReached(`A team has at most ${mostOpen} open invitations: revoke some first.`);
    }
    await limitDay(transaction, dependencies, { ...order, email });
    const named = await requireMerchantRole(transaction, order);
    const roles =
      'merchantId' in order
        ? { role: order.role, staffRole: null, roleId: roleIdOf(order) }
        : { role: null, staffRole: order.role, roleId: null };
    const invitation = { merchantId: merchantOf(order), ...roles, email, personId: null };
    const made = await make(transaction, dependencies, { kind: 'INVITATION', ...invitation });
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'person.invited',
      subject: formatId('iv', made.id),
      after: { role: order.role, ...named },
      detail: teamDetail(order),
    });
    return { ...made, email };
  });
}

/**
 * Creates a link for a QR code, with which somebody without e-mail becomes a cashier. With a person, a member without
 * e-mail chooses a new PIN or passkey instead: nobody could mail them a link.
 * @throws NOT_FOUND the merchant, or there is no such member without e-mail
 * @throws LIMIT_REACHED as for other invitations
 */
export async function inviteByQr(
  dependencies: InvitingDependencies,
  { merchantId, personId = null }: { merchantId: string; personId?: string | null },
): Promise<MadeLink> {
  const order = { merchantId, role: 'CASHIER' } as const;
  const merchant = await merchantToJoin(dependencies, order);
  return dependencies.database.transaction(async (transaction) => {
    if (merchant && dependencies.findServed) await storeMerchantNames(transaction, [merchant]);
    if (personId !== null) await requireWithoutEmail(transaction, { merchantId, personId });
    await lockCount(transaction, `invitations of ${merchantId}`);
    const open = await findOpenInvitations(transaction, order, dependencies.clock.nowMs());
    if (open.length >= mostOpen) {
      throw limitReached(`A team has at most ${mostOpen} open invitations: revoke some first.`);
    }
    await limitDay(transaction, dependencies, { ...order, email: '' });
    const invitation = { ...order, staffRole: null, roleId: null, email: null, personId };
    const made = await make(transaction, dependencies, { kind: 'INVITATION', ...invitation });
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'person.invited',
      subject: formatId('iv', made.id),
      after: { role: order.role },
      detail: {
        ...teamDetail(order),
        by: 'QR code',
        ...(personId !== null && { person: formatId('pe', personId) }),
      },
    });
    return made;
  });
}

async function requireWithoutEmail(
  transaction: Queryable,
  member: { merchantId: string; personId: string },
): Promise<void> {
  const person = await findPerson(transaction, member.personId);
  const isMember = (await findRole(transaction, member)) !== undefined;
  if (!isMember || person?.email !== null) throw notFound('member');
}

/** Includes revoked invitations: a new one replaces the earlier one, but both were mailed. */
async function limitDay(
  transaction: Queryable,
  { clock, actor = 'gateway' }: Dependencies,
  order: Post & { email: string },
): Promise<void> {
  const made = await countInvitations(transaction, { ...order, actor }, clock.nowMs() - dayMs);
  if (made.toAddress >= mostPerDay.toAddress) {
    throw limitReached(
      `${order.email} was invited ${made.toAddress} times in 24 hours. Invite it again tomorrow.`,
    );
  }
  if (made.ofTeam >= mostPerDay.ofTeam) {
    throw limitReached(`A team makes at most ${mostPerDay.ofTeam} invitations in 24 hours.`);
  }
}

async function merchantToJoin(
  { database, findServed = (id) => findMerchant(database, id) }: InvitingDependencies,
  order: Post,
): Promise<Merchant | undefined> {
  if (!('merchantId' in order)) return undefined;
  const merchant = await findServed(order.merchantId);
  if (!merchant) throw notFound('merchant');
  return merchant;
}

async function isIn(transaction: Queryable, team: Team, email: string): Promise<boolean> {
  const person = await findPersonByEmail(transaction, email);
  if (!person) return false;
  return (await findRole(transaction, { ...team, personId: person.id })) !== undefined;
}

/**
 * Creates a link with which a person who has lost all credentials sets up new ones. The old credentials work until
 * the link is used. Only for the gateway's operator.
 * @throws NOT_FOUND nobody has this e-mail
 */
export function makeReset(dependencies: Dependencies, given: string): Promise<MadeInvitation> {
  const email = parseEmail(given);
  return dependencies.database.transaction(async (transaction) => {
    const person = await findPersonByEmail(transaction, email);
    if (!person) throw notFound('person');
    const none = { merchantId: null, role: null, roleId: null, staffRole: null, personId: null };
    const order = { kind: 'RESET', ...none, email } as const;
    const made = await make(transaction, dependencies, order);
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'person.reset',
      subject: formatId('pe', person.id),
      detail: { invitation: formatId('iv', made.id) },
    });
    return { ...made, email };
  });
}

async function make(
  transaction: Queryable,
  dependencies: Dependencies,
  order: Omit<StoredInvitation, 'id' | 'invitedBy' | 'createdAtMs' | 'expiresAtMs'>,
): Promise<MadeLink> {
  const { clock, ids, actor = 'gateway' } = dependencies;
  const nowMs = clock.nowMs();
  await requireOpen(transaction, dependencies.session);
  await recordRevoked(transaction, dependencies, await revokeEarlier(transaction, order, nowMs));
  const token = newToken();
  const made = {
    id: ids.next(nowMs),
    createdAtMs: nowMs,
    expiresAtMs: nowMs + (order.email === null ? qrLifeMs : lifeMs),
  };
  const tokenHash = hashToken(token);
  await insertInvitation(transaction, { ...order, ...made, tokenHash, invitedBy: actor });
  return { id: made.id, token, expiresAtMs: made.expiresAtMs };
}

/** The content of a link; undefined if it is not valid. */
export async function findInvitation(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  token: string,
): Promise<OpenInvitation | undefined> {
  const found = await findOpenInvitation(database, hashToken(token), clock.nowMs());
  return found?.kind === 'FIRST' ? undefined : found;
}

/** The valid invitations of a team, oldest first. */
export function listInvitations(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  team: Team,
): Promise<StoredInvitation[]> {
  return findOpenInvitations(database, team, clock.nowMs());
}

/** @throws NOT_FOUND it is not this team's, or no longer valid */
export function revokeInvitation(
  dependencies: Dependencies,
  invitation: Team & { id: string },
): Promise<void> {
  return dependencies.database.transaction(async (transaction) => {
    if (!(await revokeOne(transaction, invitation, dependencies.clock.nowMs()))) {
      throw notFound('invitation');
    }
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'person.invitation_revoked',
      subject: formatId('iv', invitation.id),
      detail: teamDetail(invitation),
    });
  });
}

/** The future id of the person who accepts this invitation: their passkey is created before the person exists. */
export const personIdFor = (invitationId: string) => derivedUuid(invitationId, 'person');

/** The link is no longer valid. */
export const invalidLinkError = (): DomainError =>
  invalidState('The link has been used, or has expired: ask for a new one.');
