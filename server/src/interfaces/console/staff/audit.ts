import { exportWords } from '../../../money/payments/export-rows.ts';
import { type AuditFormat, auditFormats } from '../../../platform/audit/export.ts';
import { mergedRecords } from '../../../platform/audit/merge-records.ts';
import { auditActions } from '../../../platform/audit/record.ts';
import { searchRecords } from '../../../platform/audit/search.ts';
import type { ListedRecord, RecordFilter } from '../../../platform/audit/store.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import { sendFile } from '../../../platform/http/send-file.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { findMerchants } from '../../../tenants/merchants/store.ts';
import { findPersonByEmail } from '../../../tenants/people/account-store.ts';
import type { Sent, StaffAction, StaffPage, View } from '../page.ts';
import { auditLog } from '../parts/audit-log.ts';
import { addDays, dayStartMs, isDay } from '../parts/calendar-days.ts';
import { button, type Choice, type FieldErrors, field, notice, select } from '../parts/form.ts';
import { empty, pager } from '../parts/table.ts';
import { everywhere } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';
import { auditActionText } from '../words/audit-actions.ts';
import { words as allWords } from './audit.words.ts';

const limit = 50;
const longestFilter = 200;

/** Who did what, everywhere: its filters live in the address, and what they leave can be taken away as a file. */
export const staffAuditPage: StaffPage = {
  path: 'audit',
  permission: 'audit.read',
  show: (visit) => view(visit),
  actions: Object.fromEntries(auditFormats.map((format) => [format, download(format)])),
};

function download(format: AuditFormat): StaffAction {
  return {
    permission: 'audit.read',
    async run(visit): Promise<View | Sent> {
      const { filter, errors } = await filterOf(visit);
      if (Object.keys(errors).length > 0) return view(visit);
      const { csv } = exportWords[visit.language];
      try {
        const order = { filter, format, csv, author: visit.author };
        const begun = await visit.services.exportAudit(order);
        return { send: (reply) => sendFile(reply, begun) };
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'LIMIT_REACHED') throw error;
        return view(visit, allWords[visit.language].tooMany);
      }
    },
  };
}

async function view(visit: StaffContext, problem?: string): Promise<View> {
  const words = allWords[visit.language];
  const { filter, errors } = await filterOf(visit);
  const isWrong = Object.keys(errors).length > 0;
  const found = isWrong ? undefined : await list(visit, filter);
  const main = html`${problem === undefined ? undefined : notice(problem, 'bad')}
<p class="bar"><a class="button plain" href="${visit.to('audit/verification')}">${words.verify}</a></p>
${filters(visit, errors)}
${found ?? notice(visit.words.errors.VALIDATION_ERROR, 'bad')}`;
  const shown = { title: words.title, main, scripts: ['money.css', 'staff.css'] };
  return isWrong || problem !== undefined ? { ...shown, status: 400 } : shown;
}

async function list(visit: StaffContext, filter: RecordFilter): Promise<Html> {
  const words = allWords[visit.language];
  const beforeId = parseId('au', visit.query.get('starting_after') ?? '');
  const ofCells = await everywhere(visit, async (database) => [
    await searchRecords(database, filter, { limit, beforeId }),
  ]);
  const found = mergedRecords(ofCells, limit);
  const shown = found.records.slice(0, limit);
  const last = found.records.length > limit ? shown.at(-1)!.id : found.lookedThrough;
  const nothing = empty(visit.query.size === 0 ? words.nothing : words.noMatch);
  return html`${shown.length === 0 ? nothing : await auditLog(visit, shown, { ownerOf: await owners(visit, shown), withDetails: true })}
${found.lookedThrough === undefined ? undefined : notice(words.lookedThrough)}
${pager(visit, 'audit', last && formatId('au', last))}
${shown.length === 0 ? undefined : downloads(visit)}`;
}

