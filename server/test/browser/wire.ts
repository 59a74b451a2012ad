import { get } from 'node:http';
import { gunzipSync } from 'node:zlib';

interface Wired {
  /** Head and body as received: compressed, if the gateway compresses. */
  bytes: number;
  body: string;
  headers: NodeJS.Dict<string | string[]>;
}

/** Requests like a browser, and counts the received bytes before unpacking. */
function ask(url: string, cookie: string): Promise<Wired> {
  const about = { 'accept-encoding': 'gzip, deflate, br', 'accept-language': 'pt-PT' };
  const headers = { cookie, ...about, 'sec-fetch-site': 'same-origin' };
  return new Promise((resolve, reject) => {
    const request = get(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        const head = response.rawHeaders.join('').length + 4 * response.rawHeaders.length;
        resolve({
          bytes: head + body.length,
          body: textOf(body, response.headers),
          headers: response.headers,
        });
      });
    });
    request.on('error', reject);
  });
}

const textOf = (body: Buffer, headers: Wired['headers']): string =>
  (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();

/**
 * Loads a page like a browser: the page itself, and each file that it names and that is not cached
 * yet. @param kept addresses of files that the browser may cache forever; the function adds to them
 */
export async function overTheWire(url: string, cookie: string, kept: Set<string>): Promise<number> {
  const page = await ask(url, cookie);
  const named = [...page.body.matchAll(/<(?:link|script|img)\b[^>]*\b(?:href|src)="([^"]+)"/g)];
  let { bytes } = page;
  for (const [, address] of named) {
    if (address!.startsWith('data:')) continue;
    const file = new URL(address!.replaceAll('&amp;', '&'), url).href;
    if (kept.has(file)) continue;
    const answer = await ask(file, cookie);
    bytes += answer.bytes;
    if (/\bimmutable\b/.test(String(answer.headers['cache-control']))) kept.add(file);
  }
  return bytes;
}
