import { namesOfPeople } from '../../../platform/audit/list-by-merchant.ts';
import type { FoundRecords } from '../../../platform/audit/search.ts';
import type { ListedRecord } from '../../../platform/audit/store.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import type { RequestContext } from '../request-context.ts';
import { auditActionText } from '../words/audit-actions.ts';
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
        html`<span>${link('action', row.action, auditActionText(visit.language, row.action))}${under(changeText(row))}${withDetails ? details(visit, row) : undefined}</span>`,
    },
    {
      head: words.subject,
      cell: (row) => {
        const { subject } = row;
        const name = names.get(personOf(subject) ?? '') ?? subject;
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

const personOf = (text: string) => parseId('pe', text.replace(/^person:/, ''));

async function namesOf(
  { services }: RequestContext,
  rows: readonly ListedRecord[],
): Promise<Names> {
  const ids = rows.flatMap(({ actor, subject }) => [personOf(actor), personOf(subject)]);
  const known = [...new Set(ids.filter((id) => id !== undefined))];
  if (known.length === 0) return new Map();
  const people = await namesOfPeople(services.database, known);
  return new Map(people.map(({ id, name }) => [id, name]));
}

function actorText({ language }: RequestContext, actor: string, names: Names): string {
  const words = allWords[language];
  const [kind, name = ''] = actor.split(/:(.*)/s);
  if (kind === 'gateway') return words.gateway;
  if (kind === 'stranger') return words.stranger;
  if (kind === 'key') return words.key(name);
  if (kind === 'admin_key') return words.adminKey(name);
  if (kind === 'cli') return words.operator(name);
  return names.get(personOf(actor) ?? '') ?? actor;
}

/** `role: VIEWER → OWNER`; omits unset and unchanged values. */
function changeText({ before, after }: ListedRecord): string {
  const names = Object.keys({ ...before, ...after });
  return names
    .flatMap((name) => {
      const [was, is] = [valueText(before?.[name]), valueText(after?.[name])];
      if (was === is) return [];
      return was === '' ? `${name}: ${is}` : `${name}: ${was} → ${is}`;
    })
    .join('; ');
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
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
