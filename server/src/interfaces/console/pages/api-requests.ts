import {
  listApiRequests,
  type RequestCursor,
  type RequestFilter,
} from '../../../integrations/api-requests/list.ts';
import { type ApiRequest, hasFailed } from '../../../integrations/api-requests/request.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { listTenantKeys } from '../../../tenants/merchants/store.ts';
import type { ConsolePage } from '../page.ts';
import { field, notice, select } from '../parts/form.ts';
import { count, instant } from '../parts/format.ts';
import { plainText } from '../parts/plain-text.ts';
import { empty, pager, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './api-requests.words.ts';
import { maskedKey } from './keys.ts';

const limit = 50;
const methods = ['GET', 'POST', 'PATCH', 'DELETE'];
const classes = [2, 3, 4, 5] as const;

/** What the shop's programs asked for, and how it was answered. */
export const requestsPage: ConsolePage = {
  path: 'requests',
  permission: 'requests.read',
  async show(visit) {
    const words = allWords[visit.language];
    const { database } = visit.services;
    const names = await keyNames(visit);
    const page = { limit, after: cursorOf(visit.query.get('starting_after')) };
    const found = await listApiRequests(database, visit.tenantId, filterOf(visit), page);
    const { requests, hasMore, dropped } = found;
    const last = hasMore ? requests.at(-1) : undefined;
    const nothing =
      visit.query.size === 0 ? empty(words.nothing, words.nothingHint) : empty(words.noMatch);
    const main = html`<p class="hint">${words.kept}</p>
${filters(visit, names)}
${dropped === 0 ? undefined : notice(words.dropped(count(visit, dropped)))}
${requests.length === 0 ? nothing : list(visit, names, requests)}
${pager(visit, 'requests', last && `${last.atMs}.${last.requestId}`)}`;
    return { title: words.title, main, scripts: ['developers.css'], refreshMs: 5_000 };
  },
};

/** How people call keys, by their ids. */
async function keyNames(visit: MerchantContext): Promise<Map<string, string>> {
  if (!visit.can('keys.read')) return new Map();
  const keys = await listTenantKeys(visit.services.database, visit.tenantId);
  return new Map(
    keys.map((key) => [key.id, [key.label, maskedKey(key)].filter(Boolean).join(' · ')]),
  );
}

function cursorOf(text: string | null): RequestCursor | undefined {
  const [, atMs, requestId] = /^(\d{1,14})\.(.*)$/s.exec(text ?? '') ?? [];
  return requestId === undefined ? undefined : { atMs: Number(atMs), requestId };
}

function filterOf({ query }: MerchantContext): RequestFilter {
  const text = (name: string) => query.get(name)?.trim() || undefined;
  return {
    statusClass: classes.find((each) => String(each) === text('status')),
    method: text('method'),
    route: text('route'),
    keyId: parseId('ak', text('key') ?? ''),
    requestId: text('request_id'),
  };
}

function filters(visit: MerchantContext, names: ReadonlyMap<string, string>): Html {
  const words = allWords[visit.language];
  const { all, apply } = visit.words;
  const value = (name: string) => visit.query.get(name) ?? '';
  const ofStatus = classes.map((each) => [String(each), words.statuses[each]] as const);
  const ofKey = [...names].map(([id, name]) => [formatId('ak', id), name] as const);
  return html`<form class="filters" action="${visit.to('requests')}">
${select('status', words.status, [['', all], ...ofStatus], { value: value('status') })}
${select('method', words.method, [['', all], ...methods.map((each) => [each, each] as const)], { value: value('method') })}
${field('route', words.route, { value: value('route'), placeholder: '/v1/payments/:id' })}
${names.size === 0 ? undefined : select('key', words.key, [['', all], ...ofKey], { value: value('key') })}
${field('request_id', words.requestId, { value: value('request_id') })}
<div class="bar"><button class="button plain">${apply}</button></div>
</form>`;
}

function list(
  visit: MerchantContext,
  names: ReadonlyMap<string, string>,
  rows: readonly ApiRequest[],
): Html {
  const words = allWords[visit.language];
  return table<ApiRequest>(
    words.title,
    [
      { head: words.at, cell: (row) => instant(visit, row.atMs) },
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
        cell: (row) =>
          html`<code>${plainText(row.method, 20)} ${row.route ?? words.noRoute}</code>`,
      },
      { head: words.key, cell: (row) => names.get(row.keyId) ?? formatId('ak', row.keyId) },
      {
        head: words.duration,
        isNumber: true,
        cell: (row) => `${count(visit, Math.round(row.durationMs))} ms`,
      },
      { head: words.requestId, cell: (row) => html`<code>${plainText(row.requestId, 200)}</code>` },
    ],
    rows,
  );
}
