import { type Html, html } from '../../../platform/text/html.ts';
import { dayStartIn } from '../../../tenants/merchants/time-zone.ts';
import type { RequestContext } from '../request-context.ts';
import { addDays, isDay } from './calendar-days.ts';
import { type FieldErrors, type FieldOptions, field, select } from './form.ts';

/** The filters of a list: the fields of the form above it, and their values in the address. */
export interface Filters<Filter> {
  fields: Html;
  filter: Filter;
  /** Values of the address that are invalid: then nothing is loaded. */
  errors: FieldErrors;
  /** Whether the address narrows the list. */
  isNarrowed: boolean;
  /** Rarely used fields, below the button. */
  more?: Html;
  /** A search and nothing else. */
  isSearch?: boolean;
  /** On a phone the fields fold into a line that says this, so that the rows begin further up. */
  fold?: string;
}

/** One field. */
export interface Filter<Value> {
  field(name: string, typed: { value: string; error?: string | undefined }): Html;
  /** Returns undefined for an invalid text. */
  read(text: string): Value;
  /** The error for an invalid text. Without an error, the text does not narrow the list. */
  problem?: string;
  isSearch?: boolean;
}

type ValueOf<Given> = Given extends Filter<infer Value> ? Value : undefined;
type ValuesOf<Given> = { [Name in keyof Given]: ValueOf<Given[Name]> };

const longestText = 256;

/** The fields, by their names in the address. */
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

/**
 * One of many values, found by typing part of its name; the address holds the value or its name.
 * Anything else is taken as it is: a value of another time, or a pattern.
 */
export const searchChoice = (
  { words }: Pick<RequestContext, 'words'>,
  label: string,
  names: Readonly<Record<string, string>>,
): Filter<string | undefined> => {
  const sorted = Object.values(names).toSorted((one, other) => one.localeCompare(other, words.tag));
  const byName = new Map(Object.entries(names).map(([value, name]) => [plainName(name), value]));
  return {
    field: (name, { value, error }) => {
      const shown = Object.hasOwn(names, value) ? names[value] : value;
      const options = { value: shown, error, placeholder: words.all, maxLength: longestText };
      return field(name, label, { ...options, choices: [...new Set(sorted)] });
    },
    read: (given) => byName.get(plainName(given)) ?? (given || undefined),
  };
};

const plainName = (text: string) => text.trim().toLowerCase();

/** Live or test; live by default. */
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

/** The first day, as its first instant. */
export const fromDay = (visit: RequestContext): Filter<number | undefined> =>
  dayFilter(visit, visit.words.from, (day) => day);

/** The last day, as its end: days with 25 hours end at their own midnight. */
export const untilDay = (visit: RequestContext): Filter<number | undefined> =>
  dayFilter(visit, visit.words.until, (day) => addDays(day, 1));

const dayFilter = (
  { words, timeZones }: RequestContext,
  label: string,
  boundOf: (day: string) => string,
): Filter<number | undefined> => ({
  field: (name, typed) => field(name, label, { ...typed, type: 'date' }),
  read: (day) => (isDay(day) ? dayStartIn(timeZones, boundOf(day)) : undefined),
  problem: words.noSuchDay,
});
