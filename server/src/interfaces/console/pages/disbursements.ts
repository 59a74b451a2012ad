import {
  type Disbursement,
  disbursementStatuses,
  type Obstacle,
  obstacleMessages,
} from '../../../money/disbursements/disbursement.ts';
import { type DisbursementFilter, listDisbursements } from '../../../money/disbursements/list.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { maskPhone } from '../../../platform/values/phone.ts';
import type { ConsolePage } from '../page.ts';
import { choice, type Filters, filtersOf, fromDay, untilDay } from '../parts/filters.ts';
import { given, instant, phone, status } from '../parts/format.ts';
import { listPage } from '../parts/list-page.ts';
import { amountColumn, askedOf, type Column } from '../parts/table.ts';
import { isDisbursing } from '../parts/when-disbursing.ts';
import type { MerchantContext, RequestContext } from '../request-context.ts';
import { words as allWords } from './disbursements.words.ts';

/** What the address of the list asks for. */
export type AskedDisbursements = Pick<DisbursementFilter, 'status'> & {
  createdFromMs?: number | undefined;
  createdUntilMs?: number | undefined;
};

/** The form above the list, and what it asks for. */
export function disbursementFilters(visit: MerchantContext): Filters<AskedDisbursements> {
  const words = allWords[visit.language];
  const { filter, ...form } = filtersOf(visit, {
    status: choice(visit, words.status, disbursementStatuses, visit.words.statuses),
    from: fromDay(visit),
    until: untilDay(visit),
  });
  const createdUntilMs = filter.until === undefined ? undefined : filter.until - 1;
  const asked = ['status', 'from', 'until'].filter((name) => visit.query.get(name)).length;
  const fold = asked === 0 ? words.filters : `${words.filters} (${asked})`;
  return {
    ...form,
    fold,
    filter: { status: filter.status, createdFromMs: filter.from, createdUntilMs },
  };
}

/** The list of disbursements. */
export const disbursementsPage: ConsolePage = listPage({
  path: 'disbursements',
  permission: 'disbursements.read',
  words: allWords,
  create: {
    page: 'disbursements/new',
    permission: 'disbursements.create',
    label: ({ send }) => send,
    isOffered: isDisbursing,
  },
  links: (visit, words) =>
    html`${isDisbursing(visit) && visit.can('disbursements.create') ? html`<a class="button plain" href="${visit.to('disbursements/upload')}">${words.many}</a>` : undefined} <a href="${visit.to('disbursements/batches')}">${words.batches}</a>`,
  filters: disbursementFilters,
  load: ({ services, tenantId }, { status: reached, ...range }, page) =>
    listDisbursements(services.database, tenantId, { status: reached }, { ...page, ...range }),
  cursor: 'di',
  columns: disbursementColumns,
  below: (visit, words, { rows }) => {
    const { starting_after: _, ...filters } = askedOf(visit);
    const address = visit.to('disbursements/file.csv', filters);
    return rows.length === 0 ? undefined : html`<p><a href="${address}">${words.file}</a></p>`;
  },
  scripts: ['payments.css'],
  refreshMs: 10_000,
});

/** The columns of a list of disbursements. */
export function disbursementColumns(
  visit: MerchantContext,
  words: (typeof allWords)['pt'],
  rows: readonly Disbursement[],
): Column<Disbursement>[] {
  const reference = {
    head: words.order,
    cell: ({ externalId }: Disbursement) => given(externalId),
  };
  const description = {
    head: words.description,
    cell: (row: Disbursement) => given(row.description),
  };
  return [
    {
      head: words.created,
      cell: ({ id, createdAtMs }) =>
        html`<a href="${visit.to(`disbursements/${formatId('di', id)}`)}">${instant(visit, createdAtMs)}</a>`,
    },
    { head: words.status, cell: (row) => outcome(visit, row) },
    amountColumn(visit, words.amount, ({ amountMinor }) => amountMinor),
    { head: words.phone, cell: (row) => recipient(visit, row) },
    { head: words.operator, cell: ({ operator }) => visit.words.operators[operator] },
    ...(rows.some(({ externalId }) => externalId !== null) ? [reference] : []),
    ...(rows.some((row) => row.description !== null) ? [description] : []),
  ];
}

function outcome(visit: MerchantContext, row: Disbursement): Html {
  const why = failureText(visit, row);
  return html`<div>${status(visit, row.status)}${why === undefined ? undefined : html`<p class="hint">${why}</p>`}</div>`;
}

const obstacleOf = ({ failureMessage }: Disbursement): Obstacle | undefined =>
  (Object.keys(obstacleMessages) as Obstacle[]).find(
    (each) => obstacleMessages[each] === failureMessage,
  );

/** Why it failed, in the reader's words. */
export function failureText(
  { language, words }: Pick<RequestContext, 'language' | 'words'>,
  row: Disbursement,
): string | undefined {
  const obstacle = obstacleOf(row);
  if (obstacle !== undefined) return allWords[language].obstacles[obstacle];
  return row.failureCode === null ? undefined : words.failures[row.failureCode];
}

/** The recipient's phone, whole for people who may read it; null once it is erased. */
export const shownRecipient = (
  visit: { can(permission: 'phones.read'): boolean },
  { operatorPhone }: Pick<Disbursement, 'operatorPhone'>,
): string | null =>
  operatorPhone === null || visit.can('phones.read') ? operatorPhone : maskPhone(operatorPhone);

/** The same on a page. */
export function recipient(
  visit: Pick<RequestContext, 'language'> & { can(permission: 'phones.read'): boolean },
  row: Disbursement,
): Html | string {
  const shown = shownRecipient(visit, row);
  return shown === null ? allWords[visit.language].erased : phone(shown);
}
