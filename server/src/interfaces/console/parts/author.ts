import { findMerchant } from '../../../tenants/merchants/store.ts';
import type { RequestContext } from '../request-context.ts';

type Visiting = Pick<RequestContext, 'services' | 'author'>;

/** For what is changed of merchants, in the cell of the page. */
export const authorInCell = ({ services, author }: Visiting) => {
  const { database, clock, ids } = services;
  return { database, clock, ids, ...author };
};

/** For what is changed of people, who are at home in one cell, whichever the page is of. */
export const authorAtHome = ({ services, author }: Visiting) => ({
  ...services.people,
  ...author,
});

/** The same for invitations: whether there is the merchant, the cell of the page says. */
export const inviter = (visit: Visiting) => {
  const { cells, database } = visit.services;
  const findServed = (id: string) => findMerchant(database, id);
  return { ...authorAtHome(visit), ...(cells && { findServed }) };
};
