import type { FastifyReply, FastifyRequest } from 'fastify';
import { askToWait, publicError, reportFault, statusOf } from '../../platform/http/errors.ts';
import { type Html, html } from '../../platform/text/html.ts';
import { MerchantSuspended } from '../../platform/values/merchant-terms.ts';
import { plainPage } from './layout.ts';
import { OpensNothing } from './navigation.ts';
import { words as navigationWords } from './navigation.words.ts';
import { ForeignForm } from './session.ts';
import { type CommonWords, commonWords, type Language } from './words/common.ts';

/** A page with a problem and its remedy. */
export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { language, root }: { language: Language; root: string },
): void {
  const { code } = publicError(error);
  if (statusOf[code] === 500)
    reportFault(error, { request, reply }, 'a page of the console failed');
  const words = commonWords[language];
  const {
    title,
    hint,
    way = { page: '/console', text: words.problem.back },
  } = error instanceof OpensNothing
    ? opensNothing(language)
    : problemOf(error, code, words, request.id);
  askToWait(code, reply);
  const content = html`<h1>${title}</h1>${hint}<p><a href="${root}${way.page}">${way.text}</a></p>`;
  reply
    .code(statusOf[code])
    .header('content-type', 'text/html; charset=utf-8')
    .send(plainPage({ language, root, title }, content));
}

interface Problem {
  title: string;
  hint: Html;
  /** Where to go on; by default to the start. */
  way?: { page: string; text: string };
}

/** The start would lead back here; the account has a button to sign out. */
function opensNothing(language: Language): Problem {
  const words = navigationWords[language];
  const way = { page: '/console/account', text: commonWords[language].account };
  return { title: words.opensNothing, hint: html`<p>${words.opensNothingHint}</p>`, way };
}

/** Only a form with a file can be. */
const isTooLarge = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'FST_ERR_CTP_BODY_TOO_LARGE';

function problemOf(
  error: unknown,
  code: keyof typeof statusOf,
  { problem, errors, suspended }: CommonWords,
  requestId: string,
): Problem {
  const said = (title: string, hint: string) => ({ title, hint: html`<p>${hint}</p>` });
  if (error instanceof ForeignForm) return said(problem.refused, problem.foreign);
  if (code === 'NOT_FOUND') return said(problem.notFound, problem.notFoundHint);
  if (error instanceof MerchantSuspended) return said(problem.refused, suspended);
  if (code === 'FORBIDDEN') return said(problem.forbidden, problem.forbiddenHint);
  if (isTooLarge(error)) return said(problem.refused, problem.tooLarge);
  if (code === 'RATE_LIMITED') return said(problem.tooMany, errors.RATE_LIMITED);
  if (code === 'UNAVAILABLE') return said(problem.away, errors.UNAVAILABLE);
  if (code !== 'INTERNAL_ERROR') return said(problem.refused, errors[code]);
  return {
    title: problem.fault,
    hint: html`<p>${problem.faultHint}</p><p><code>${requestId}</code></p>`,
  };
}
