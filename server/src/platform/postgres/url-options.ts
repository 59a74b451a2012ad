/**
 * Appends a start option to a URL: libpq and `pg` read them from `options`.
 * @param url with one host or several, as in DATABASE_URL
 * @param option for example `-c search_path=north`
 */
export const withOption = (url: string, option: string): string =>
  withOptions(url, (own) => (own === null ? option : `${own} ${option}`));

/** Prepends an option that the URL's own options override: the later of two settings counts. */
export const withDefaults = (url: string, defaults: string): string =>
  withOptions(url, (own) => (own === null ? defaults : `${defaults} ${own}`));

/** The URL with this schema as the search path. */
export const withSchema = (url: string, schema: string): string =>
  withOption(url, `-c search_path=${schema}`);

/**
 * The URL of a cell on Citus, by way of the coordinator. A custom setting, which PostgreSQL stores without knowing
 * it, marks the URL. Generic plans cannot be forced there: `could not create distributed plan`.
 */
export const withCitus = (url: string): string =>
  withOption(url, '-c zimbo.engine=citus -c plan_cache_mode=auto');

/** The schema of a cell on Citus, if the URL is one; otherwise undefined. */
export function citusSchemaOf(url: string): string | undefined {
  const options = optionsOf(splitOnce(url, '?')[1]).get('options') ?? '';
  return /zimbo\.engine=citus/.test(options) ? schemaOf(url) : undefined;
}

function withOptions(url: string, change: (own: string | null) => string): string {
  const [place, query] = splitOnce(url, '?');
  const parameters = optionsOf(query);
  parameters.set('options', change(parameters.get('options')));
  // Like libpq, a plus is a plus.
  return `${place}?${parameters.toString().replaceAll('+', '%20')}`;
}

const optionsOf = (query = '') => new URLSearchParams(query);

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** The schema in the URL's search path; undefined without one. */
export function schemaOf(url: string): string | undefined {
  const options = optionsOf(splitOnce(url, '?')[1]).get('options') ?? '';
  return /.*search_path=(\w+)/.exec(options)?.[1];
}
