import type { Asker } from '../../approvals/approval.ts';
import type { Visit } from '../visit.ts';

/** Who asks or decides, in this session. */
export const askerOf = ({ person, sso, author }: Visit): Asker => ({
  personId: person.id,
  identity: sso === undefined ? null : `${sso.issuer} ${sso.subject}`,
  origin: author.origin,
});
