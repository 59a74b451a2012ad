import {
  listMerchantRecords,
  type MerchantFilter,
} from '../../../platform/audit/list-by-merchant.ts';
import { mergedRecords } from '../../../platform/audit/merge-records.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { ConsolePage } from '../page.ts';
import { auditLog } from '../parts/audit-log.ts';
import { addDays, dayStartMs, isDay } from '../parts/calendar-days.ts';
import { field, notice } from '../parts/form.ts';
import { empty, pager } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
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
    const page = { limit, beforeId };
    const found = mergedRecords(
      await Promise.all(
        placesOf(visit).map((database) =>
          listMerchantRecords(database, visit.merchant.id, filter, page),
        ),
      ),
      limit,
    );
    const shown = found.records.slice(0, limit);
    const last = found.records.length > limit ? shown.at(-1)!.id : found.lookedThrough;
    const main = html`${filters(visit)}
${shown.length === 0 ? nothing(visit) : await auditLog(visit, shown)}
${found.lookedThrough === undefined ? undefined : notice(words.lookedThrough)}
${pager(visit, 'audit', last && formatId('au', last))}`;
    return { title: words.title, main, scripts: ['money.css'] };
  },
};

/** Who belongs to a merchant is at home in one cell, whichever the merchant is in. */
function placesOf({ services: { cells, database, people } }: MerchantContext): Database[] {
  return cells === undefined || cells.allCells ? [database] : [database, people.database];
}

/** Undefined where a date is none. */
function filterOf({ query, timeZone }: MerchantContext): MerchantFilter | undefined {
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

function filters(visit: MerchantContext) {
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

function nothing(visit: MerchantContext) {
  const words = allWords[visit.language];
  return empty(visit.query.size === 0 ? words.nothing : words.noMatch);
}
