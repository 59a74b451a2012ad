import { type Html, html } from '../../../platform/text/html.ts';
import type { IdPrefix } from '../../../platform/values/ids.ts';
import type { Permission } from '../../../tenants/people/permissions.ts';
import type { MerchantContext } from '../request-context.ts';

interface ObjectPage {
  path(id: string): string;
  query?(id: string): Record<string, string>;
  permission: Permission;
}

const of = (folder: string, permission: Permission): ObjectPage => ({
  path: (id) => `${folder}/${id}`,
  permission,
});

/** The page of each object that has an id, by the prefix of the id. */
const pageOf: Partial<Record<IdPrefix, ObjectPage>> = {
  pi: of('payments', 'payments.read'),
  // A refund stands on the page of its payment, which the search finds.
  re: { path: () => 'payments', query: (q) => ({ q }), permission: 'payments.read' },
  cs: of('links', 'payments.read'),
  pl: of('links/reusable', 'payments.read'),
  pr: of('products', 'payments.read'),
  se: of('settlements', 'money.read'),
  di: of('disbursements', 'disbursements.read'),
  dib: of('disbursements/batches', 'disbursements.read'),
  we: of('endpoints', 'endpoints.read'),
  evt: of('events', 'events.read'),
};

/** The address of an object's page; undefined if there is none that this person may open. */
export function hrefOfObject(visit: MerchantContext, id: string): string | undefined {
  const page = pageOf[id.slice(0, id.indexOf('_')) as IdPrefix];
  return page && visit.can(page.permission) ? visit.to(page.path(id), page.query?.(id)) : undefined;
}

/** An id, linked to the page of its object. */
export function linkToObject(visit: MerchantContext, id: string): Html {
  const href = hrefOfObject(visit, id);
  return href === undefined
    ? html`<code>${id}</code>`
    : html`<a href="${href}"><code>${id}</code></a>`;
}
