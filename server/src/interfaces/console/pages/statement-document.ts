import {
  hasEnded,
  type Movement,
  type Statement,
  StatementMismatch,
  type StatementQuestion,
  withMovements,
} from '../../../money/settlements/statement/read.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { timeZoneName } from '../../../platform/text/time-zone-name.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { amount, calendarDay, instant, inZone } from '../parts/format.ts';
import { empty, facts, table } from '../parts/table.ts';
import type { RequestContext } from '../request-context.ts';
import { daysTable, hasDisbursed, signed } from './daily-balances.ts';
import { words as allWords } from './money.words.ts';

/** With more movements, offer a file instead of a page. */
const mostOnPaper = 1_000;

/** The label of a statement's last balance. */
export function closingWords({ language, nowMs }: RequestContext, statement: Statement): string {
  const words = allWords[language];
  return hasEnded(statement, nowMs) ? words.closing : words.soFar;
}

/** From the opening to the closing balance. */
export function statementSums(visit: RequestContext, statement: Statement): Html {
  const words = allWords[visit.language];
  const { openingMinor, closingMinor, total, currency, days } = statement;
  const [gross, fee, refund, payout] = signed(total).map((minor) => amount(visit, minor, currency));
  return html`<section class="card sums">${facts([
    [words.opening, amount(visit, openingMinor, currency)],
    [words.payments, gross],
    [words.fees, fee],
    [words.refunds, refund],
    [words.payouts, payout],
    ...(hasDisbursed(days)
      ? [[words.disbursements, amount(visit, -total.disbursementMinor, currency)] as const]
      : []),
    [closingWords(visit, statement), html`<b>${amount(visit, closingMinor, currency)}</b>`],
  ])}</section>`;
}

export function statementDays(visit: RequestContext, statement: Statement): Html {
  const words = allWords[visit.language];
  if (statement.days.length === 0) return empty(words.noMovement);
  return daysTable(visit, words.statement, statement.currency, statement.days);
}

interface Sheet {
  statement: Statement;
  question: StatementQuestion;
  /** The first and the last day. */
  from: string;
  until: string;
  /** The address to return to. */
  back: string;
  /** The statement's owner. */
  name: string;
  mode: 'live' | 'test';
}

/** A statement for printing: each movement or, if there are too many, each day. */
export async function statementSheet(visit: RequestContext, sheet: Sheet): Promise<Html> {
  const words = allWords[visit.language];
  const { statement, question, from, until, back, name, mode } = sheet;
  const movements = await movementsTable(visit, question);
  return html`<main id="main" class="sheet-of-paper">
<p class="bar no-print"><a href="${back}">${words.back}</a>
<button class="button primary" data-print hidden>${words.print}</button><span class="hint" data-print-hint>${words.printHint}</span></p>
<h1>${named(name)}</h1>
<p>${words.statement}: ${calendarDay(visit, from)} – ${calendarDay(visit, until)}</p>
${mode === 'test' ? html`<p><b>${words.testNote}</b></p>` : undefined}
${statementSums(visit, statement)}
${movements ?? statementDays(visit, statement)}
<p class="hint">${words.made} ${instant(inZone(visit, statement.timeZone), visit.nowMs)} (${timeZoneName(visit.language, statement.timeZone)}). ${movements ? undefined : words.returnedHint}</p>
</main>`;
}

/** Each movement with the balance after it; undefined without movements, or with too many for paper. */
async function movementsTable(
  visit: RequestContext,
  question: StatementQuestion,
): Promise<Html | undefined> {
  const words = allWords[visit.language];
  const { database, staff } = visit.services;
  const found = await withMovements(database, question, async ({ timeZone }, pages) => {
    const movements: Movement[] = [];
    for await (const page of pages) {
      movements.push(...page);
      if (movements.length > mostOnPaper) return undefined;
    }
    return { movements, timeZone };
  }).catch((error: unknown) => {
    if (!(error instanceof StatementMismatch)) throw error;
    // The days come from the balance; "zimbo ledger check" finds postings that they lack.
    staff.log.error({ err: error }, 'a statement does not add up');
    return undefined;
  });
  if (found === undefined || found.movements.length === 0) return undefined;
  const { movements, timeZone } = found;
  const minor = (value: bigint) => amount(visit, value, question.currency);
  return table<Movement>(
    words.movements,
    [
      { head: words.when, cell: ({ atMs }) => instant(inZone(visit, timeZone), atMs) },
      { head: words.movement, cell: ({ type }) => words.types[type] },
      { head: words.reference, cell: ({ id }) => html`<code class="id">${id}</code>` },
      { head: words.amount, isNumber: true, cell: ({ amountMinor }) => minor(amountMinor) },
      { head: words.balanceAfter, isNumber: true, cell: ({ balanceMinor }) => minor(balanceMinor) },
    ],
    movements,
  );
}
