import { differenceStatuses } from '../../../backoffice/reconciliations/difference.ts';
import {
  countDifferences,
  type KindCount,
} from '../../../backoffice/reconciliations/difference-store.ts';
import type { StoredReconciliation } from '../../../backoffice/reconciliations/reconciliation.ts';
import { type DifferenceKind, differenceKinds } from '../../../money/ledger/reconcile-statement.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { button, form } from '../parts/form.ts';
import { count, given, instant } from '../parts/format.ts';
import { type Column, facts, table } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import {
  actorText,
  namesOf,
  pageOf,
  periodText,
  progressBar,
  stateText,
  wordsOf,
} from './reconciliation-parts.ts';

/** The compared statement and scope, the result, and the progress. */
export async function summary(visit: StaffContext, of: StoredReconciliation): Promise<Html> {
  const words = wordsOf(visit);
  const counts = await countDifferences(visit.services.database, of.id);
  return html`<section class="card">
${await about(visit, of)}
<p class="bar">${progressBar(visit, of)}</p>
${again(visit, of)}
</section>
${counts.length === 0 ? undefined : html`<section><h2 class="unseen">${words.progress}</h2>${kindTable(visit, of, counts)}</section>`}`;
}

async function about(visit: StaffContext, of: StoredReconciliation): Promise<Html> {
  const words = wordsOf(visit);
  const names = await namesOf(visit, [of.uploadedBy, of.closedBy]);
  const isCompared = of.comparedAtMs !== null;
  const number = (value: number) => (isCompared ? count(visit, value) : undefined);
  return facts([
    [words.state, stateText(visit, of)],
    [words.file, given(of.fileName)],
    [words.operator, `${visit.words.operators[of.operator]}, ${visit.words[of.mode]}`],
    [words.merchant, of.merchantId === null ? undefined : merchantLink(visit, of.merchantId)],
    [words.currency, of.currency],
    [words.period, periodText(visit, of)],
    [words.uploaded, html`${instant(visit, of.createdAtMs)}, ${actorText(of.uploadedBy, names)}`],
    [words.comparedAt, of.comparedAtMs === null ? undefined : instant(visit, of.comparedAtMs)],
    [words.lines, count(visit, of.lineCount)],
    [words.matched, number(of.matchedCount)],
    [words.withoutMoney, number(of.withoutMoneyCount)],
    [
      words.closed,
      of.closedAtMs === null
        ? undefined
        : html`${instant(visit, of.closedAtMs)}, ${actorText(of.closedBy, names)}`,
    ],
  ]);
}

function merchantLink(visit: StaffContext, merchantId: string): Html {
  const id = formatId('me', merchantId);
  return html`<a href="${visit.to(`merchants/${id}`)}"><code class="id">${id}</code></a>`;
}

function again(
  visit: StaffContext,
  { id, status, hasLines, differenceCount }: StoredReconciliation,
) {
  const words = wordsOf(visit);
  const csv =
    differenceCount === 0
      ? undefined
      : html`<a href="${visit.to(`${pageOf({ id })}/csv`)}" download>${words.csv}</a>`;
  if (status === 'COMPARING')
    return html`<p><a href="${visit.to(pageOf({ id }))}">${words.look}</a></p>`;
  const mayCompare = visit.can('reconciliations.write');
  if (!hasLines) return html`<p class="hint">${words.linesGone}</p><p class="bar">${csv}</p>`;
  return mayCompare
    ? form(visit, html`<p class="bar">${button('again', words.again, 'plain')} ${csv}</p>`)
    : html`<p class="bar">${csv}</p>`;
}

function kindTable(visit: StaffContext, of: StoredReconciliation, counts: KindCount[]): Html {
  const words = wordsOf(visit);
  const rows = differenceKinds.filter((kind) => counts.some((each) => each.kind === kind));
  const columns: Column<DifferenceKind>[] = [
    { head: words.kind, cell: (kind) => words.kinds[kind] },
    ...differenceStatuses.map((status): Column<DifferenceKind> => {
      const cell = (kind: DifferenceKind) => {
        const found = counts.find((each) => each.kind === kind && each.status === status);
        const address = visit.to(pageOf(of), { kind, status });
        return found && html`<a href="${address}">${count(visit, found.count)}</a>`;
      };
      return { head: words.differenceStates[status], isNumber: true, cell };
    }),
  ];
  return table(words.progress, columns, rows);
}
