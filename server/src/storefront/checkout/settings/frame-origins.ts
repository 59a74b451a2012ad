import { invalid } from '../../../platform/errors/errors.ts';

export const mostFrameOrigins = 20;
/** The longest name of a host, with a scheme and a port. */
export const longestFrameOrigin = 270;

/**
 * Names of letters, digits and hyphens. The list stands in a header, where `*`, `;` and `'self'` have a meaning, and
 * which cannot name an address of IPv6.
 */
const hostName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const loopback = /^(?:localhost|[a-z0-9.-]+\.localhost|127\.\d+\.\d+\.\d+)$/;
const rules = {
  live: 'must be an https origin without a path, such as https://shop.cv',
  test: 'must be an https origin without a path, such as https://shop.cv, or http on this machine, such as http://localhost:8080',
};

/**
 * The origins as browsers write them, each once: `https://Shop.cv:443/` is `https://shop.cv`.
 * @param mode live tenants get https only; test tenants also http on the developer's own machine
 * @throws VALIDATION_ERROR names the entry, such as `frameOrigins[1]`, or the list if it is too long
 */
export function checkFrameOrigins(given: readonly string[], mode: 'live' | 'test'): string[] {
  const origins = given.map((text, index) => {
    const origin = originIn(text, mode);
    if (origin === undefined) throw invalid(`frameOrigins[${index}]`, rules[mode]);
    return origin;
  });
  const unique = [...new Set(origins)];
  if (unique.length > mostFrameOrigins) {
    throw invalid('frameOrigins', `must have at most ${mostFrameOrigins} origins`);
  }
  return unique;
}

function originIn(text: string, mode: 'live' | 'test'): string | undefined {
  const url = text.length > longestFrameOrigin ? null : URL.parse(text);
  // The origin of a page is all that a browser compares: a path would promise more than it holds.
  if (!url || url.href !== `${url.origin}/` || /[?#]/.test(text)) return undefined;
  if (!hostName.test(url.hostname)) return undefined;
  const isAllowed =
    url.protocol === 'https:' ||
    (mode === 'test' && url.protocol === 'http:' && loopback.test(url.hostname));
  return isAllowed ? url.origin : undefined;
}
