import type { Html } from '../../../platform/text/html.ts';
import type { RequestContext } from '../request-context.ts';
import { notice } from './form.ts';

/** What the form before has done, by a word of the address: its text is ours, whatever stands there. */
export function doneNotice(
  { query }: Pick<RequestContext, 'query'>,
  texts: Readonly<Record<string, string>>,
): Html | undefined {
  const done = query.get('done') ?? '';
  return Object.hasOwn(texts, done) ? notice(texts[done]!, 'good') : undefined;
}
