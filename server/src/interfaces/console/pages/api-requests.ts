import { listApiRequests, type RequestCursor } from '../../../integrations/api-requests/list.ts';
import { hasFailed } from '../../../integrations/api-requests/request.ts';
import { html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { listTenantKeys } from '../../../tenants/merchants/store.ts';
import type { ConsolePage } from '../page.ts';
import { choice, filtersOf, text } from '../parts/filters.ts';
import { notice } from '../parts/form.ts';
import { count, instantToSecond } from '../parts/format.ts';
import { listPage } from '../parts/list-page.ts';
import { linkToObject } from '../parts/object-pages.ts';
import { plainText } from '../parts/plain-text.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './api-requests.words.ts';
import { maskedKey } from './keys.ts';

const classes = [2, 3, 4, 5] as const;
const methods = ['GET', 'POST', 'PATCH', 'DELETE'];

/** The requests of the shop's programs, with their answers. */
export const requestsPage: ConsolePage = listPage({
  path: 'requests',
  permission: 'requests.read',
  words: allWords,
  filters: asked,
  load: async (visit, given, { limit, startingAfter }) => {
    const { services, tenantId } = visit;
    const { status, method, route, key, request_id: requestId, names } = given;
    const filter = {
      statusClass: classes.find((each) => String(each) === status),
      method,
      route,
      keyId: parseId('ak', key ?? ''),
      requestId,
    };
    const page = { limit, after: cursorOf(startingAfter) };
    const found = await listApiRequests(services.database, tenantId, filter, page);
    const rows = found.requests.map((row) => {
      const id = formatId('ak', row.keyId);
      return { ...row, key: names[id] ?? id };
    });
    const { dropped, hasMore } = found;
    const note =
      dropped === 0 ? undefined : notice(allWords[visit.language].dropped(count(visit, dropped)));
    return { rows, note, next: hasMore ? placeOf(rows.at(-1)!) : undefined };
  },
  cursor: placeOf,
  columns: (visit, words) => [
    { head: words.at, cell: ({ atMs }) => instantToSecond(visit, atMs) },
    {
      head: words.status,
      cell: (row) =>
        html`<span class="status" data-status="${hasFailed(row) ? 'FAILED' : 'SUCCEEDED'}">${row.status}</span>`,
    },
    {
      head: words.error,
      cell: ({ errorCode }) => (errorCode === null ? undefined : html`<code>${errorCode}</code>`),
    },
    {
      head: words.route,
      cell: ({ method, route }) =>
        html`<code>${plainText(method, 20)} ${route ?? words.noRoute}</code>`,
    },
    {
      head: words.made,
      cell: ({ madeId }) => (madeId === null ? undefined : linkToObject(visit, madeId)),
    },
    { head: words.key, cell: ({ key }) => key },
    {
      head: words.duration,
      isNumber: true,
      cell: ({ durationMs }) => `${count(visit, Math.round(durationMs))} ms`,
    },
    {
      head: words.requestId,
      cell: ({ requestId }) => html`<code>${plainText(requestId, 200)}</code>`,
    },
  ],
  scripts: ['developers.css'],
  refreshMs: 5_000,
});

/** The keys by name, as in the rows. */
async function asked(visit: MerchantContext, words: (typeof allWords)['pt']) {
  const keys = visit.can('keys.read')
    ? await listTenantKeys(visit.services.database, visit.tenantId)
    : [];
  const names = Object.fromEntries(
    keys.map((key) => [
      formatId('ak', key.id),
      [key.label, maskedKey(key)].filter(Boolean).join(' · '),
    ]),
  );
  const given = filtersOf(visit, {
    status: choice(visit, words.status, classes.map(String), words.statuses),
    method: choice(visit, words.method, methods),
    route: text(words.route, { placeholder: '/v1/payments/:id' }),
    ...(keys.length > 0 && { key: choice(visit, words.key, Object.keys(names), names) }),
    request_id: text(words.requestId),
  });
  const filter = { ...given.filter, names };
  return { ...given, filter };
}

function placeOf({ atMs, requestId }: RequestCursor): string {
  return `${atMs}.${requestId}`;
}

function cursorOf(place: string | undefined): RequestCursor | undefined {
  const [, atMs, requestId] = /^(\d{1,14})\.(.*)$/s.exec(place ?? '') ?? [];
  return requestId === undefined ? undefined : { atMs: Number(atMs), requestId };
}
