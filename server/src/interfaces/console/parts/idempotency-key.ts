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
 * A creating form carries a key made when its page was shown: what it asks for is done once, however often it
 * arrives. Where something has to be put right, the same key stays: nothing was done under it.
 */
export const keyField = ({ services, nowMs }: RequestContext, sent?: SentForm): Html =>
  hidden('key', (sent && keyIn(sent)) ?? services.ids.next(nowMs));

const keyIn = (sent: SentForm) =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(sent.text('key'))?.[0];

/**
 * The key of a form, with what the form asks for.
 * @throws VALIDATION_ERROR the form has none, so it is not ours
 */
export function keyedRequest(sent: SentForm, asked: object): IdempotentRequest {
  const key = keyIn(sent);
  if (key === undefined) throw invalid('key', 'must be that of the form');
  return idempotentRequest(key, asked, () => asked)!;
}

const longestShownMs = 86_400_000;

/**
 * The key of a form that becomes the id of what it makes, so it must be of today like any new id.
 * @throws VALIDATION_ERROR the form has none, or stood open for longer than a day
 */
export function freshKey({ nowMs }: RequestContext, sent: SentForm): string {
  const key = keyIn(sent);
  const ageMs = key === undefined ? Number.NaN : nowMs - instantOf(key);
  if (key === undefined || !(Math.abs(ageMs) <= longestShownMs))
    throw invalid('key', 'must be that of the form');
  return key;
}
