import { findMerchant } from '../../../tenants/merchants/store.ts';
import type { RequestContext } from '../request-context.ts';

type Visiting = Pick<RequestContext, 'services' | 'author'>;
type Inviting = Visiting & Pick<RequestContext, 'person' | 'sessionId'>;

/** For changes of merchants, in the page's cell. */
export const authorInCell = ({ services, author }: Visiting) => {
  const { database, clock, ids } = services;
  return { database, clock, ids, ...author };
};

/** For changes of people, who are in the home, regardless of the page's cell. */
export const authorAtHome = ({ services, author }: Visiting) => ({
  ...services.people,
  ...author,
});

/** The same for invitations: the page's cell knows whether the merchant exists. */
export const inviter = (visit: Inviting) => {
  const { cells, database } = visit.services;
  const session = { id: visit.sessionId, personId: visit.person.id };
  const findServed = (id: string) => findMerchant(database, id);
  return { ...authorAtHome(visit), session, ...(cells && { findServed }) };
};
