/** More hosts than any cluster has. */
export const mostHosts = 8;
const defaultPort = 5432;

/** The values that select a writable server; `primary` is a synonym here. */
const writableTargets = ['read-write', 'primary'];
/** Parameters that name a host: beside a list of hosts they would be ambiguous. */
const hostParameters = ['host', 'hostaddr', 'port'];

const shape =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?:(?<user>[^/?#]*)@)?(?<hosts>[^/?#]*)(?<rest>.*)$/s;
const hostShape = /^(?<name>\[[\da-f:.]+\]|[\w.%~-]+)(?::(?<port>\d{1,5}))?$/i;

/**
 * Splits a database URL with several hosts, `a:5432,b:5432`, into the URLs of single servers, in order; a URL with
 * one host comes back unchanged. A missing port is 5432.
 * @throws Error unless {@link isDatabaseUrl}
 */
export function urlsOf(databaseUrl: string): string[] {
  const urls = splitHosts(databaseUrl);
  if (!urls) throw new Error('this is no database URL with several hosts');
  return urls.map(verifyingModes);
}

/** `pg` treats these modes like this anyway, with a long warning: it always checks certificates. */
const verifyingModes = (url: string) =>
  url.replaceAll(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, 'verify-full');

export const hostCount = (databaseUrl: string): number => urlsOf(databaseUrl).length;

/**
 * Whether `pg` reads this URL of PostgreSQL as intended: one host, or several hosts of which the writable one is
 * meant; only supported parameters, each once.
 */
export function isDatabaseUrl(text: string): boolean {
  if (/\s/.test(text)) return false;
  return splitHosts(text)?.every((url) => URL.canParse(url) && isSupported(new URL(url))) ?? false;
}

/**
 * The supported parameters. Others would be silently ignored, although they may be meant to keep the connection safe.
 */
export const urlParameters = [
  'host',
  'port',
  'user',
  'password',
  'application_name',
  'options',
  'target_session_attrs',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
];

function isSupported({ username, password, pathname, searchParams }: URL): boolean {
  const names = [...searchParams.keys()];
  const mode = searchParams.get('sslmode');
  const target = searchParams.get('target_session_attrs');
  return (
    [username, password, pathname].every(canDecode) &&
    new Set(names).size === names.length &&
    names.every((name) => urlParameters.includes(name)) &&
    (mode === null || sslModes.includes(mode)) &&
    (target === null || target === 'any' || writableTargets.includes(target))
  );
}

/** A literal percent sign would make `pg` encode the whole URL again. */
const canDecode = (text: string) => !/%(?![\da-f]{2})/i.test(text);

/** The values that `pg` understands; it would misread any other. */
export const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

function splitHosts(text: string): string[] | undefined {
  const parts = shape.exec(text)?.groups;
  if (!parts) return undefined;
  const { scheme, user, hosts, rest } = parts;
  if (!hosts!.includes(',')) return [text];
  const named = hosts!.split(',').map(hostAndPort);
  if (named.length > mostHosts || !named.every((host) => host !== undefined)) return undefined;
  const urls = named.map(
    (host) => `${scheme}${user === undefined ? '' : `${user}@`}${host}${rest}`,
  );
  const parameters = URL.parse(urls[0]!)?.searchParams;
  if (!parameters || hostParameters.some((name) => parameters.has(name))) return undefined;
  return writableTargets.includes(parameters.get('target_session_attrs') ?? 'read-write')
    ? urls
    : undefined;
}

function hostAndPort(text: string): string | undefined {
  const { name, port = defaultPort } = hostShape.exec(text)?.groups ?? {};
  return name !== undefined && Number(port) > 0 && Number(port) < 65_536
    ? `${name}:${port}`
    : undefined;
}

/** Host and port of a single server's URL. */
export function hostOf(url: string): string {
  const { host, searchParams } = new URL(url);
  return searchParams.get('host') ?? host;
}
