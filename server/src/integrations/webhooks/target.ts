import { invalid } from '../../platform/errors/errors.ts';
import { isLoopback } from '../../platform/network/networks.ts';
import { isPublicAddress, literalAddress } from '../../platform/network/public-addresses.ts';

const maxLength = 2048;
// URL parsers drop or trim some of these, so that two parsers of one text could differ.
const unsafeCharacters = /[\s\p{Cc}]/u;

/**
 * The url of a webhook endpoint, parsed. Names are not resolved here: each connection checks the addresses, since
 * they may change at any time.
 * @throws VALIDATION_ERROR unless it is absolute, http or https (https only in live mode), without user info,
 * well-formed and at most 2048 characters long.
 */
export function parseTargetUrl(url: string, mode: 'live' | 'test'): URL {
  if (url.length > maxLength) throw invalid('url', `must be at most ${maxLength} characters long.`);
  if (unsafeCharacters.test(url) || !url.isWellFormed())
    throw invalid('url', 'must not contain spaces or control characters.');
  if (mode === 'live' && !/^https:\/\//i.test(url))
    throw invalid('url', 'must start with https:// (a live key accepts no other).');
  if (!/^https?:\/\//i.test(url)) throw invalid('url', 'must start with http:// or https://.');
  const parsed = URL.parse(url);
  if (!parsed)
    throw invalid('url', 'must be a valid address such as https://shop.example/webhooks.');
  if (parsed.username !== '' || parsed.password !== '')
    throw invalid('url', 'must not contain a user name or password.');
  return parsed;
}

/** Whether webhooks of a mode may go to private addresses; without the setting, only on this machine. */
export interface AllowPrivate {
  live: boolean;
  test: boolean;
  isGiven: boolean;
}

/**
 * The url as given, if an endpoint may have it; throws like `parseTargetUrl`, and for a private address that
 * deliveries could not reach.
 */
export function checkTargetUrl(
  url: string,
  mode: 'live' | 'test',
  allowPrivate: AllowPrivate,
): string {
  const address = literalAddress(parseTargetUrl(url, mode).hostname);
  if (address === undefined || isPublicAddress(address)) return url;
  if (allowPrivate[mode] && (allowPrivate.isGiven || isLoopback(address))) return url;
  throw invalid(
    'url',
    'must lead to a public address: set WEBHOOK_ALLOW_PRIVATE=true to send webhooks to your own network.',
  );
}
