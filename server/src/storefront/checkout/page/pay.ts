import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CancelPayment } from '../../../money/payments/cancel.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import { normalizePhone } from '../../../platform/values/phone.ts';
import type { AttemptPayment } from '../attempt.ts';
import type { AttemptProofs } from '../attempt-proofs.ts';
import { CustomerLimiter, type LinkDependencies, tooMany } from './authenticate.ts';
import type { Entry } from './form.ts';
import { paymentPage } from './payment-page.ts';
import { countryOf, internationalPhone, isOfCountry } from './phone.ts';
import { queryOf } from './query-parameters.ts';
import { mayChange, type PaymentPage } from './state.ts';

export interface PayDependencies {
  clock: Clock;
  attemptPayment: AttemptPayment;
  cancelPayment: CancelPayment;
  attemptProofs: AttemptProofs;
  makeBuckets: LinkDependencies['makeBuckets'];
  attemptsPerAddress: Record<'live' | 'test', { count: number; windowMs: number } | undefined>;
}

/** The customer's input on the page of a link. */
export type TakeForm = (
  page: PaymentPage,
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void>;

/** Post, redirect, get: whatever the attempt's outcome, the page shows the session as it is then. */
export function makeTakeForm(dependencies: PayDependencies): TakeForm {
  const pay = payer(dependencies);
  return async (page, token, request, reply) => {
    refuseForeignForm(request);
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    if (!form.has('change')) return pay(page, token, form, request, reply);
    if (isOfLatest(page, form)) await takeBack(dependencies, page);
    redirect(page, token, page.mine, reply);
  };
}

function payer({ clock, attemptPayment, attemptProofs, ...rest }: PayDependencies) {
  const { attemptsPerAddress, makeBuckets } = rest;
  const limiters = {
    live: new CustomerLimiter('live attempts', attemptsPerAddress.live, makeBuckets),
    test: new CustomerLimiter('test attempts', attemptsPerAddress.test, makeBuckets),
  };
  return async (
    page: PaymentPage,
    token: string,
    form: URLSearchParams,
    { ip }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    const { entry, choice } = readForm(page, form);
    const again = (status: number, wrong: Partial<Entry> = {}) =>
      void reply.code(status).send(paymentPage(page, token, { ...entry, ...wrong }));
    if (!choice) return again(400);
    // A form sent twice, or a form from before another attempt, only shows the page.
    if (!isOfLatest(page, form)) return redirect(page, token, page.mine, reply);
    const limiter = limiters[page.shop.mode];
    const { tenantId } = page.session;
    const refusal = await limiter.refusal(ip, tenantId, clock.nowMs());
    if (refusal) throw tooMany(reply, refusal);
    const outcome = await attemptPayment(page.session, page.shop, choice).catch(unlessRefused);
    if (outcome === 'NOT_NOW' || outcome === 'NO_SLOT')
      limiter.giveBack(ip, tenantId, clock.nowMs());
    if (outcome === 'NOT_NOW') return again(403, { operatorError: page.words.shopNotNow });
    if (outcome === 'TOO_MANY_PROMPTS')
      return again(429, { phoneError: page.words.tooManyForPhone });
    const mine = outcome === 'NO_SLOT' ? page.mine : attemptProofs.of({ tenantId, id: outcome.id });
    redirect(page, token, mine, reply);
  };
}

const isOfLatest = ({ session }: PaymentPage, form: URLSearchParams): boolean =>
  form.get('attempt') === String(session.attemptCount);

/**
 * The number was wrong: the attempt is cancelled, which frees the session for another. The cancel is one
 * compare-and-set on the attempt that the page showed, so a debit that came first stands, and a debit that comes
 * later goes back to its payer like any late debit. It prompts nobody: the next attempt is a prompt like every other.
 */
async function takeBack({ cancelPayment }: PayDependencies, page: PaymentPage): Promise<void> {
  const { tenantId, latestPaymentId } = page.session;
  if (latestPaymentId === null || !mayChange(page)) return;
  await cancelPayment(tenantId, latestPaymentId).catch(unlessEnded);
}

/** The attempt was debited or ended while the customer read the page; the page then says so. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof DomainError && error.code === 'INVALID_STATE')) throw error;
}

/** Relative, so that it works behind a proxy that adds a path. */
function redirect(
  { lang, frame }: PaymentPage,
  token: string,
  mine: string | undefined,
  reply: FastifyReply,
): void {
  reply
    .code(303)
    .header('location', `${token}${queryOf({ lang, mine, frame })}`)
    .send('');
}

/** The shop's terms forbid the payment: the customer can do nothing about that here. */
function unlessRefused(error: unknown): 'NOT_NOW' {
  if (error instanceof DomainError && error.code === 'FORBIDDEN') return 'NOT_NOW';
  throw error;
}

/** No cookie is at stake, since the link alone is the credential; still, only our own page may send its form. */
export function refuseForeignForm({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new DomainError('VALIDATION_ERROR', 'The form was sent by another site.');
}

function readForm({ session, operators, words }: PaymentPage, form: URLSearchParams) {
  const text = (name: string) => form.get(name) ?? '';
  const entry: Entry = {
    phone: text('phone'),
    operator: text('operator'),
  };
  const country = countryOf[session.currency];
  const phone = normalizePhone(internationalPhone(entry.phone, country.callingCode));
  const operator = operators.find((name) => name === entry.operator);
  if (phone === undefined) entry.phoneError = words.phoneWrong(country.example);
  else if (!isOfCountry(phone, country)) {
    entry.phoneError = words.phoneOfOtherCountry(session.currency);
  }
  if (operator === undefined) entry.operatorError = words.operatorMissing;
  const isRight = phone && operator && entry.phoneError === undefined;
  return { entry, choice: isRight ? { phone, operator } : undefined };
}
