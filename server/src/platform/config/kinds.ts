import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import type { RateLimit } from '../http/rate-limit.ts';
import { isHost, isLoopback, isNetwork } from '../network/networks.ts';
import { isDatabaseUrl, mostHosts, sslModes, urlParameters } from '../postgres/hosts.ts';
import { parseSecretKey } from '../secrets/secret-box.ts';
import { type FourEyes, guardedActs } from '../values/four-eyes.ts';

/** Parses the text of a variable into its value. */
export interface Kind<T> {
  /** The rule for the text, worded to follow "must be". */
  rule: string;
  /** Undefined if the text breaks the rule. */
  parse(text: string): T | undefined;
}

/** A share of the amount, and a part that does not depend on it. */
export interface FeeSetting {
  basisPoints: number;
  fixedMinor: bigint;
}

export function integer(least: number, most: number): Kind<number> {
  return {
    rule: `an integer from ${least} to ${most}`,
    parse(text) {
      const value = Number(text);
      return /^\d{1,15}$/.test(text) && value >= least && value <= most ? value : undefined;
    },
  };
}

/** `auto` means one process for each core that this program may use. */
export const processCount: Kind<number> = {
  rule: 'an integer from 1 to 64, or auto',
  parse: (text) =>
    text === 'auto' ? Math.min(availableParallelism(), 64) : integer(1, 64).parse(text),
};

export const cellNames: Kind<string[]> = {
  rule: 'names of cells, separated by commas',
  parse(text) {
    const names = text.split(',').map((name) => name.trim());
    return names.every((name) => /^[a-z][a-z0-9_]{0,30}$/.test(name)) ? names : undefined;
  },
};

/** Days, where 0 and off both mean "never": undefined cannot, since it marks text that breaks the rule. */
export const daysOrOff: Kind<number | 'off'> = {
  rule: 'an integer from 1 to 36500, or off (or 0)',
  parse: (text) => (/^(off|0)$/.test(text) ? 'off' : integer(1, 36_500).parse(text)),
};

export function choice<const T extends string>(...choices: readonly T[]): Kind<T> {
  return {
    rule: `one of ${choices.join(', ')}`,
    parse: (text) => choices.find((word) => word === text),
  };
}

export const share: Kind<number> = {
  rule: 'a number from 0 to 1',
  parse: (text) => (/^(0|1|0?\.\d{1,6}|1\.0)$/.test(text) ? Number(text) : undefined),
};

export const boolean: Kind<boolean> = {
  rule: 'true or false',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
};

