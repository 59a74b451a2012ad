import type { Html } from '../../html.ts';
import type { Visit } from '../visit.ts';
import { notice } from './form.ts';

/** What the form before has done, by a word of the page's own: never by a text of the address. */
export function doneNotice({ query }: Visit, texts: Readonly<Record<string, string>>) {
  const done = query.get('done') ?? '';
  const text = Object.hasOwn(texts, done) ? texts[done] : undefined;
  return text === undefined ? undefined : (notice(text, 'good') satisfies Html);
}
