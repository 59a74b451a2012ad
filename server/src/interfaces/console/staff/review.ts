import { closeReview } from '../../../backoffice/resolutions/close.ts';
import { confirmFinding } from '../../../backoffice/resolutions/confirm-finding.ts';
import { idOf } from '../../../backoffice/resolutions/describe-case.ts';
import { findWaiting, NothingThere } from '../../../backoffice/resolutions/find-case.ts';
import { writtenFinding } from '../../../backoffice/resolutions/finding.ts';
import { findingOf } from '../../../backoffice/resolutions/parse-finding.ts';
import { resolveReview } from '../../../backoffice/resolutions/resolve.ts';
import {
  type Doubt,
  NotConfirmed,
  ReviewRefusal,
} from '../../../backoffice/resolutions/review-error.ts';
import { rowIdOf, type Waiting } from '../../../money/review/open-cases.ts';
import { DomainError, notFound } from '../../../platform/errors/errors.ts';
import { html } from '../../../platform/text/html.ts';
import { money } from '../../../storefront/checkout/page/money.ts';
import type { Redirect, StaffAction, StaffPage, View } from '../page.ts';
import { askerOf } from '../parts/approval-actor.ts';
import { notice } from '../parts/form.ts';
import { formErrors } from '../parts/form-errors.ts';
import { keyedRequest } from '../parts/idempotency-key.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { reviewCard } from './review-card.ts';
import {
  closeForm,
  type Mistakes,
  reasonIn,
  resolveForms,
  type Shown,
  saidIn,
} from './review-forms.ts';
import { words as allWords } from './reviews.words.ts';

/** One case that needs a person: both sides, all known facts, and the forms that decide it. */
export const reviewPage: StaffPage = {
  path: 'reviews/:id',
  permission: 'reviews.read',
  show: (visit) => view(visit, { sent: visit.kept }),
  actions: { resolve: decision(resolve), close: decision(close) },
};

/** @throws NOT_FOUND if the object does not exist, or has no open case */
async function waitingOf({ services, params }: StaffContext): Promise<Waiting[]> {
  try {
    return await findWaiting(services, params.id ?? '');
  } catch (error) {
    throw error instanceof NothingThere ? notFound('review') : error;
  }
}

type Decide = (visit: StaffContext, sent: SentForm) => Promise<Redirect>;

function decision(decide: Decide): StaffAction {
  return {
    permission: 'reviews.resolve',
    isSensitive: true,
    async run(visit, sent): Promise<View | Redirect> {
      try {
        return await decide(visit, sent);
      } catch (error) {
        const { mistakes, status } = mistakesOf(visit, error);
        return { ...(await view(visit, { sent, mistakes })), status };
      }
    },
  };
}

/** Problems that the sender can fix, or must know. */
function mistakesOf(visit: StaffContext, error: unknown): { mistakes: Mistakes; status: number } {
  const { refused, wrong, changed, notConfirmed } = allWords[visit.language];
  if (error instanceof ReviewRefusal) {
    if (error.why === 'OTHER_AMOUNT') {
      return { mistakes: { amount: wrong.otherAmount, asksForOther: true }, status: 400 };
    }
    if (error instanceof NotConfirmed) {
      const operatorTransaction = notConfirmed(doubtIn(visit, error.doubt));
      return { mistakes: { operatorTransaction, asksToInsist: true }, status: 400 };
    }
    return { mistakes: { page: refused[error.why] }, status: 409 };
  }
  if (error instanceof NothingThere) return { mistakes: { page: changed }, status: 409 };
  if (error instanceof DomainError && error.code === 'INVALID_STATE') {
    return { mistakes: { page: changed }, status: 409 };
  }
  return { mistakes: formErrors(visit, error, { wrong }), status: 400 };
}

function doubtIn({ language }: StaffContext, doubt: Doubt): string {
  const { doubts } = allWords[language];
  if (doubt.kind !== 'AMOUNT') return doubts[doubt.kind];
  return doubts.AMOUNT(money(doubt.toldMinor, doubt.currency, language));
}

const resolverOf = ({ services, author }: StaffContext) => {
  const { database, clock, ids, staff } = services;
  return { database, clock, ids, config: staff.config, log: staff.log, ...author };
};

async function resolve(visit: StaffContext, sent: SentForm): Promise<Redirect> {
  const [waiting] = await waitingOf(visit);
  const { said, note } = saidIn(sent);
  const { subject } = waiting!;
  if (!subject) throw new ReviewRefusal('NOTHING_BOOKED', 'there is nothing to resolve');
  const finding = findingOf(said, subject.kind);
  const isOther = finding.kind === 'DEBITED' && finding.amountMinor !== subject.amountMinor;
  if (isOther && !finding.isOtherAmount) throw new ReviewRefusal('OTHER_AMOUNT', 'not confirmed');
  const about = idOf(waiting!);
  if (visit.services.fourEyes.has('reviews')) {
    const confirmed = await confirmFinding(resolverOf(visit), subject, finding);
    const asked = { finding: writtenFinding(confirmed), note: note ?? null };
    const wanted = { subjectId: rowIdOf(waiting!), about, ...asked };
    await visit.services.askApproval.review(asking(visit, sent, waiting!, asked), wanted);
    return { to: visit.to('approvals', { done: 'asked' }) };
  }
  await resolveReview(resolverOf(visit), about, () => finding, note);
  return { to: visit.to('reviews', { done: 'resolved' }) };
}

async function close(visit: StaffContext, sent: SentForm): Promise<Redirect> {
  const waiting = await waitingOf(visit);
  const item = sent.text('item');
  const one = waiting.find((each) => idOf(each) === item);
  if (!one) throw notFound('review');
  const reason = reasonIn(sent, item);
  if (visit.services.fourEyes.has('reviews')) {
    const wanted = { subjectId: rowIdOf(one), about: item, reason };
    await visit.services.askApproval.closing(asking(visit, sent, one, { reason }), wanted);
    return { to: visit.to('approvals', { done: 'asked' }) };
  }
  await closeReview(resolverOf(visit), item, reason);
  return { to: visit.to('reviews', { done: 'closed' }) };
}

const asking = (visit: StaffContext, sent: SentForm, { tenantId }: Waiting, asked: object) => ({
  tenantId,
  asker: askerOf(visit),
  key: keyedRequest(sent, asked).key,
});

async function view(visit: StaffContext, shown: Shown): Promise<View> {
  const words = allWords[visit.language];
  const waiting = await waitingOf(visit);
  const [first] = waiting;
  const { page } = shown.mistakes ?? {};
  const isOpen = waiting.some(({ item }) => !item?.closedAtMs);
  const decides = isOpen && visit.can('reviews.resolve');
  const main = html`${page === undefined ? undefined : notice(page, 'bad')}
${waiting.map((each) => reviewCard(visit, each))}
${decides ? resolveForms(visit, first!, shown) : undefined}
${decides ? waiting.flatMap((each) => closeForm(visit, each, shown) ?? []) : undefined}`;
  return { title: words.one, main, scripts: ['developers.css', 'staff.css'] };
}
