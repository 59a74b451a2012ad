/** More than any cluster has that one gateway writes to. */
export const mostHosts = 8;
const defaultPort = 5432;

/** What leads to a server that takes writes; `primary` is another word for it here. */
const writing = ['read-write', 'primary'];
/** These name a host themselves: beside a list of hosts, nobody could say which counts. */
const otherPlaces = ['host', 'hostaddr', 'port'];

const shape =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?:(?<user>[^/?#]*)@)?(?<hosts>[^/?#]*)(?<rest>.*)$/s;
const hostShape = /^(?<name>\[[\da-f:.]+\]|[\w.%~-]+)(?::(?<port>\d{1,5}))?$/i;

/**
 * The addresses of the single servers in a database URL with several hosts, `a:5432,b:5432`, in its order; one with a
 * single host comes back as it is. A port that is missing is 5432.
 * @throws Error if {@link isDatabaseUrl} says no
 */
export function urlsOf(databaseUrl: string): string[] {
  const urls = splitHosts(databaseUrl);
  if (!urls) throw new Error('this is no database URL with several hosts');
  return urls.map(verifying);
}

/** What `pg` makes of these modes anyway, with a warning of several lines: certificates are always checked. */
const verifying = (url: string) =>
  url.replaceAll(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, 'verify-full');

export const hostCount = (databaseUrl: string): number => urlsOf(databaseUrl).length;

/**
 * Whether it is a URL of PostgreSQL that `pg` reads as it is meant: with one host, or with several of which the one is
 * meant that takes writes; with parameters that are heeded, each once.
 */
export function isDatabaseUrl(text: string): boolean {
  if (/\s/.test(text)) return false;
  return splitHosts(text)?.every((url) => URL.canParse(url) && isHeeded(new URL(url))) ?? false;
}

/** Parameters that are heeded; any other would be ignored in silence, and may have been meant to keep us safe. */
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

function isHeeded({ username, password, pathname, searchParams }: URL): boolean {
  const names = [...searchParams.keys()];
  const mode = searchParams.get('sslmode');
  const target = searchParams.get('target_session_attrs');
  return (
    [username, password, pathname].every(canDecode) &&
    new Set(names).size === names.length &&
    names.every((name) => urlParameters.includes(name)) &&
    (mode === null || sslModes.includes(mode)) &&
    (target === null || target === 'any' || writing.includes(target))
  );
}

/** A percent sign that stands for itself makes `pg` encode the whole URL again. */
const canDecode = (text: string) => !/%(?![\da-f]{2})/i.test(text);

/** What `pg` understands; it would make of any other word what nobody meant. */
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
  if (!parameters || otherPlaces.some((name) => parameters.has(name))) return undefined;
  return writing.includes(parameters.get('target_session_attrs') ?? 'read-write')
    ? urls
    : undefined;
}

function hostAndPort(text: string): string | undefined {
  const { name, port = defaultPort } = hostShape.exec(text)?.groups ?? {};
  return name !== undefined && Number(port) > 0 && Number(port) < 65_536
    ? `${name}:${port}`
    : undefined;
}

/** Host and port of the address of a single server. */
export function hostOf(url: string): string {
  const { host, searchParams } = new URL(url);
  return searchParams.get('host') ?? host;
}
