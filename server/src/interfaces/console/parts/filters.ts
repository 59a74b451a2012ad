import { type Html, html } from '../../../platform/text/html.ts';
import type { RequestContext } from '../request-context.ts';
import { addDays, dayStartMs, isDay } from './calendar-days.ts';
import { type FieldErrors, type FieldOptions, field, select } from './form.ts';

/** What a list shows only some of its rows by: the fields of the form above it, and what the address says in them. */
export interface Filters<Filter> {
  fields: Html;
  filter: Filter;
  /** What of the address cannot be understood: nothing is loaded then. */
  errors: FieldErrors;
  /** Whether the address asks for less than all. */
  isNarrowed: boolean;
  /** Fields that are seldom used, below the button. */
  more?: Html;
  /** Nothing but a search. */
  isSearch?: boolean;
}

/** One field. */
export interface Filter<Value> {
  field(name: string, typed: { value: string; error?: string | undefined }): Html;
  /** Of a text that it does not understand, undefined. */
  read(text: string): Value;
  /** What is wrong with such a text. Without it, the list is not narrowed. */
  problem?: string;
  isSearch?: boolean;
}

type ValueOf<Given> = Given extends Filter<infer Value> ? Value : undefined;
type ValuesOf<Given> = { [Name in keyof Given]: ValueOf<Given[Name]> };

const longestText = 256;

/** The fields by the names that they have in the address. */
export function filtersOf<Given extends Readonly<Record<string, Filter<unknown>>>>(
  { query }: Pick<RequestContext, 'query'>,
  given: Given,
): Filters<ValuesOf<Given>> {
  const errors: Record<string, string> = {};
  const read = Object.entries(given).map(([name, filter]) => {
    const text = (query.get(name) ?? '').trim().slice(0, longestText);
    const value = filter.read(text);
    if (text !== '' && value === undefined && filter.problem) errors[name] = filter.problem;
    const shown = filter.field(name, { value: text, error: errors[name] });
    return { name, text, value, shown };
  });
  return {
    fields: html`${read.map(({ shown }) => shown)}`,
    filter: Object.fromEntries(read.map(({ name, value }) => [name, value])) as ValuesOf<Given>,
    errors,
    isNarrowed: read.some(({ text }) => text !== ''),
    isSearch: Object.values(given).every(({ isSearch }) => isSearch === true),
  };
}

/** One of several values, or all. */
export const choice = <Value extends string>(
  { words }: Pick<RequestContext, 'words'>,
  label: string,
  values: readonly Value[],
  names: Readonly<Record<string, string>> = {},
): Filter<Value | undefined> => ({
  field: (name, { value }) =>
    select(
      name,
      label,
      [['', words.all], ...values.map((each) => [each, names[each] ?? each] as const)],
      { value },
    ),
  read: (text) => values.find((each) => each === text),
});

/** Live or test: one of the two, and live unless the address says otherwise. */
export const mode = ({ words }: Pick<RequestContext, 'words'>): Filter<'live' | 'test'> => ({
  field: (name, { value }) =>
    select(
      name,
      words.mode,
      [
        ['', words.live],
        ['test', words.test],
      ],
      { value },
    ),
  read: (given) => (given === 'test' ? 'test' : 'live'),
});

/** Any text, such as an id. */
export const text = (label: string, options: FieldOptions = {}): Filter<string | undefined> => ({
  field: (name, typed) => field(name, label, { ...options, ...typed, maxLength: longestText }),
  read: (given) => given || undefined,
  isSearch: options.type === 'search',
});

/** The first day, as the instant at which it begins. */
export const fromDay = (visit: RequestContext): Filter<number | undefined> =>
  dayFilter(visit, visit.words.from, (day) => day);

/** The last day, as the instant at which it is over: those with 25 hours end at their own midnight. */
export const untilDay = (visit: RequestContext): Filter<number | undefined> =>
  dayFilter(visit, visit.words.until, (day) => addDays(day, 1));

const dayFilter = (
  { words, timeZone }: RequestContext,
  label: string,
  boundOf: (day: string) => string,
): Filter<number | undefined> => ({
  field: (name, typed) => field(name, label, { ...typed, type: 'date' }),
  read: (day) => (isDay(day) ? dayStartMs(boundOf(day), timeZone) : undefined),
  problem: words.noSuchDay,
});
