// The few parts of a web framework that the shop needs; yours has all of them.
import { createServer } from 'node:http';

const mostBytes = 1_000_000;

/** Routes by method and path, each a function that returns `{ status, headers, body }`. */
export function serve(routes, failure) {
  return createServer(async (request, response) => {
    const [path] = request.url.split('?');
    const id = /^\/orders\/([\w-]+)$/.exec(path)?.[1];
    const route = routes[`${request.method} ${id ? '/orders/:id' : path}`] ?? routes.otherwise;
    const { status, headers, body } = await answerOf(() => route(request, id), failure);
    response.writeHead(status, headers).end(body);
  });
}

async function answerOf(route, failure) {
  try {
    return await route();
  } catch (error) {
    console.error(error);
    return failure();
  }
}

/** The raw bytes, because a signature covers exactly these. */
export async function bodyOf(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Our pages load only our own files, and from the gateway its script and its page. */
export function pageHeaders(gatewayUrl) {
  const { origin } = new URL(gatewayUrl);
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `script-src 'self' ${origin}`,
    "connect-src 'self'",
    `frame-src ${origin}`,
    'img-src data:',
    // Browsers apply this to the redirect after a form too: without the gateway's origin, nobody
    // reaches its page.
    `form-action 'self' ${origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}
