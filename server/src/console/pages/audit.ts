import {
  listMerchantRecords,
  type MerchantFilter,
  type MerchantRecord,
  namesOfPeople,
} from '../../audit/of-merchant.ts';
import { named } from '../../checkout/page/state.ts';
import { html } from '../../html.ts';
import { formatId, parseId } from '../../ids.ts';
import type { ConsolePage } from '../page.ts';
import { addDays, dayStartMs, isDay } from '../parts/days.ts';
import { field, notice } from '../parts/form.ts';
import { instant } from '../parts/format.ts';
import { empty, pager, table } from '../parts/table.ts';
import type { Visit } from '../visit.ts';
import { words as allWords } from './audit.words.ts';

const limit = 50;
const longestFilter = 200;

/** Who did what to this merchant, in both modes; its filters live in the address. */
export const auditPage: ConsolePage = {
  path: 'audit',
  permission: 'audit.read',
  async show(visit) {
    const words = allWords[visit.language];
    const filter = filterOf(visit);
    if (filter === undefined) {
      const main = html`${notice(words.wrongDates, 'bad')}${filters(visit)}`;
      return { title: words.title, main, status: 400 };
    }
    const beforeId = parseId('au', visit.query.get('starting_after') ?? '');
    const { database } = visit.services;
    const page = { limit, beforeId };
    const found = await listMerchantRecords(database, visit.merchant.id, filter, page);
    const shown = found.records.slice(0, limit);
    const last = found.records.length > limit ? shown.at(-1)!.id : found.lookedThrough;
    const main = html`${filters(visit)}
${shown.length === 0 ? nothing(visit) : list(visit, shown, await namesOf(visit, shown))}
${found.lookedThrough === undefined ? undefined : notice(words.lookedThrough)}
${pager(visit, 'audit', last && formatId('au', last))}`;
    return { title: words.title, main, scripts: ['money.css'] };
  },
};

/** Undefined where a date is none. */
function filterOf({ query, timeZone }: Visit): MerchantFilter | undefined {
  const text = (name: string) => query.get(name)?.trim().slice(0, longestFilter) || undefined;
  const [from, until] = [text('from'), text('until')];
  if ((from && !isDay(from)) || (until && !isDay(until))) return undefined;
  return {
    action: text('action'),
    actor: text('actor'),
    subject: text('subject'),
    sinceMs: from && dayStartMs(from, timeZone),
    untilMs: until && dayStartMs(addDays(until, 1), timeZone),
  } as MerchantFilter;
}

function filters(visit: Visit) {
  const words = allWords[visit.language];
  const value = (name: string) => visit.query.get(name) ?? '';
  return html`<form class="filters" action="${visit.to('audit')}">
${field('action', words.action, { value: value('action'), placeholder: 'settlement.processed' })}
${field('actor', words.actor, { value: value('actor'), placeholder: 'person:pe_…' })}
${field('subject', words.subject, { value: value('subject'), placeholder: 'se_…' })}
${field('from', words.from, { value: value('from'), type: 'date' })}
${field('until', words.until, { value: value('until'), type: 'date' })}
<div class="bar"><button class="button plain">${visit.words.apply}</button>${visit.query.size === 0 ? undefined : html`<a href="${visit.to('audit')}">${visit.words.clear}</a>`}</div>
</form>`;
}

type Names = ReadonlyMap<string, string>;

const personOf = (text: string) => parseId('pe', text.replace(/^person:/, ''));

async function namesOf({ services }: Visit, rows: readonly MerchantRecord[]): Promise<Names> {
  const ids = rows.flatMap(({ actor, subject }) => [personOf(actor), personOf(subject)]);
  const known = [...new Set(ids.filter((id) => id !== undefined))];
  if (known.length === 0) return new Map();
  const people = await namesOfPeople(services.database, known);
  return new Map(people.map(({ id, name }) => [id, name]));
}

function list(visit: Visit, rows: readonly MerchantRecord[], names: Names) {
  const words = allWords[visit.language];
  // A name or an action leads to all that it did, or that was done like it.
  const link = (name: 'action' | 'actor' | 'subject', value: string, text: string) =>
    html`<a href="${visit.to('audit', { [name]: value })}" title="${value}">${named(text)}</a>`;
  const under = (text: string | null) =>
    text ? html`<span class="under">${text}</span>` : undefined;
  const log = table<MerchantRecord>(
    words.title,
    [
      { head: words.when, cell: ({ atMs }) => instant(visit, atMs) },
      {
        head: words.actor,
        cell: ({ actor, origin }) =>
          html`<span>${link('actor', actor, actorText(visit, actor, names))}${under(origin)}</span>`,
      },
      {
        head: words.action,
        cell: (row) =>
          html`<span>${link('action', row.action, actionText(visit, row.action))}${under(changeText(row))}</span>`,
      },
      {
        head: words.subject,
        cell: ({ subject }) =>
          link('subject', subject, names.get(personOf(subject) ?? '') ?? subject),
      },
      { head: words.mode, cell: ({ mode }) => (mode === null ? undefined : visit.words[mode]) },
    ],
    rows,
  );
  return html`<div class="log">${log}</div>`;
}

function actorText({ language }: Visit, actor: string, names: Names): string {
  const words = allWords[language];
  const [kind, name = ''] = actor.split(/:(.*)/s);
  if (kind === 'gateway') return words.gateway;
  if (kind === 'key') return words.key(name);
  if (kind === 'cli') return words.operator(name);
  return names.get(personOf(actor) ?? '') ?? actor;
}

/** What has no words is shown as it is stored. */
function actionText({ language }: Visit, action: string): string {
  const { groups, verbs } = allWords[language];
  const [group = '', verb = ''] = action.split('.');
  return groups[group] && verbs[verb] ? `${groups[group]}: ${verbs[verb]}` : action;
}

/** `role: VIEWER → OWNER`; what is not set, or stays as it was, says nothing. */
function changeText({ before, after }: MerchantRecord): string {
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

function nothing(visit: Visit) {
  const words = allWords[visit.language];
  return empty(visit.query.size === 0 ? words.nothing : words.noMatch);
}
