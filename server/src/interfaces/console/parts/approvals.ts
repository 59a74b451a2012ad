import type { ListedApproval } from '../../../backoffice/approvals/list.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApprovalWords } from './approvals.words.ts';
import { button, form, hidden, notice } from './form.ts';
import { instant } from './format.ts';
import { type Fact, facts, table } from './table.ts';

/** The differences between merchants' and staff lists. */
export interface ApprovalArea<Visiting extends RequestContext, Row extends ListedApproval> {
  words: ApprovalWords;
  /** The exact effect; the first two entries distinguish requests. */
  asked(visit: Visiting, row: Row): Fact[];
  /** Whether the visitor made the request. */
  isAsker(visit: Visiting, row: Row): boolean;
  /** Whether the visitor's role may decide it. */
  mayDecide(visit: Visiting, row: Row): boolean;
  /** The suffix of the names of its actions. */
  suffix(row: Row): string;
  /** The target of its form; by default the current page. */
  address?(visit: Visiting, row: Row): string | undefined;
  /** The full details of its subject. */
  more?(visit: Visiting, row: Row): Html | undefined;
  /** The requester's action on an approved request. */
  collect?(visit: Visiting, row: Row): Html | undefined;
}

/** An open request: its effect, its requester, and the buttons, or why there are none. */
export function approvalCard<Visiting extends RequestContext, Row extends ListedApproval>(
  area: ApprovalArea<Visiting, Row>,
  visit: Visiting,
  row: Row,
): Html {
  const { words } = area;
  const tries =
    row.tryCount === 0 ? undefined : html`<p class="notice bad">${words.triedAgain}</p>`;
  return html`<section class="card"><h3>${words.kinds[row.kind]}</h3>
${facts([
  ...area.asked(visit, row),
  [words.askedBy, asker(area, visit, row)],
  [words.asked, instant(visit, row.askedAtMs)],
  [words.state, words.statuses[row.status]],
  [words.openUntil, row.status === 'PENDING' ? instant(visit, row.expiresAtMs) : undefined],
])}${area.more?.(visit, row)}${tries}${buttons(area, visit, row)}</section>`;
}

function asker<Visiting extends RequestContext, Row extends ListedApproval>(
  { words }: ApprovalArea<Visiting, Row>,
  visit: Visiting,
  { askedBy, askerName }: Row,
): Html {
  if (askedBy === visit.person.id) return html`${words.you}`;
  return html`${askerName === null ? words.gone : named(askerName)}`;
}

function buttons<Visiting extends RequestContext, Row extends ListedApproval>(
  area: ApprovalArea<Visiting, Row>,
  visit: Visiting,
  row: Row,
): Html | undefined {
  const { words } = area;
  const request = hidden('request', formatId('ap', row.id));
  const address = area.address?.(visit, row);
  const sent = address === undefined ? undefined : html` action="${address}"`;
  if (row.status === 'APPROVED') return area.collect?.(visit, row);
  if (row.askedBy === visit.person.id) {
    return html`<p class="hint">${words.notYou}</p>${form(visit, html`${request}${button('cancel', words.cancel, 'plain')}`, sent)}`;
  }
  if (area.isAsker(visit, row)) return html`<p class="hint">${words.notYourOther}</p>`;
  if (row.expiresAtMs <= visit.nowMs) return html`<p class="hint">${words.isExpired}</p>`;
  if (!area.mayDecide(visit, row)) return html`<p class="hint">${words.notYourRole}</p>`;
  const suffix = area.suffix(row);
  return form(
    visit,
    html`${request}<p class="bar">${button(`approve${suffix}`, words.approve)}${button(`reject${suffix}`, words.reject, 'danger')}</p>`,
    sent,
  );
}

/** Closed requests, with the reasons. */
export function approvalHistory<Visiting extends RequestContext, Row extends ListedApproval>(
  area: ApprovalArea<Visiting, Row>,
  visit: Visiting,
  rows: readonly Row[],
): Html {
  const { words } = area;
  return table<Row>(
    words.history,
    [
      { head: words.asked, cell: ({ askedAtMs }) => instant(visit, askedAtMs) },
      {
        head: words.what,
        cell: (row) => {
          const said = area.asked(visit, row).map(([, value]) => value ?? undefined);
          return html`<div>${words.kinds[row.kind]} ${said[1]} ${said[0]}</div>`;
        },
      },
      { head: words.askedBy, cell: (row) => asker(area, visit, row) },
      {
        head: words.decidedBy,
        cell: ({ deciderName }) => (deciderName === null ? undefined : html`${named(deciderName)}`),
      },
      { head: words.state, cell: (row) => outcome(area, visit, row) },
    ],
    rows,
  );
}

function outcome<Visiting extends RequestContext, Row extends ListedApproval>(
  { words }: ApprovalArea<Visiting, Row>,
  { words: common }: RequestContext,
  { status, failure, remark }: Row,
): Html {
  const errors: Record<string, string> = common.errors;
  const why =
    failure === null ? undefined : (words.failures[failure] ?? errors[failure] ?? failure);
  const see = status === 'DONE' && remark !== null ? words.warnings[remark] : undefined;
  return html`<div>${words.statuses[status]}${why === undefined ? undefined : html`<p class="hint">${why}</p>`}${see === undefined ? undefined : html`<p class="notice bad">${see}</p>`}</div>`;
}

/** Describes why a decision failed, with a status for the response; throws on any other error. */
export function refusedDecision(words: ApprovalWords, error: unknown) {
  if (!(error instanceof DomainError)) throw error;
  const said = words.refused[error.code];
  if (said === undefined) throw error;
  return { problem: notice(said, 'bad'), status: error.code === 'FORBIDDEN' ? 403 : 409 };
}
