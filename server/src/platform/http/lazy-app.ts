import type { RequestListener } from 'node:http';
import type { HttpScope } from './server.ts';
import { once } from './static-response.ts';

/** An app that answers what begins with a path. It is made when somebody first asks for that. */
export class Annex {
  /** Such as `/console`; its URLs have no other spelling. */
  readonly path: string;
  /** The app, ready to answer; made at the first call. */
  readonly app: () => Promise<HttpScope>;
  #opened: Promise<HttpScope> | undefined;

  constructor(path: string, make: () => Promise<HttpScope>) {
    this.path = path;
    this.app = once(() => {
      this.#opened = make();
      return this.#opened;
    });
  }

  isFor(url: string): boolean {
    const { path } = this;
    return url.startsWith(path) && (url.length === path.length || '/?'.includes(url[path.length]!));
  }

  /** After its listener has been closed. */
  async close(): Promise<void> {
    const app = await this.#opened?.catch(() => undefined);
    await app?.close();
  }
}

/** Passes on to the annex what is meant for it. */
export function withAnnex(
  listener: RequestListener,
  annex: Annex | undefined,
  onError: (error: unknown) => void,
): RequestListener {
  if (annex === undefined) return listener;
  return (request, response) => {
    if (!annex.isFor(request.url!)) return listener(request, response);
    annex.app().then(
      (app) => app.routing(request, response),
      (error: unknown) => {
        onError(error);
        response.writeHead(500).end();
      },
    );
  };
}
