import type { Html } from '../../../platform/text/html.ts';
import type { RequestContext } from '../request-context.ts';
import { notice } from './form.ts';

/** The result of the last form, by a word of the address: the text is ours, whatever the address says. */
export function doneNotice(
  { query }: Pick<RequestContext, 'query'>,
  texts: Readonly<Record<string, string>>,
): Html | undefined {
  const done = query.get('done') ?? '';
  return Object.hasOwn(texts, done) ? notice(texts[done]!, 'good') : undefined;
}
