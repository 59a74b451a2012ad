import type { Requester } from '../../../backoffice/approvals/approval.ts';
import type { RequestContext } from '../request-context.ts';

/** The requester or approver of this session. */
export const askerOf = ({ person, sso, author }: RequestContext): Requester => ({
  personId: person.id,
  identity: sso === undefined ? null : `${sso.issuer} ${sso.subject}`,
  origin: author.origin,
});
