import { hash } from 'node:crypto';
import { writeAuditRecord } from '../../../platform/audit/record.ts';
import { DomainError, invalidState } from '../../../platform/errors/errors.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { acceptInvitation } from '../accept-invitation.ts';
import type { PeopleDependencies } from '../dependencies.ts';
import { NameTaken } from '../member-store.ts';
import { useChallenge } from '../passkey-store.ts';
import type { Language } from '../person.ts';
import { retireCredential } from '../retire-credential.ts';
import { authorOf, openSession, type Visitor } from '../sessions.ts';
import { ProviderDown } from './bounded-fetch.ts';
import { type Flow, newFlow, openFlow, type Purpose, sealFlow } from './flow.ts';
import {
  deleteIdentity,
  type Identity,
  IdentityTaken,
  insertIdentity,
  noteIdentityUse,
} from './identity-store.ts';
import { type Proven, toleranceSeconds } from './provider.ts';
import { markProvenThere } from './session-store.ts';
import { sealTicket, vouchedBy } from './ticket.ts';

/** The person signed in to the returning browser. */
export interface Present {
  sessionId: string;
  personId: string;
  isFresh: boolean;
  sso: Identity | undefined;
}

export type Refusal =
  /** The return does not match a round trip of this browser, or the provider refused. */
  | 'INVALID'
  /** Nobody here has this identity. */
  | 'UNKNOWN'
  /** The verified e-mail differs from the invitation's. */
  | 'OTHER_EMAIL'
  /** The identity belongs to another account. */
  | 'TAKEN'
  /** The invitation is no longer valid. */
  | 'OVER'
  /** The confirmation is not recent, or is somebody else's. */
  | 'NOT_PROVEN'
  | 'DOWN';

export type SignOnResult =
  | { kind: 'ENTERED'; token: string; personId: string; next: string | undefined }
  | { kind: 'LINKED' }
  | { kind: 'PROVEN'; next: string | undefined }
  | { kind: 'REFUSED'; why: Refusal; error?: unknown };

const callbackPath = '/console/sso/callback';
const freshMs = 60_000;
const refused = (why: Refusal, error?: unknown): SignOnResult => ({ kind: 'REFUSED', why, error });

/**
 * Begins a round trip to the provider.
 * @returns the URL for the browser, and its cookie meanwhile
 * @throws ProviderDown
 */
export async function beginSignOn(
  { provider, secrets, clock, consoleUrl }: PeopleDependencies,
  purpose: Purpose,
  next: string | undefined,
): Promise<{ url: string; cookie: string }> {
  if (provider === undefined) throw invalidState('Single sign-on is not configured.');
  const flow = newFlow(purpose, next, clock.nowMs());
  const redirectUri = `${consoleUrl}${callbackPath}`;
  const isProof = purpose.kind === 'PROVE';
  const url = await provider.address({ ...flow, redirectUri, isProof });
  return { url, cookie: sealFlow(secrets, flow) };
}

interface Return extends Visitor {
  /** The browser's cookie. */
  cookie: string | undefined;
  /** The query string of the callback. */
  query: string;
  language: Language;
  present: Present | undefined;
}

/** Processes a return from the provider. */
export async function finishSignOn(
  dependencies: PeopleDependencies,
  given: Return,
): Promise<SignOnResult> {
  const { provider, secrets, clock, consoleUrl, database } = dependencies;
  const flow = openFlow(secrets, given.cookie, clock.nowMs());
  if (!provider || !flow) return refused('INVALID');
  const url = new URL(`${consoleUrl}${callbackPath}${given.query}`);
  let proven: Proven;
  try {
    proven = await provider.finish(url, flow, flow.purpose.kind === 'INVITATION');
  } catch (error) {
    return refused(error instanceof ProviderDown ? 'DOWN' : 'INVALID', error);
  }
  // A copied cookie works only once.
  const once = hash('sha256', `single sign-on ${flow.state}`, 'buffer');
  if (!(await useChallenge(database, once, flow.expiresAtMs))) return refused('INVALID');
  return goOn(dependencies, flow, proven, given);
}

function goOn(
  dependencies: PeopleDependencies,
  { purpose, next }: Flow,
  proven: Proven,
  given: Return,
): Promise<SignOnResult> {
  const present = isOf(purpose, given.present) ? given.present : undefined;
  switch (purpose.kind) {
    case 'SIGN_IN':
      return enter(dependencies, proven, given, next);
    case 'INVITATION':
      return accept(dependencies, proven, given, purpose.token);
    case 'LINK':
      return link(dependencies, proven, given, present);
    case 'PROVE':
      return prove(dependencies, proven, present, next);
  }
}

/** Whether the browser still has the session that began the round trip. */
const isOf = (purpose: Purpose, present: Present | undefined): present is Present =>
  'sessionId' in purpose && present?.sessionId === purpose.sessionId;

