/** Formats of Intl by their options, kept: making a format takes a hundred times as long as using it. */
const dateTimeFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();

/** More than all time zones need, with three formats each; but people may write theirs in any case. */
const mostKept = 2_000;

export const dateTimeFormat = (
  locale: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat =>
  keptIn(dateTimeFormats, `${locale} ${JSON.stringify(options)}`, () => {
    return new Intl.DateTimeFormat(locale, options);
  });

export const numberFormat = (
  locale: string,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat =>
  keptIn(numberFormats, `${locale} ${JSON.stringify(options)}`, () => {
    return new Intl.NumberFormat(locale, options);
  });

/** The value kept under a key; otherwise a new one, which is kept. */
export function keptIn<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  let value = values.get(key);
  if (value === undefined) {
    value = make();
    if (values.size >= mostKept) values.clear();
    values.set(key, value);
  }
  return value;
}
