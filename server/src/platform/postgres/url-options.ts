/**
 * The same address with one more start option, after those that it has: libpq and `pg` read them from `options`.
 * @param url of one host or several, as in DATABASE_URL
 * @param option for example `-c search_path=north`
 */
export const withOption = (url: string, option: string): string =>
  withOptions(url, (own) => (own === null ? option : `${own} ${option}`));

/** The same address with options that those that it has may override: of two settings the later one counts. */
export const withDefaults = (url: string, defaults: string): string =>
  withOptions(url, (own) => (own === null ? defaults : `${defaults} ${own}`));

/** The same address where the tables of this schema are meant, and no others. */
export const withSchema = (url: string, schema: string): string =>
  withOption(url, `-c search_path=${schema}`);

/**
 * Of the coordinator of Citus, the address of a cell, told by a setting that PostgreSQL does not know and keeps. Generic
 * plans cannot be forced there: `could not create distributed plan`.
 */
export const withCitus = (url: string): string =>
  withOption(url, '-c zimbo.engine=citus -c plan_cache_mode=auto');

/** The schema of a cell on Citus, of whose coordinator this is the address; else undefined. */
export function citusSchemaOf(url: string): string | undefined {
  const options = optionsOf(splitOnce(url, '?')[1]).get('options') ?? '';
  return /zimbo\.engine=citus/.test(options) ? schemaOf(url) : undefined;
}

function withOptions(url: string, change: (own: string | null) => string): string {
  const [place, query] = splitOnce(url, '?');
  const parameters = optionsOf(query);
  parameters.set('options', change(parameters.get('options')));
  // As libpq reads it, a plus is a plus.
  return `${place}?${parameters.toString().replaceAll('+', '%20')}`;
}

const optionsOf = (query = '') => new URLSearchParams(query);

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** The schema that an address means; undefined where it says none. */
export function schemaOf(url: string): string | undefined {
  const options = optionsOf(splitOnce(url, '?')[1]).get('options') ?? '';
  return /.*search_path=(\w+)/.exec(options)?.[1];
}
