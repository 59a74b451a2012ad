import { namesOfPeople } from '../../../platform/audit/list-by-merchant.ts';
import type { FoundRecords } from '../../../platform/audit/search.ts';
import type { ListedRecord } from '../../../platform/audit/store.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { findKeys, findMerchants } from '../../../tenants/merchants/store.ts';
import { findAdminKeys } from '../../../tenants/people/admin-key-store.ts';
import { everywhere } from '../query-all-cells.ts';
import type { MerchantContext, RequestContext } from '../request-context.ts';
import { auditActionText } from '../words/audit-actions.ts';
import { changesText } from './audit-changes.ts';
import { words as allWords } from './audit-log.words.ts';
import { notice } from './form.ts';
import { instant } from './format.ts';
import type { Loaded } from './list-page.ts';
import { plainText, prettyJson } from './plain-text.ts';
import { type Column, table } from './table.ts';

export interface LogOptions {
  /** The owner, shown under the object. */
  ownerOf?: (row: ListedRecord) => Html | undefined;
  /** With the whole detail, folded. */
  withDetails?: boolean;
}

/** Readable audit records: author, action, object. Each name links to all records with the same value. */
export async function auditLog(
  visit: RequestContext,
  rows: readonly ListedRecord[],
  { ownerOf, withDetails = false }: LogOptions = {},
): Promise<Html> {
  const words = allWords[visit.language];
  const names = await namesOf(visit, rows);
  const link = (name: 'action' | 'actor' | 'subject', value: string, text: string) =>
    html`<a href="${visit.to('audit', { [name]: value })}" title="${value}">${named(text)}</a>`;
  const columns: Column<ListedRecord>[] = [
    { head: words.when, cell: ({ atMs }) => instant(visit, atMs) },
    {
      head: words.actor,
      cell: ({ actor, origin }) =>
        html`<span>${link('actor', actor, actorText(visit, actor, names))}${under(origin)}</span>`,
    },
    {
      head: words.action,
      cell: (row) =>
        html`<span>${link('action', row.action, auditActionText(visit.language, row.action))}${under(changesText(visit, row))}${withDetails ? details(visit, row) : undefined}</span>`,
    },
    {
      head: words.subject,
      cell: (row) => {
        const { subject } = row;
        const name = subject === 'all' ? words.all : (names.get(idOf(subject) ?? '') ?? subject);
        return html`<span>${link('subject', subject, name)}${ownerOf?.(row)}</span>`;
      },
    },
    { head: words.mode, cell: ({ mode }) => (mode === null ? undefined : visit.words[mode]) },
  ];
  return html`<div class="log">${table(words.title, columns, rows)}</div>`;
}

/** The result of a search of the log, which may stop before the end. */
export const loadedRecords = (
  { language }: Pick<RequestContext, 'language'>,
  { records, lookedThrough }: FoundRecords,
): Loaded<ListedRecord> =>
  lookedThrough === undefined
    ? { rows: records }
    : {
        rows: records,
        next: formatId('au', lookedThrough),
        note: notice(allWords[language].lookedThrough),
      };

/** The authors of records, by name. */
export const actorOf = async (visit: RequestContext, row: ListedRecord): Promise<string> =>
  actorText(visit, row.actor, await namesOf(visit, [row]));

type Names = ReadonlyMap<string, string>;

const under = (text: string | null) =>
  text ? html`<span class="under"><bdi>${text}</bdi></span>` : undefined;

/** The UUID that an actor or a subject names. */
export const idOf = (text: string): string | undefined => {
  const id = text.replace(/^\w+:/, '');
  return parseId('pe', id) ?? parseId('ak', id) ?? parseId('me', id);
};

/** People, keys and merchants by their UUIDs; ids of records of this reader's own log only. */
async function namesOf(
  visit: RequestContext | MerchantContext,
  rows: readonly ListedRecord[],
): Promise<Names> {
  const ids = rows.flatMap(({ actor, subject }) => [idOf(actor), idOf(subject)]);
  const known = [...new Set(ids.filter((id) => id !== undefined))];
  if (known.length === 0) return new Map();
  const home = visit.services.people.database;
  const own = 'merchant' in visit ? visit.merchant.id : undefined;
  const inCells = <Row extends object>(ask: (database: Database) => Promise<Row[]>) =>
    own === undefined ? everywhere(visit, ask) : ask(visit.services.database);
  const [people, adminKeys, keys, merchants] = await Promise.all([
    namesOfPeople(home, known),
    findAdminKeys(home, known),
    inCells((database) => findKeys(database, known)),
    inCells((database) => findMerchants(database, known)),
  ]);
  const ownKeys = keys.filter(({ merchantId }) => own === undefined || merchantId === own);
  return new Map([
    ...[...people, ...merchants].map(({ id, name }) => [id, name] as const),
    ...[...adminKeys, ...ownKeys].map((key) => [key.id, keyName(key)] as const),
  ]);
}

/** A key's label and its last characters. */
export const keyName = ({ label, last4 }: { label: string | null; last4: string }): string =>
  [label, `…${last4}`].filter(Boolean).join(' ');

export function actorText(
  { language }: Pick<RequestContext, 'language'>,
  actor: string,
  names: Names,
): string {
  const words = allWords[language];
  const [kind, name = ''] = actor.split(/:(.*)/s);
  if (kind === 'gateway') return words.gateway;
  if (kind === 'stranger') return words.stranger;
  const shown = names.get(idOf(actor) ?? '') ?? name;
  if (kind === 'key') return words.key(shown);
  if (kind === 'admin_key') return words.adminKey(shown);
  if (kind === 'cli') return words.operator(name);
  return names.get(idOf(actor) ?? '') ?? words.formerPerson;
}

const longestDetails = 10_000;

function details(visit: RequestContext, { before, after, detail }: ListedRecord): Html | undefined {
  const kept = Object.entries({ before, after, detail }).filter(
    ([, value]) => value !== null && Object.keys(value).length > 0,
  );
  if (kept.length === 0) return undefined;
  const text = plainText(prettyJson(JSON.stringify(Object.fromEntries(kept))), longestDetails);
  return html`<details class="more"><summary>${allWords[visit.language].details}</summary><pre class="given" dir="ltr" tabindex="0">${text}</pre></details>`;
}
