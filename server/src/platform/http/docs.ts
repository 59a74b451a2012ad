import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { noSuchRoute } from '../errors/errors.ts';
import type { OpenLimit } from './anonymous-limit.ts';
import { jsonType } from './errors.ts';
import { isAskedByOwnPage } from './same-origin.ts';
import type { HttpScope } from './server.ts';
import { once, type Prepared, prepare, sendPrepared } from './static-response.ts';

/**
 * Allows nothing from other origins. Scalar writes its style sheet into the page, hence the inline styles.
 */
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
  // The documents have code samples of their own, which are tested.
  hiddenClients: true,
  documentDownloadType: 'direct',
  agent: { disabled: true },
  mcp: { disabled: true },
};

// All addresses are relative, so that the page works behind a proxy that adds a path.
const pageHtml = (title: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="alternate" type="text/markdown" href="docs/README.md">
  </head>
  <body>
    <div id="app"></div>
    <script src="docs/scalar.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/**
 * The script is the same for every client, because any site can include a script. The page itself requests
 * the demo's key and fills it in, so that a reader can try requests at once.
 */
const startScript = ({ prefix = '', servesApi = true }: DocsOptions) => {
  const shown = { ...configuration, hideTestRequestButton: !servesApi };
  // Where this script came from, also behind a proxy that adds a path: the page may send requests nowhere else.
  const root = prefix === '' ? '..' : '../..';
  const server = `new URL('${root}', document.currentScript.src).href.replace(/\\/$/, '')`;
  return `const configuration = ${JSON.stringify(shown)};
${servesApi ? `configuration.servers = [{ url: ${server} }];` : ''}
const start = (token) => {
  const authentication = { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { token } } };
  Scalar.createApiReference('#app', { ...configuration, authentication });
};
fetch('docs/key')
  .then((answer) => (answer.ok ? answer.json() : {}))
  .then(({ key }) => start(key ?? ''), () => start(''));
`;
};

export interface DocsOptions {
  /** The prefix of all paths, such as `/admin`. */
  prefix?: string;
  title?: string;
  /** Returns the OpenAPI document, once all routes are registered. */
  document: () => Promise<object>;
  limit: OpenLimit;
  /** False: the API is on another listener, to which the page cannot send requests. */
  servesApi?: boolean;
  /** Returns the demo's key, if the request may see it. */
  demoKey?: ((request: FastifyRequest) => Promise<string | undefined>) | undefined;
}

/** Serves the API reference at `/docs`, to which the root redirects, and its document at `/openapi.json`. */
export function registerDocs(app: HttpScope, options: DocsOptions): void {
  const { document, limit, prefix = '', title = 'Zimbo API', demoKey } = options;
  const bundle = once(async () => prepare(script, await loadBundle()));
  const openApi = once(async () => prepare(jsonType, JSON.stringify(await document())));
  const routes = (scope: HttpScope) => {
    const hidden = { schema: { hide: true }, onRequest: limit };
    scope.get('/openapi.json', hidden, async (request, reply) =>
      sendPrepared(await openApi(), request, reply),
    );
    scope.get('/docs', hidden, (_request, reply) => {
      reply.header('content-security-policy', contentSecurityPolicy);
      reply.header('referrer-policy', 'no-referrer');
      return reply.type('text/html; charset=utf-8').send(pageHtml(title));
    });
    // Relative to a URL that ends in a slash, also behind a prefix.
    const root = { ...hidden, prefixTrailingSlash: 'slash' as const };
    scope.get('/', root, (_request, reply) => reply.redirect('docs'));
    scope.get('/docs/', hidden, (_request, reply) => reply.redirect('../docs'));
    scope.get('/docs/start.js', hidden, (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return reply.type(script).send(startScript(options));
    });
    scope.get('/docs/key', hidden, async (request, reply) => {
      const key = isAskedByOwnPage(request) ? await demoKey?.(request) : undefined;
      reply.header('cache-control', 'no-store');
      return reply.type(jsonType).send(JSON.stringify({ key: key ?? null }));
    });
    if (prefix === '') pageRoutes(scope, hidden);
    scope.get('/docs/scalar.js', hidden, async (request, reply) => {
      reply.header('cache-control', 'public, max-age=3600');
      return sendPrepared(await bundle(), request, reply);
    });
  };
  app.register(
    (scope: HttpScope, _options, done) => {
      routes(scope);
      done();
    },
    { prefix },
  );
}

/** The pages of `docs/` as Markdown, and their list for language models (https://llmstxt.org). */
function pageRoutes(scope: HttpScope, hidden: object): void {
  const pages = once(async () => (await import('./docs-pages.ts')).openPages());
  const send = (page: Prepared | undefined, request: FastifyRequest, reply: FastifyReply) => {
    if (page === undefined) throw noSuchRoute();
    reply.header('cache-control', 'public, max-age=3600');
    return sendPrepared(page, request, reply);
  };
  scope.get('/llms.txt', hidden, async (request, reply) =>
    send(await (await pages()).list(), request, reply as FastifyReply),
  );
  scope.get('/docs/*', hidden, async (request, reply) => {
    const { '*': path } = request.params as { '*': string };
    return send(await (await pages()).page(path), request, reply as FastifyReply);
  });
}

const script = 'text/javascript; charset=utf-8';

/**
 * Loading Scalar takes 26 MB of memory, so it waits until someone reads the docs. The package offers its
 * script only as a route of its plugin, which is called here once.
 */
async function loadBundle(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const shelf = fastify();
  shelf.register(scalar, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
  const { rawPayload } = await shelf.inject('/reference/js/scalar.js');
  await shelf.close();
  return rawPayload;
}
