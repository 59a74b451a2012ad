declare module '@20minutes/s3rver' {
  import type { RequestListener } from 'node:http';

  /** The part of Koa's context that we use. */
  export interface Exchange {
    method: string;
    query: Record<string, string>;
    status: number;
    body: unknown;
  }

  export default class S3rver {
    constructor(options: {
      directory: string;
      silent: boolean;
      vhostBuckets: boolean;
      configureBuckets: { name: string }[];
    });
    store: { getResourcePath(bucket: string, key: undefined, resource: string): string };
    middleware: ((exchange: Exchange, next: () => Promise<void>) => Promise<void>)[];
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
  }
}