export const path: Kind<string> = {
  rule: 'the path to a directory, without quotes around it, spaces at an end, or a ~ that no shell has replaced',
  parse: (text) => (/^["'~]|["']$|^\s|\s$|\0/.test(text) ? undefined : text),
};

export const label: Kind<string> = {
  rule: 'a name of up to 255 printable ASCII characters',
  parse: (text) => (/^[\x20-\x7e]{1,255}$/.test(text) ? text : undefined),
};

export const timeZone: Kind<string> = {
  rule: 'a time zone from the IANA database',
  parse(text) {
    // PostgreSQL reads +05:00 as west. Intl.DateTimeFormat would make Asia/Kolkata Asia/Calcutta.
    if (/^[+-]/.test(text)) return undefined;
    try {
      return new Temporal.ZonedDateTime(0n, text).timeZoneId;
    } catch {
      return undefined;
    }
  },
};

export const hostName: Kind<string> = {
  rule: 'an address or host name of this machine, without a port',
  parse: (text) => (isHost(text) ? text : undefined),
};

export const databaseUrl: Kind<string> = {
  rule: `a URL that begins with postgres:// or postgresql://, with special characters in the password percent-encoded; of several hosts (a:5432,b:5432, at most ${mostHosts}) Zimbo uses the one that accepts writes: target_session_attrs, if set, must be read-write or primary; sslmode, if set, one of ${sslModes.join(', ')}; the allowed parameters are ${urlParameters.join(', ')}, each once`,
  parse: (text) => (isDatabaseUrl(text) ? text : undefined),
};

/** Stored without a trailing slash, because paths are appended to it. */
export const baseUrl: Kind<string> = {
  rule: 'a URL that begins with http:// or https://, without user, query and fragment',
  parse(text) {
    const url = URL.parse(text);
    if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) return undefined;
    return url.username || url.password ? undefined : url.href.replace(/\/+$/, '');
  },
};

/** Browsers accept passkeys and secure cookies only on a secure origin with a host name. */
export const consoleOrigin: Kind<string> = {
  rule: 'a URL that begins with https:// (http:// only for localhost), with a host name, without user, path, query and fragment',
  parse(text) {
    const url = URL.parse(baseUrl.parse(text) ?? '');
    if (url?.pathname !== '/' || isIP(url.hostname.replace(/^\[|\]$/g, ''))) return undefined;
    return url.protocol === 'https:' || url.hostname === 'localhost' ? url.origin : undefined;
  },
};

/** Browsers support passkeys on localhost, but not on 127.0.0.1. */
export function consoleUrlAt(publicUrl: string): string {
  const url = new URL(publicUrl);
  if (isLoopback(url.hostname)) url.hostname = 'localhost';
  return url.origin;
}

export const secretKey: Kind<Buffer> = {
  rule: '32 random bytes, written in base64 (44 characters) or hex (64)',
  parse: parseSecretKey,
};

export const rateLimit: Kind<RateLimit> = {
  rule: 'requests per second and burst, both at least 1, as in 1000/5000',
  parse(text) {
    const [, perSecond, burst] = /^(\d{1,9})\/(\d{1,9})$/.exec(text)?.map(Number) ?? [];
    return perSecond && burst ? { perSecond, burst } : undefined;
  },
};

export const rateLimitOrOff: Kind<RateLimit | 'off'> = {
  rule: `${rateLimit.rule}, or off`,
  parse: (text) => (text === 'off' ? 'off' : rateLimit.parse(text)),
};

/** A number of attempts within a period. */
export interface Quota {
  count: number;
  windowMs: number;
}

export const quota: Kind<Quota> = {
  rule: 'a number and a time in minutes, both at least 1, as in 5/15',
  parse(text) {
    const [, count, minutes] = /^(\d{1,9})\/(\d{1,5})$/.exec(text)?.map(Number) ?? [];
    return count && minutes ? { count, windowMs: minutes * 60_000 } : undefined;
  },
};

/** The number of PIN prompts that a phone may get in a day. */
export interface PromptQuota {
  ofMerchant: number;
  inAll: number;
}

export const promptQuota: Kind<PromptQuota | 'off'> = {
  rule: 'how many prompts a day one merchant, and all merchants together, may send to a phone, as in 10/30, or off',
  parse(text) {
    if (text === 'off') return 'off';
    const [, ofMerchant, inAll] = /^(\d{1,6})\/(\d{1,6})$/.exec(text)?.map(Number) ?? [];
    return ofMerchant && inAll && inAll >= ofMerchant ? { ofMerchant, inAll } : undefined;
  },
};

export const fee: Kind<FeeSetting> = {
  rule: 'basis points up to 10000, as in 200 for 2 %, and optionally a fixed part in centavos, as in 200+50',
  parse(text) {
    const [, basisPoints, fixed] = /^(\d{1,5})(?:\+(\d{1,15}))?$/.exec(text) ?? [];
    if (basisPoints === undefined || Number(basisPoints) > 10_000) return undefined;
    return { basisPoints: Number(basisPoints), fixedMinor: BigInt(fixed ?? 0) };
  },
};

/** Fractions are allowed, so that a test or a drill can be short. */
export const hours: Kind<number> = {
  rule: 'a number of hours greater than 0 and up to 8760, as in 72 or 0.5',
  parse(given) {
    const value = Number(given);
    return /^\d{1,4}(\.\d{1,6})?$/.test(given) && value > 0 && value <= 8_760 ? value : undefined;
  },
};

/** The HTTP server refuses networks of size /0, and two halves of the address space amount to the same. */
const everyAddress = ['0.0.0.0/1', '128.0.0.0/1', '::/1', '8000::/1'];

export const trustedProxies: Kind<string[]> = {
  rule: 'false, true, or addresses and networks of proxies separated by commas',
  parse(text) {
    if (text === 'false') return [];
    return text === 'true' ? everyAddress : networkList.parse(text);
  },
};

/** Trusting half of all addresses is as bad as trusting all of them. */
export const trustsEverybody = (networks: readonly string[]): boolean =>
  networks.some((network) => network.endsWith('/1'));

export const networkList: Kind<string[]> = {
  rule: 'addresses and networks separated by commas',
  parse(given) {
    const networks = given.split(',').map((network) => network.trim());
    return networks.every(isNetwork) ? networks : undefined;
  },
};

/** Printable ASCII, because the value goes into headers. */
export const text: Kind<string> = {
  rule: 'text without line breaks or control characters',
  parse: (given) => (/^[\x20-\x7e]{1,1000}$/.test(given) ? given : undefined),
};

/** Anyone who sees one callback with its signature can try out every short secret. */
export const signatureSecret: Kind<string> = {
  rule: 'text of at least 16 characters, without line breaks or control characters',
  parse: (given) => (given.length >= 16 ? text.parse(given) : undefined),
};

/** Normalizes the SHA-256 fingerprint of a certificate; undefined if the text is not a fingerprint. */
export function fingerprintOf(given: string): string | undefined {
  const digits = given.trim().replaceAll(':', '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(digits) ? digits : undefined;
}

export const fingerprintList: Kind<string[]> = {
  rule: 'SHA-256 fingerprints of certificates in hex (64 digits, with or without colons) separated by commas',
  parse(given) {
    const fingerprints = given.split(',').map(fingerprintOf);
    return fingerprints.every((each) => each !== undefined) ? fingerprints : undefined;
  },
};

/** The URL receives credentials, which may go unencrypted only within this machine. */
export const operatorUrl: Kind<string> = {
  rule: 'a URL that begins with https:// (http:// only for this machine), without user, query and fragment',
  parse(given) {
    const url = baseUrl.parse(given);
    if (url === undefined) return undefined;
    const { protocol, hostname } = new URL(url);
    return protocol === 'https:' || isLoopback(hostname) ? url : undefined;
  },
};

/** The identifier types of the GSMA Mobile Money API. */
const identifierTypes = (
  'accountid msisdn walletid linkref consumerno serviceprovider storeid accountcategory bankaccountno ' +
  'accountrank identityalias iban swiftbic sortcode organisationid bankname bankaccounttitle username ' +
  'emailaddress mandatereference'
).split(' ');

export const operatorAccount: Kind<{ key: string; value: string }> = {
  rule: 'an identifier type of the GSMA Mobile Money API (organisationid, msisdn, walletid …), an @, and the identifier',
  parse(given) {
    const [, key = '', value = ''] = /^([a-z]+)@([\x21-\x7e]{1,256})$/.exec(given) ?? [];
    return identifierTypes.includes(key) ? { key, value } : undefined;
  },
};

/** Minor units by currency; a currency that is not named has no limit. */
export const amountsByCurrency: Kind<Partial<Record<'CVE' | 'AOA', bigint>>> = {
  rule: 'amounts in centavos by currency (CVE, AOA), each currency once, as in CVE=5000000,AOA=20000000',
  parse(given) {
    const pairs = given.split(',').map((pair) => /^ *(CVE|AOA)=(\d{1,15}) *$/.exec(pair));
    if (pairs.some((pair) => pair === null)) return undefined;
    const entries = pairs.map((pair) => [pair![1]!, BigInt(pair![2]!)] as const);
    const amounts = Object.fromEntries(entries);
    return Object.keys(amounts).length === entries.length ? amounts : undefined;
  },
};

export const guardedActList: Kind<FourEyes> = {
  rule: `one or more of ${guardedActs.join(', ')}, separated by commas`,
  parse(given) {
    const names = given.split(',').map((name) => name.trim());
    const acts = names.map((name) => guardedActs.find((act) => act === name));
    return acts.every((act) => act !== undefined) ? new Set(acts) : undefined;
  },
};

export const currencyList: Kind<string[]> = {
  rule: 'CVE, AOA, or both separated by a comma',
  parse(given) {
    const currencies = given.split(',').map((currency) => currency.trim());
    return currencies.every((currency) => currency === 'CVE' || currency === 'AOA')
      ? [...new Set(currencies)]
      : undefined;
  },
};
