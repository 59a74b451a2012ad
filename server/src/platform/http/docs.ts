import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { HttpScope } from './server.ts';

/** Nothing from other origins. Scalar writes its style sheet into the page, hence the inline styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const configuration = {
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'direct',
  agent: { disabled: true },
  mcp: { disabled: true },
};

// All addresses are relative, so that the page works behind a proxy that adds a path.
const pageHtml = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Zimbo API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <script src="docs/scalar.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const startScript = `Scalar.createApiReference('#app', ${JSON.stringify(configuration)});\n`;

/** Serves the API reference at `/docs`, where whoever opens the root is led to. */
export function registerDocs(app: HttpScope): void {
  let bundle: Promise<Buffer> | undefined;
  app.register((scope: HttpScope, _options, done) => {
    const hidden = { schema: { hide: true } };
    scope.get('/docs', hidden, (_request, reply) => {
      reply.header('content-security-policy', contentSecurityPolicy);
      reply.header('referrer-policy', 'no-referrer');
      return reply.type('text/html; charset=utf-8').send(pageHtml);
    });
    scope.get('/', hidden, (_request, reply) => reply.redirect('docs'));
    scope.get('/docs/', hidden, (_request, reply) => reply.redirect('../docs'));
    scope.get('/docs/start.js', hidden, (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(startScript),
    );
    scope.get('/docs/scalar.js', hidden, async (request, reply) => {
      bundle ??= loadBundle();
      return sendBundle(await bundle, request, reply);
    });
    done();
  });
}

/**
 * Scalar costs 26 MB of memory as soon as its package is loaded, so that waits until someone reads
 * the docs. The package offers its script only as a route of its plugin, asked for it here once.
 */
async function loadBundle(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const shelf = fastify();
  shelf.register(scalar, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
  const { rawPayload } = await shelf.inject('/reference/js/scalar.js');
  await shelf.close();
  return promisify(gzip)(rawPayload);
}

async function sendBundle(
  zipped: Buffer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.type('text/javascript; charset=utf-8').header('vary', 'accept-encoding');
  reply.header('cache-control', 'public, max-age=3600');
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
    return reply.send(await promisify(gunzip)(zipped));
  }
  return reply.header('content-encoding', 'gzip').send(zipped);
}
