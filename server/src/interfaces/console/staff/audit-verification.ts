import type { ListedRecord } from '../../../platform/audit/store.ts';
import { latestVerification, type VerificationRun } from '../../../platform/audit/verifier.ts';
import { parseHead } from '../../../platform/audit/verify.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import type { Redirect, StaffPage, View } from '../page.ts';
import { actorOf } from '../parts/audit-log.ts';
import { button, field, form, notice } from '../parts/form.ts';
import { count, given, instant } from '../parts/format.ts';
import { plainText } from '../parts/plain-text.ts';
import { facts } from '../parts/table.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { words as allWords } from './audit-verification.words.ts';

/** Verifies all seals of the audit log; the page follows the run to its end. */
export const verificationPage: StaffPage = {
  path: 'audit/verification',
  permission: 'audit.read',
  show: (visit) => view(visit),
  actions: {
    verify: { permission: 'audit.read', run: begin },
  },
};

async function begin(visit: StaffContext, sent: SentForm): Promise<View | Redirect> {
  const text = sent.text('head');
  const head = parseHead(text);
  if (text !== '' && head === undefined) {
    return { ...(await view(visit, { sent, isWrong: true })), status: 400 };
  }
  const { auditVerifier } = visit.services;
  try {
    auditVerifier.begin(visit.author, head ? [head] : []);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
  // Another process may serve the page, and learns of the run from the log.
  await auditVerifier.recorded;
  return { to: visit.to('audit/verification') };
}

/** After this long, a run of another process without a recorded end has died. */
const longestMs = 1_800_000;

async function view(
  visit: StaffContext,
  { sent, isWrong = false }: { sent?: SentForm; isWrong?: boolean } = {},
): Promise<View> {
  const words = allWords[visit.language];
  const { auditVerifier, database } = visit.services;
  const { verified, begun } = await latestVerification(database);
  const own = ownUnlessLater(auditVerifier.last, [begun, verified]);
  const isElsewhere = begun !== undefined && visit.nowMs - begun.atMs < longestMs;
  const isRunning = own !== undefined ? own.endedAtMs === undefined : isElsewhere;
  const main = html`<p>${words.what}</p>
${own === undefined ? elsewhere(visit, isElsewhere ? begun : undefined) : ownRun(visit, own)}
${isRunning ? undefined : startCard(visit, sent, isWrong)}
${verified === undefined ? undefined : await latest(visit, verified)}
<p><a href="${visit.to('audit')}">${words.back}</a></p>`;
  const shown = { title: words.title, main };
  return isRunning ? { ...shown, refreshMs: 2_000 } : shown;
}

/** This process's result, unless another process verifies or has verified since. */
function ownUnlessLater(
  own: VerificationRun | undefined,
  told: readonly (ListedRecord | undefined)[],
) {
  const endedAtMs = own?.endedAtMs;
  const isPast =
    endedAtMs !== undefined && told.some((each) => each !== undefined && each.atMs > endedAtMs);
  return isPast ? undefined : own;
}

function elsewhere(visit: StaffContext, begun: ListedRecord | undefined): Html | undefined {
  if (begun === undefined) return undefined;
  const words = allWords[visit.language];
  return html`<p class="notice note" role="status">${words.elsewhere} ${instant(visit, begun.atMs)}.</p>`;
}

function ownRun(visit: StaffContext, { state, endedAtMs, isBroken }: VerificationRun): Html {
  const words = allWords[visit.language];
  const { sealsTotal, seals, records, result } = state;
  if (endedAtMs === undefined) {
    const total = Math.max(Number(sealsTotal), 1);
    return html`<section class="card"><h2>${words.running}</h2>
<p><progress aria-label="${words.running}" value="${Number(seals)}" max="${total}"></progress></p>
<p>${words.sofar(count(visit, Number(seals)), count(visit, Number(sealsTotal)), count(visit, records))}</p></section>`;
  }
  if (isBroken || result === undefined) return notice(words.broken, 'bad');
  const { problems, problemCount } = result;
  if (problemCount === 0) return notice(words.intact, 'good');
  const more = problemCount - problems.length;
  return html`${notice(words.notIntact(count(visit, problemCount)), 'bad')}
<section class="card"><h2>${words.problems}</h2><ol lang="en">${problems.map((each) => html`<li>${plainText(each)}</li>`)}</ol>
${more > 0 ? html`<p>${words.more(count(visit, more))}</p>` : undefined}
<p class="hint">${words.problemsHint}</p></section>`;
}

function startCard(visit: StaffContext, sent: SentForm | undefined, isWrong: boolean): Html {
  const words = allWords[visit.language];
  const error = isWrong ? words.wrongHead : undefined;
  return html`<section class="card"><h2>${words.start}</h2>
${form(
  visit,
  html`${field('head', words.head, { value: sent?.text('head'), error, hint: words.headHint, maxLength: 90, placeholder: '12:9f86d0…' })}
${button('verify', words.begin)}`,
)}</section>`;
}

/** The previous verification according to the log, of any process. */
async function latest(visit: StaffContext, verified: ListedRecord): Promise<Html> {
  const words = allWords[visit.language];
  const { atMs, actor, detail } = verified;
  const name = await actorOf(visit, verified);
  const number = (name: string) => count(visit, Number(detail[name] ?? 0));
  const text = (name: string) => (typeof detail[name] === 'string' ? detail[name] : undefined);
  return html`<section class="card"><h2>${words.latest}</h2>${facts([
    [words.when, instant(visit, atMs)],
    [words.who, html`<a href="${visit.to('audit', { actor })}">${named(name)}</a>`],
    [words.result, detail.clean === true ? words.clean : words.unclean(number('problems'))],
    [words.first, given(text('first'), 300)],
    [words.seals, number('seals')],
    [words.records, number('records')],
    [words.unsealed, number('unsealed')],
    [words.lastSeal, text('head') && html`<code class="id">${text('head')}</code>`],
  ])}
<p class="hint">${words.keepHead}</p></section>`;
}