/** The merchants of the records, by their names. */
async function owners(visit: StaffContext, rows: readonly ListedRecord[]) {
  const ids = new Set(rows.map(({ merchantId }) => merchantId).filter((id) => id !== null));
  const merchants = await everywhere(visit, (database) => findMerchants(database, [...ids]));
  const names = new Map(merchants.map(({ id, name }) => [id, name]));
  return ({ merchantId }: ListedRecord): Html | undefined => {
    const name = merchantId === null ? undefined : names.get(merchantId);
    if (merchantId === null || name === undefined) return undefined;
    const address = visit.to('audit', { merchant: formatId('me', merchantId) });
    return html`<span class="under"><a href="${address}">${named(name)}</a></span>`;
  };
}

/** What the address asks for; in place of a person, their e-mail address is understood too. */
async function filterOf(
  visit: StaffContext,
): Promise<{ filter: RecordFilter; errors: FieldErrors }> {
  const words = allWords[visit.language];
  const text = (name: string) => visit.query.get(name)?.trim().slice(0, longestFilter) || undefined;
  const [from, until, merchant] = [text('from'), text('until'), text('merchant')];
  const merchantId = parseId('me', merchant ?? '');
  const errors: Record<string, string> = {};
  if (from && !isDay(from)) errors.from = words.wrongDay;
  if (until && !isDay(until)) errors.until = words.wrongDay;
  if (merchant && merchantId === undefined) errors.merchant = words.wrongMerchant;
  const { timeZone } = visit;
  const filter: RecordFilter = {
    action: text('action'),
    actor: await actorOf(visit, text('actor')),
    subject: text('subject'),
    merchantId,
    sinceMs: from && !errors.from ? dayStartMs(from, timeZone) : undefined,
    untilMs: until && !errors.until ? dayStartMs(addDays(until, 1), timeZone) : undefined,
  };
  return { filter, errors };
}

async function actorOf({ services }: StaffContext, text: string | undefined) {
  if (text === undefined || !/^[^\s:@]+@[^\s:@]+$/.test(text)) return text;
  const person = await findPersonByEmail(services.database, text);
  return person === undefined ? text : `person:${formatId('pe', person.id)}`;
}

function filters(visit: StaffContext, errors: FieldErrors): Html {
  const words = allWords[visit.language];
  const value = (name: string) => visit.query.get(name)?.slice(0, longestFilter) ?? '';
  const typed = (name: string) => ({ value: value(name), error: errors[name] });
  return html`<form class="filters" action="${visit.to('audit')}">
${select('action', words.action, actionChoices(visit, value('action')), { value: value('action') })}
${field('actor', words.actor, { ...typed('actor'), placeholder: 'person:pe_…, key:*, maria@…' })}
${field('subject', words.subject, { ...typed('subject'), placeholder: 'se_…' })}
${field('merchant', words.merchant, { ...typed('merchant'), placeholder: 'me_…' })}
${field('from', words.from, { ...typed('from'), type: 'date' })}
${field('until', words.until, { ...typed('until'), type: 'date' })}
<div class="bar"><button class="button plain">${visit.words.apply}</button>${visit.query.size === 0 ? undefined : html`<a href="${visit.to('audit')}">${visit.words.clear}</a>`}</div>
</form>`;
}

/** In the order of their words; one of the address that is none of ours, such as `webhook.*`, stands as it is. */
function actionChoices({ language, words }: StaffContext, asked: string): Choice[] {
  const known = auditActions.map((each): Choice => [each, auditActionText(language, each)]);
  known.sort(([, one], [, other]) => one.localeCompare(other, words.tag));
  const isKnown = asked === '' || known.some(([each]) => each === asked);
  return [['', words.all], ...(isKnown ? [] : [[asked, asked] as const]), ...known];
}

const downloads = (visit: StaffContext): Html => {
  const words = allWords[visit.language];
  return html`<section class="card"><h2>${words.downloads}</h2><p>${words.downloadsHint}</p>
<form method="post"><input type="hidden" name="csrf" value="${visit.csrfToken}"><p class="bar">${button('CSV', words.csv, 'plain')} ${button('JSONL', words.jsonLines, 'plain')}</p></form></section>`;
};
