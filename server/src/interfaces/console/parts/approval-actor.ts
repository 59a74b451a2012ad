import type { Asker } from '../../../backoffice/approvals/approval.ts';
import type { RequestContext } from '../request-context.ts';

/** Who asks or decides, in this session. */
export const askerOf = ({ person, sso, author }: RequestContext): Asker => ({
  personId: person.id,
  identity: sso === undefined ? null : `${sso.issuer} ${sso.subject}`,
  origin: author.origin,
});
