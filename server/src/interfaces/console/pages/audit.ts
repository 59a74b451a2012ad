import { listMerchantRecords } from '../../../platform/audit/list-by-merchant.ts';
import { mergedRecords } from '../../../platform/audit/merge-records.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import type { ConsolePage } from '../page.ts';
import { auditLog, loadedRecords } from '../parts/audit-log.ts';
import { filtersOf, fromDay, searchChoice, text, untilDay } from '../parts/filters.ts';
import { listPage } from '../parts/list-page.ts';
import type { MerchantContext } from '../request-context.ts';
import { actionNames } from '../words/audit-actions.ts';
import { words } from './audit.words.ts';

/** Who did what to this merchant, in both modes; the address has the filters. */
export const auditPage: ConsolePage = listPage({
  path: 'audit',
  permission: 'audit.read',
  words,
  cursor: 'au',
  filters: (visit, words) =>
    filtersOf(visit, {
      action: searchChoice(visit, words.action, actionNames(visit.language)),
      actor: text(words.actor, { placeholder: 'person:pe_…' }),
      subject: text(words.subject, { placeholder: 'se_…' }),
      from: fromDay(visit),
      until: untilDay(visit),
    }),
  async load(visit, { from, until, ...rest }, { limit, startingAfter }) {
    const filter = { ...rest, sinceMs: from, untilMs: until };
    const page = { limit, beforeId: startingAfter };
    const found = await Promise.all(
      placesOf(visit).map((database) =>
        listMerchantRecords(database, visit.merchant.id, filter, page),
      ),
    );
    return loadedRecords(visit, mergedRecords(found, limit));
  },
  render: (visit, _, rows) => auditLog(visit, rows),
  scripts: ['money.css'],
});

/** A merchant's members are in the home, regardless of the merchant's cell. */
function placesOf({ services: { cells, database, people } }: MerchantContext): Database[] {
  return cells === undefined || cells.allCells ? [database] : [database, people.database];
}
