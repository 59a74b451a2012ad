import {
  type BankStatement,
  isProposal,
  type StatementLine,
} from '../../../backoffice/bank-statements/bank-statement.ts';
import { confirmLines, dismissLines } from '../../../backoffice/bank-statements/confirm.ts';
import {
  findBankStatement,
  findLeftOver,
  type LeftOver,
  linesOf,
} from '../../../backoffice/bank-statements/store.ts';
import { completeByHand } from '../../../money/settlements/manual-outcome.ts';
import type { Settlement } from '../../../money/settlements/settlement.ts';
import { ApprovalNeeded, DomainError, notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { currencies } from '../../../platform/values/money.ts';
import type { Redirect, StaffPage, View } from '../page.ts';
import { askerOf } from '../parts/approval-actor.ts';
import { button, checkbox, form, notice } from '../parts/form.ts';
import { calendarDay, count, given, idText, instant, status } from '../parts/format.ts';
import { keyedRequest, keyField } from '../parts/idempotency-key.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { amountColumn, type Column, facts, table } from '../parts/table.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { daysText } from './bank-statements.ts';
import { words as allWords } from './bank-statements.words.ts';

const shownLeftOver = 100;

/** The lines of a bank statement that concern payouts: a person confirms each proposal, or all exact ones. */
export const bankStatementPage: StaffPage = {
  path: 'bank-statements/:id',
  permission: 'settlements.read',
  show: (visit) => view(visit),
  actions: {
    all: { permission: 'settlements.decide', isSensitive: true, run: confirmExact },
    confirm: { permission: 'settlements.decide', isSensitive: true, run: confirmChosen },
    dismiss: { permission: 'settlements.decide', run: dismiss },
  },
};

/** @throws NOT_FOUND */
async function statementOf({ services, params }: StaffContext): Promise<BankStatement> {
  const id = parseId('bs', params.id ?? '');
  const found = id && (await findBankStatement(services.database, id));
  if (!found) throw notFound('bank statement');
  return found;
}

const chosenIn = (sent: SentForm): number[] =>
  sent.all('line').flatMap((text) => (/^\d{1,9}$/.test(text) ? Number(text) : []));

async function confirmExact(visit: StaffContext, sent: SentForm): Promise<View | Redirect> {
  const { id } = await statementOf(visit);
  const lines = await linesOf(visit.services.database, id);
  const exact = lines.filter((each) => isProposal(each) && each.kind === 'EXACT');
  return confirm(
    visit,
    sent,
    exact.map(({ line }) => line),
  );
}

function confirmChosen(visit: StaffContext, sent: SentForm): Promise<View | Redirect> {
  return confirm(visit, sent, chosenIn(sent));
}

async function confirm(
  visit: StaffContext,
  sent: SentForm,
  lines: readonly number[],
): Promise<View | Redirect> {
  const words = allWords[visit.language];
  if (lines.length === 0) return refused(visit, words.none);
  const { id } = await statementOf(visit);
  try {
    const settlements = await confirmLines({ ...visit.services, ...visit.author }, id, lines);
    const done =
      sent.text('complete') === '1' ? await complete(visit, sent, settlements) : 'confirmed';
    return { to: visit.to(visit.page, { done }) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'INVALID_STATE') throw error;
    return refused(visit, words.changed);
  }
}

/** Completes payouts as on their own pages: under four eyes, another person must approve. */
async function complete(
  visit: StaffContext,
  sent: SentForm,
  settlements: readonly Settlement[],
): Promise<'completed' | 'asked'> {
  const { services, author } = visit;
  const { payoutFolder } = services.staff;
  let done: 'completed' | 'asked' = 'completed';
  for (const seen of settlements.filter((each) => each.status === 'PROCESSING')) {
    try {
      await completeByHand({ ...services, payoutFolder, ...author }, seen);
    } catch (error) {
      if (!(error instanceof ApprovalNeeded)) throw error;
      const { key } = keyedRequest(sent, { settlement: seen.id, to: 'COMPLETE' });
      // One form asks for several payouts, perhaps of one shop in two currencies.
      const own = `${key} ${seen.id}`;
      const asking = { tenantId: seen.tenantId, asker: askerOf(visit), key: own };
      await services.askApproval.settlement(asking, { settlementId: seen.id, to: 'COMPLETE' });
      done = 'asked';
    }
  }
  return done;
}

async function dismiss(visit: StaffContext, sent: SentForm): Promise<View | Redirect> {
  const { id } = await statementOf(visit);
  const removed = await dismissLines({ ...visit.services, ...visit.author }, id, chosenIn(sent));
  if (removed === 0) return refused(visit, allWords[visit.language].none);
  return { to: visit.to(visit.page, { done: 'dismissed' }) };
}

async function refused(visit: StaffContext, problem: string): Promise<View> {
  return { ...(await view(visit, problem)), status: 409 };
}

async function view(visit: StaffContext, problem?: string): Promise<View> {
  const words = allWords[visit.language];
  const { database } = visit.services;
  const statement = await statementOf(visit);
  const lines = await linesOf(database, statement.id);
  const found = [...new Set(lines.map(({ currency }) => currency))];
  // A statement without any of our lines still shows what it lacks.
  const of = found.length === 0 ? currencies : found;
  const left = await findLeftOver(database, statement, of, shownLeftOver);
  const main = html`${problem === undefined ? doneNotice(visit, words.done) : notice(problem, 'bad')}
<section class="card">${facts([
    [words.file, given(statement.fileName, 100)],
    [words.days, daysText(visit, statement)],
    [words.lines, count(visit, statement.lineCount)],
    [words.uploaded, instant(visit, statement.createdAtMs)],
  ])}</section>
${proposals(visit, lines)}
${section(visit, words.odd, words.oddHint, lines.filter(isOdd))}
${leftOver(visit, left)}
${section(
  visit,
  words.confirmed,
  undefined,
  lines.filter(({ confirmedAtMs }) => confirmedAtMs !== null),
)}`;
  return { title: words.one, main, scripts: ['money.css', 'staff.css'] };
}

const isOdd = (line: StatementLine) => line.confirmedAtMs === null && !isProposal(line);

function columnsOf(visit: StaffContext): Column<StatementLine>[] {
  const words = allWords[visit.language];
  return [
    { head: words.day, cell: ({ day }) => (day === null ? undefined : calendarDay(visit, day)) },
    amountColumn<StatementLine>(visit, words.amount, ({ amountMinor }) => amountMinor),
    { head: words.bankReference, cell: ({ bankReference }) => given(bankReference, 60) },
    { head: words.kind, cell: ({ kind }) => words.kinds[kind] },
    { head: words.payout, cell: ({ settlementId }) => payoutLink(visit, settlementId) },
  ];
}

function payoutLink(visit: StaffContext, id: string | null): Html | undefined {
  if (id === null) return undefined;
  return html`<a href="${visit.to(`settlements/${formatId('se', id)}`)}">${idText('se', id)}</a>`;
}

function proposals(visit: StaffContext, lines: readonly StatementLine[]): Html {
  const words = allWords[visit.language];
  const open = lines.filter(isProposal);
  const heading = html`<section><h2>${words.proposals}</h2></section>`;
  if (open.length === 0) return html`${heading}<p>${words.noProposals}</p>`;
  const columns = columnsOf(visit);
  if (!visit.can('settlements.decide')) {
    return html`${heading}${table(words.proposals, columns, open)}`;
  }
  const box = ({ line }: StatementLine) =>
    html`<input type="checkbox" name="line" value="${line}" aria-label="${words.choose(String(line))}">`;
  const chosen: Column<StatementLine>[] = [{ head: words.line, cell: box }, ...columns];
  const exact = open.filter(({ kind }) => kind === 'EXACT').length;
  const asks = visit.services.fourEyes.has('settlements') ? notice(words.asks) : undefined;
  const fields = html`<div class="differences">${table(words.proposals, chosen, open)}</div>
<section class="card">${keyField(visit)}${checkbox('complete', words.complete, '1')}${asks}
<p class="bar">${exact === 0 ? undefined : button('all', words.confirmAll(exact))} ${button('confirm', words.confirm, 'plain')} ${button('dismiss', words.dismiss, 'plain')}</p></section>`;
  return html`${heading}<p class="hint">${words.proposalsHint}</p>${form(visit, fields)}`;
}

function section(
  visit: StaffContext,
  title: string,
  hint: string | undefined,
  lines: readonly StatementLine[],
): Html | undefined {
  if (lines.length === 0) return undefined;
  return html`<section><h2>${title}</h2></section>${hint === undefined ? undefined : html`<p class="hint">${hint}</p>`}
${table(title, columnsOf(visit), lines)}`;
}

function leftOver(visit: StaffContext, found: readonly LeftOver[]): Html | undefined {
  const words = allWords[visit.language];
  if (found.length === 0) return undefined;
  const columns: Column<LeftOver>[] = [
    { head: words.day, cell: ({ processedAtMs }) => instant(visit, processedAtMs) },
    amountColumn<LeftOver>(visit, words.amount, ({ netMinor }) => netMinor),
    { head: words.status, cell: (row) => status(visit, row.status) },
    { head: words.payout, cell: ({ id }) => payoutLink(visit, id) },
  ];
  return html`<section><h2>${words.leftOver}</h2></section><p class="hint">${words.leftOverHint}</p>
${table(words.leftOver, columns, found.slice(0, shownLeftOver))}
${found.length > shownLeftOver ? html`<p class="hint">${words.moreLeftOver}</p>` : undefined}`;
}
