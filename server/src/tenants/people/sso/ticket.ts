import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import type { Proven, Ticket } from './provider.ts';

const contextOf = (sessionId: string) => `person_sessions/${sessionId}`;

/** The stored form, bound to its session: it opens with no other. */
export const sealTicket = (secrets: SecretBox, sessionId: string, ticket: Ticket): Buffer =>
  secrets.encrypt(JSON.stringify(ticket), contextOf(sessionId));

/** Undefined if the secret key cannot open it (any more). */
export function openTicket(
  secrets: SecretBox,
  sessionId: string,
  box: Buffer | null,
): Ticket | undefined {
  try {
    return box === null
      ? undefined
      : (JSON.parse(secrets.decrypt(box, contextOf(sessionId))) as Ticket);
  } catch {
    return undefined;
  }
}

/** The session's data from its sign-in. */
export const vouchedBy = (
  secrets: SecretBox,
  { issuer, subject, sid, authenticatedAtMs, ticket }: Proven,
) => ({
  issuer,
  subject,
  sid,
  authenticatedAtMs,
  box: (sessionId: string) => sealTicket(secrets, sessionId, ticket),
});
