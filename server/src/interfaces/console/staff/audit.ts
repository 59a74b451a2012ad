import { exportWords } from '../../../money/payments/export-rows.ts';
import { type AuditFormat, auditFormats } from '../../../platform/audit/export.ts';
import { mergedRecords } from '../../../platform/audit/merge-records.ts';
import { searchRecords } from '../../../platform/audit/search.ts';
import type { ListedRecord, RecordFilter } from '../../../platform/audit/store.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import { sendFile } from '../../../platform/http/send-file.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { findMerchants } from '../../../tenants/merchants/store.ts';
import { findPersonByEmail } from '../../../tenants/people/account-store.ts';
import type { Sent, StaffAction, View } from '../page.ts';
import { auditLog, loadedRecords } from '../parts/audit-log.ts';
import {
  type Filter,
  type Filters,
  filtersOf,
  fromDay,
  searchChoice,
  text,
  untilDay,
} from '../parts/filters.ts';
import { button } from '../parts/form.ts';
import { listPage, type StaffListPage } from '../parts/list-page.ts';
import { everywhere } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';
import { actionNames } from '../words/audit-actions.ts';
import { words as allWords } from './audit.words.ts';

type Words = (typeof allWords)['pt'];

/** Who did what, everywhere: the address has the filters, and the result can be exported. */
export const staffAuditPage: StaffListPage = listPage({
  path: 'audit',
  permission: 'audit.read',
  words: allWords,
  links: (visit, { verify }) =>
    html`<a class="button plain" href="${visit.to('audit/verification')}">${verify}</a>`,
  filters,
  async load(visit, filter, { limit, startingAfter }) {
    const page = { limit, beforeId: startingAfter };
    const found = await everywhere(visit, async (database) => [
      await searchRecords(database, filter, page),
    ]);
    return loadedRecords(visit, mergedRecords(found, limit));
  },
  cursor: 'au',
  render: async (visit, _, rows) =>
    html`${await auditLog(visit, rows, { ownerOf: await owners(visit, rows), withDetails: true })}`,
  below: (visit, _, { rows }) => (rows.length > 0 ? downloads(visit) : undefined),
  actions: Object.fromEntries(auditFormats.map((format) => [format, download(format)])),
  scripts: ['money.css', 'staff.css'],
});

function download(format: AuditFormat): StaffAction {
  return {
    permission: 'audit.read',
    async run(visit): Promise<View | Sent> {
      const { filter, errors } = await filters(visit, allWords[visit.language]);
      if (Object.keys(errors).length > 0) return staffAuditPage.view(visit);
      const { csv } = exportWords[visit.language];
      try {
        const order = { filter, format, csv, author: visit.author };
        const begun = await visit.services.exportAudit(order);
        return { send: (reply) => sendFile(reply, begun) };
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'LIMIT_REACHED') throw error;
        return staffAuditPage.view(visit, { problem: allWords[visit.language].tooMany });
      }
    },
  };
}

/** The merchants of the records, by name. */
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

/** The filter of the address; an author may be given as an e-mail address. */
async function filters(visit: StaffContext, words: Words): Promise<Filters<RecordFilter>> {
  const asked = filtersOf(visit, {
    action: searchChoice(visit, words.action, actionNames(visit.language)),
    actor: text(words.actor, { placeholder: 'person:pe_…, key:*, maria@…' }),
    subject: text(words.subject, { placeholder: 'se_…' }),
    merchant: merchantId(words),
    from: fromDay(visit),
    until: untilDay(visit),
  });
  const { actor, merchant, from, until, ...rest } = asked.filter;
  const filter = {
    ...rest,
    actor: await actorOf(visit, actor),
    merchantId: merchant,
    sinceMs: from,
    untilMs: until,
  };
  return { ...asked, filter };
}

const merchantId = ({ merchant, wrongMerchant }: Words): Filter<string | undefined> => ({
  ...text(merchant, { placeholder: 'me_…' }),
  read: (given) => parseId('me', given),
  problem: wrongMerchant,
});

async function actorOf({ services }: StaffContext, text: string | undefined) {
  if (text === undefined || !/^[^\s:@]+@[^\s:@]+$/.test(text)) return text;
  const person = await findPersonByEmail(services.database, text);
  return person === undefined ? text : `person:${formatId('pe', person.id)}`;
}

function downloads(visit: StaffContext): Html {
  const words = allWords[visit.language];
  return html`<section class="card"><h2>${words.downloads}</h2><p>${words.downloadsHint}</p>
<form method="post"><input type="hidden" name="csrf" value="${visit.csrfToken}"><p class="bar">${button('CSV', words.csv, 'plain')} ${button('JSONL', words.jsonLines, 'plain')}</p></form></section>`;
}