async function enter(
  dependencies: PeopleDependencies,
  proven: Proven,
  visitor: Visitor,
  next: string | undefined,
): Promise<SignOnResult> {
  const { database, clock, secrets } = dependencies;
  const entered = await database.transaction(async (transaction) => {
    const personId = await noteIdentityUse(transaction, proven, clock.nowMs());
    if (personId === undefined) return undefined;
    const sso = vouchedBy(secrets, proven);
    const opening = { ...visitor, personId, signedInWith: 'SSO', sso } as const;
    const opened = await openSession(transaction, dependencies, opening);
    return opened && { token: opened.token, personId };
  });
  return entered ? { kind: 'ENTERED', ...entered, next } : refused('UNKNOWN');
}

async function accept(
  dependencies: PeopleDependencies,
  proven: Proven,
  { address, userAgent, language }: Return,
  token: string,
): Promise<SignOnResult> {
  const name = nameOf(proven);
  const proof = { kind: 'IDENTITY', proven } as const;
  const given = { address, userAgent, token, language, proof };
  // Nobody chooses the name at the provider: a colleague of the same name begins with their e-mail.
  const other = (error: unknown) => {
    if (!(error instanceof NameTaken)) throw error;
    return acceptInvitation(dependencies, { ...given, name: proven.email ?? name });
  };
  try {
    const accepted = await acceptInvitation(dependencies, { ...given, name }).catch(other);
    const { personId } = accepted;
    return { kind: 'ENTERED', token: accepted.token, personId, next: undefined };
  } catch (error) {
    if (error instanceof IdentityTaken) return refused('TAKEN');
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'FORBIDDEN') return refused('OTHER_EMAIL');
    if (error.code === 'INVALID_STATE') return refused('OVER');
    throw error;
  }
}

const longestName = 100;

/** The person's name at the provider, or the local part of the e-mail. */
function nameOf({ name, email }: Proven): string {
  const text = (name ?? email?.split('@')[0] ?? '').replaceAll(/\p{Cc}/gu, ' ').trim();
  return text.slice(0, longestName).trim() || 'SSO';
}

async function link(
  dependencies: PeopleDependencies,
  proven: Proven,
  visitor: Visitor,
  present: Present | undefined,
): Promise<SignOnResult> {
  if (!present?.isFresh) return refused('NOT_PROVEN');
  const { personId } = present;
  const { clock, ids, database } = dependencies;
  const isLinked = await database.transaction(async (transaction) => {
    if (!(await insertIdentity(transaction, proven, personId, clock.nowMs()))) return false;
    const author = { clock, ids, ...authorOf(personId, visitor) };
    const subject = formatId('pe', personId);
    const detail = { issuer: proven.issuer };
    const record = { tenantId: null, action: 'identity.linked', subject, detail } as const;
    await writeAuditRecord(transaction, author, record);
    return true;
  });
  return isLinked ? { kind: 'LINKED' } : refused('TAKEN');
}

async function prove(
  { database, clock, secrets }: PeopleDependencies,
  proven: Proven,
  present: Present | undefined,
  next: string | undefined,
): Promise<SignOnResult> {
  const { issuer, subject, sid, authenticatedAtMs } = proven;
  const nowMs = clock.nowMs();
  const agoMs = authenticatedAtMs === null ? Infinity : nowMs - authenticatedAtMs;
  const isJustNow = agoMs <= freshMs && agoMs >= -toleranceSeconds * 1_000;
  if (!present || !isJustNow) return refused('NOT_PROVEN');
  const id = present.sessionId;
  const box = sealTicket(secrets, id, proven.ticket);
  const session = { id, issuer, subject, sid, box };
  // Only a session of the same identity matches.
  const isMarked = await markProvenThere(database, session, nowMs);
  return isMarked ? { kind: 'PROVEN', next } : refused('NOT_PROVEN');
}

/**
 * Removes an identity from an account, and ends the sessions that it opened and open invitations.
 * @throws INVALID_STATE it is not theirs, or their only way to sign in
 */
export function unlinkIdentity(
  { database, clock, ids }: PeopleDependencies,
  personId: string,
  identity: Identity,
  visitor: Visitor,
): Promise<void> {
  return database.transaction(async (transaction) => {
    if (!(await deleteIdentity(transaction, personId, identity, clock.nowMs()))) {
      throw invalidState('The identity does not exist any more, or is the only way to sign in.');
    }
    const author = { clock, ids, ...authorOf(personId, visitor) };
    await retireCredential(transaction, author, personId);
    await writeAuditRecord(transaction, author, {
      tenantId: null,
      action: 'identity.unlinked',
      subject: formatId('pe', personId),
      detail: { issuer: identity.issuer },
    });
  });
}
