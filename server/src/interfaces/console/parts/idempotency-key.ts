import { invalid } from '../../../platform/errors/errors.ts';
import {
  type IdempotentRequest,
  idempotentRequest,
} from '../../../platform/idempotency/idempotency.ts';
import type { Html } from '../../../platform/text/html.ts';
import { instantOf } from '../../../platform/values/ids.ts';
import type { RequestContext, SentForm } from '../request-context.ts';
import { hidden } from './form.ts';

/**
 * The hidden key of a creating form, made with the page: the request takes effect once, however
 * often it arrives. After a mistake the key stays, because nothing was done under it.
 */
export const keyField = ({ services, nowMs }: RequestContext, sent?: SentForm): Html =>
  hidden('key', (sent && keyIn(sent)) ?? services.ids.next(nowMs));

const keyIn = (sent: SentForm) =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(sent.text('key'))?.[0];

/**
 * The key of a form, with the form's request. @throws VALIDATION_ERROR if the form has no key, so
 * it is not ours
 */
export function keyedRequest(sent: SentForm, asked: object): IdempotentRequest {
  const key = keyIn(sent);
  if (key === undefined) throw invalid('key', 'must be that of the form');
  return idempotentRequest(key, asked, () => asked)!;
}

const longestShownMs = 86_400_000;

/**
 * A form's key that becomes the id of the new object, so it must be as recent as any new id.
 * @throws VALIDATION_ERROR if the form has no key, or was open longer than a day
 */
export function freshKey({ nowMs }: RequestContext, sent: SentForm): string {
  const key = keyIn(sent);
  const ageMs = key === undefined ? Number.NaN : nowMs - instantOf(key);
  if (key === undefined || !(Math.abs(ageMs) <= longestShownMs))
    throw invalid('key', 'must be that of the form');
  return key;
}
