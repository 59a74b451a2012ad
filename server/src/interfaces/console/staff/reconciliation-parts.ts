import type { StoredDifference } from '../../../backoffice/reconciliations/difference.ts';
import type { StoredReconciliation } from '../../../backoffice/reconciliations/reconciliation.ts';
import { findReconciliation } from '../../../backoffice/reconciliations/store.ts';
import { namesOfPeople } from '../../../platform/audit/list-by-merchant.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { nameText } from '../../../storefront/checkout/page/state.ts';
import { amount, count, given, instant, status } from '../parts/format.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './reconciliation.words.ts';

export const wordsOf = ({ language }: Pick<StaffContext, 'language'>) => allWords[language];

/** The reconciliation of the address. @throws NOT_FOUND */
export async function loadReconciliation({
  params,
  services,
}: StaffContext): Promise<StoredReconciliation> {
  const id = parseId('rc', params.id ?? '');
  const found = id === undefined ? undefined : await findReconciliation(services.database, id);
  if (!found) throw notFound('reconciliation');
  return found;
}

export const addressOf = (visit: StaffContext, { id }: Pick<StoredReconciliation, 'id'>) =>
  visit.to(`reconciliations/${formatId('rc', id)}`);

export const pageOf = ({ id }: Pick<StoredReconciliation, 'id'>) =>
  `reconciliations/${formatId('rc', id)}`;

export const differencePath = ({
  reconciliationId,
  id,
}: Pick<StoredDifference, 'reconciliationId' | 'id'>) =>
  `${pageOf({ id: reconciliationId })}/differences/${formatId('rd', id)}`;

export type Names = ReadonlyMap<string, string>;

const personOf = (actor: string) => parseId('pe', actor.replace(/^person:/, ''));

/** The names of authors, by id. */
export async function namesOf(
  { services }: StaffContext,
  actors: readonly (string | null)[],
): Promise<Names> {
  const ids = actors.map((actor) => (actor === null ? undefined : personOf(actor)));
  const known = [...new Set(ids.filter((id) => id !== undefined))];
  if (known.length === 0) return new Map();
  const people = await namesOfPeople(services.database, known);
  return new Map(people.map(({ id, name }) => [id, name]));
}

/** Deleted people and keys appear by id. */
export function actorText(actor: string | null, names: Names): Html | undefined {
  if (actor === null) return undefined;
  return given(nameText(names.get(personOf(actor) ?? '') ?? actor));
}

export const stateText = (visit: StaffContext, { status: state }: StoredReconciliation): Html =>
  html`<span class="status" data-status="${state}">${wordsOf(visit).states[state]}</span>`;

export const periodText = (
  visit: StaffContext,
  { fromAtMs, untilAtMs, askedFromMs, askedUntilMs }: StoredReconciliation,
): Html | undefined => {
  const [fromMs, untilMs] = [fromAtMs ?? askedFromMs, untilAtMs ?? askedUntilMs];
  if (fromMs === null || untilMs === null) return undefined;
  // The end is exclusive.
  return html`${instant(visit, fromMs)} ${wordsOf(visit).until} ${instant(visit, untilMs - 1)}`;
};

/** The progress, in words and as a bar. */
export function progressBar(
  visit: StaffContext,
  { differenceCount: all, openCount: open }: StoredReconciliation,
): Html | undefined {
  if (all === 0) return undefined;
  const words = wordsOf(visit);
  return html`<progress aria-label="${words.progress}" value="${all - open}" max="${all}"></progress> ${words.worked(count(visit, all - open), count(visit, all))}`;
}

/** One side of a difference; a dash if it is missing. */
export function sideText(
  visit: StaffContext,
  minor: bigint | null,
  currency: string | null,
  state: string | null,
): Html {
  if (minor === null) return html`${visit.words.none}`;
  return html`${amount(visit, minor, currency ?? '')} ${state === null ? undefined : status(visit, state)}`;
}

export const listedSide = (visit: StaffContext, each: StoredDifference) =>
  sideText(visit, each.listedMinor, each.listedCurrency, each.listedStatus);
export const bookedSide = (visit: StaffContext, each: StoredDifference) =>
  sideText(visit, each.bookedMinor, each.bookedCurrency, each.bookedStatus);

/** The actions on a difference so far, with their authors. */
export function madeOf(visit: StaffContext, each: StoredDifference, names: Names): Html {
  const words = wordsOf(visit);
  const state = html`<span class="status" data-status="${each.status}">${words.differenceStates[each.status]}</span>`;
  const asked =
    each.askedAtMs === null
      ? undefined
      : html`<span class="under">${words.asked}: ${instant(visit, each.askedAtMs)}</span>`;
  const review =
    each.reviewId === null
      ? undefined
      : html`<span class="under"><a href="${visit.to(`reviews/${formatId('ri', each.reviewId)}`)}">${words.inReview}</a></span>`;
  const why =
    each.status === 'EXPLAINED' && each.reason !== null
      ? html`<span class="under">${words.reasons[each.reason]}${each.note === null ? undefined : html`: ${given(each.note)}`}</span>`
      : undefined;
  const number =
    each.operatorReference === null
      ? undefined
      : html`<span class="under">${given(each.operatorReference)}</span>`;
  const who =
    each.decidedAtMs === null
      ? undefined
      : html`<span class="under">${actorText(each.decidedBy, names)}, ${instant(visit, each.decidedAtMs)}</span>`;
  return html`<span>${state}${why}${number}${who}${asked}${review}</span>`;
}
