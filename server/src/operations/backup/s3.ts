import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { BackupPlace, S3Access } from '../../platform/config/backup-variables.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { placeAddress } from './schedule.ts';
import type { Place } from './storage-location.ts';

/** The size of a part, one of which is in memory at a time. S3 allows 10,000 parts, so a backup may have 160 GB. */
const partBytes = 16 * 2 ** 20;
const tries = 3;

export interface S3Limits {
  /** The time limit of one request in milliseconds: a part at 50 kB/s. */
  requestMs: number;
  pauseMs: number;
  partBytes: number;
}

const usualLimits: S3Limits = { requestMs: 330_000, pauseMs: 2_000, partBytes };

/** The key for requests about the bucket itself. */
const bucketKey = '';

interface Request {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  query?: string;
  body?: Uint8Array | string;
  signal?: AbortSignal | undefined;
}

/** Objects in a bucket. They are addressed by path, which every store supports. */
export function s3Place(
  place: Extract<BackupPlace, { kind: 's3' }>,
  access: S3Access,
  limits: S3Limits = usualLimits,
): Place {
  const { bucket, prefix } = place;
  const store = new Store(access, `/${bucket}`, limits);
  const keyOf = (name: string) => (prefix === '' ? name : `${prefix}/${name}`);
  return {
    address: placeAddress(place),
    sink: (name) => ({
      write: (contents, signal) => new Upload(store, keyOf(name), signal).write(contents),
    }),
    open: (name) => store.open(keyOf(name)),
    async remove(name) {
      await store.send(keyOf(name), { method: 'DELETE' });
      return true;
    },
    lacksAll: async () => false,
    // If the key may not list uploads, a rule of the bucket removes them (docs/backup.md).
    removePartial: (name) => store.abortUploads(keyOf(name)).catch(() => {}),
  };
}

class Store {
  readonly #client: AwsClient;
  readonly #base: string;
  readonly limits: S3Limits;

  constructor({ endpoint, region, ...keys }: S3Access, path: string, limits: S3Limits) {
    this.#client = new AwsClient({ ...keys, region, service: 's3', retries: 0 });
    this.#base = `${endpoint}${path}`;
    this.limits = limits;
  }

  /** The answer as text, and its ETag. Transient errors are retried. */
  async send(key: string, request: Request): Promise<{ text: string; etag: string | null }> {
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await this.#fetch(key, request);
        const text = await response.text();
        // Completing an upload may fail after the status was sent.
        if (!response.ok || /<Error>/.test(text)) throw refusal(response.status, text);
        return { text, etag: response.headers.get('etag') };
      } catch (error) {
        request.signal?.throwIfAborted();
        if (attempt === tries || (error instanceof Refusal && !error.isTransient))
          throw this.#explainError(error);
        await delay(this.limits.pauseMs * attempt, undefined, { signal: request.signal });
      }
    }
  }

  async open(key: string): Promise<Readable> {
    // The body may take hours, so the limit applies to each chunk.
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(new Error('no answer')), this.limits.requestMs);
    try {
      const response = await this.#fetch(key, { method: 'GET', signal: waiting.signal }, false);
      if (!response.ok) throw refusal(response.status, await response.text());
      return Readable.from(this.#unhurried(response.body!, timer));
    } catch (error) {
      clearTimeout(timer);
      throw error instanceof Refusal && error.status === 404
        ? this.#notFoundError(key, error)
        : this.#explainError(error);
    }
  }

  /** Aborts uploads that a killed process began under this key: their parts are no object, but cost money. */
  async abortUploads(key: string): Promise<void> {
    const query = `uploads=&prefix=${encodeURIComponent(key)}`;
    const { text } = await this.send(bucketKey, { method: 'GET', query });
    for (const [upload] of text.matchAll(/<Upload>.*?<\/Upload>/gs)) {
      const id = /<UploadId>([^<]+)</.exec(upload)?.[1];
      if (id === undefined || !upload.includes(`<Key>${key}</Key>`)) continue;
      await this.send(key, { method: 'DELETE', query: `uploadId=${encodeURIComponent(id)}` });
    }
  }

  /** Fails if no chunk arrives within the limit. */
  async *#unhurried(body: AsyncIterable<Uint8Array>, timer: NodeJS.Timeout) {
    try {
      for await (const chunk of body) {
        timer.refresh();
        yield chunk;
        timer.refresh();
      }
    } catch (error) {
      throw new StartError(
        `The store ${new URL(this.#base).origin} broke off during a read: ${causeOf(error)}.`,
        'Try again, or copy the file to this machine and name that file.',
        { cause: error },
      );
    } finally {
      clearTimeout(timer);
    }
  }

  async #fetch(
    key: string,
    { query, signal, ...init }: Request,
    isShort = true,
  ): Promise<Response> {
    const url = [this.#base, key && `/${key}`, query && `?${query}`].join('');
    const digest = createHash('sha256')
      .update(init.body ?? '')
      .digest('hex');
    const signed = await this.#client.sign(url, {
      ...(init as RequestInit),
      headers: { 'x-amz-content-sha256': digest },
    });
    const limit = isShort ? [AbortSignal.timeout(this.limits.requestMs)] : [];
    return fetch(signed, { signal: AbortSignal.any([...limit, ...(signal ? [signal] : [])]) });
  }

  #notFoundError(key: string, refusal: Refusal): StartError {
    return new StartError(
      `There is nothing at ${this.#base}/${key}: ${refusal.message}.`,
      'Check the address: "zimbo backup list" lists the backups of this database, your provider’s tool lists the bucket.',
      { cause: refusal },
    );
  }

  #explainError(error: unknown): StartError {
    return new StartError(
      `The store ${new URL(this.#base).origin} cannot store a backup: ${causeOf(error)}.`,
      'Check BACKUP_TO, the settings BACKUP_S3_…, and that the key may read, write and delete objects.',
      { cause: error },
    );
  }
}

/** The cause of an error that `fetch` throws. */
const causeOf = (error: unknown) =>
  ((error as Error).cause as Error | undefined)?.message || (error as Error).message;

/** Writes an object in parts, one of which is in memory; the object appears when all parts are there. */
class Upload {
  readonly #store: Store;
  readonly #key: string;
  readonly #signal: AbortSignal | undefined;

  constructor(store: Store, key: string, signal: AbortSignal | undefined) {
    this.#store = store;
    this.#key = key;
    this.#signal = signal;
  }

  async write(contents: AsyncIterable<Uint8Array>): Promise<number> {
    const begun = await this.#send({ method: 'POST', query: 'uploads=' });
    const id = encodeURIComponent(/<UploadId>([^<]+)<\/UploadId>/.exec(begun.text)?.[1] ?? '');
    const etags: string[] = [];
    let bytes = 0;
    try {
      for await (const part of partsOf(contents, this.#store.limits.partBytes)) {
        bytes += part.length;
        const query = `partNumber=${etags.length + 1}&uploadId=${id}`;
        etags.push((await this.#send({ method: 'PUT', query, body: part })).etag ?? '');
      }
      const list = etags.map(
        (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
      );
      const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
      await this.#send({ method: 'POST', query: `uploadId=${id}`, body });
      return bytes;
    } catch (error) {
      // Without the signal, which may be aborted already.
      await this.#store
        .send(this.#key, { method: 'DELETE', query: `uploadId=${id}` })
        .catch(() => {});
      throw error;
    }
  }

  #send(request: Request) {
    return this.#store.send(this.#key, { ...request, signal: this.#signal });
  }
}

async function* partsOf(contents: AsyncIterable<Uint8Array>, size: number) {
  const part = Buffer.allocUnsafe(size);
  let used = 0;
  for await (let chunk of contents) {
    while (chunk.length > 0) {
      const taken = chunk.subarray(0, size - used);
      part.set(taken, used);
      used += taken.length;
      chunk = chunk.subarray(taken.length);
      if (used < size) continue;
      yield part;
      used = 0;
    }
  }
  if (used > 0) yield part.subarray(0, used);
}

/** The store's reason for refusing a request. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, words: string) {
    super(`${status}${words && ` ${words}`}`);
    this.status = status;
  }

  get isTransient(): boolean {
    return this.status >= 500 || this.status === 429;
  }
}

function refusal(status: number, text: string): Refusal {
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1];
  const message = /<Message>([^<]{1,300})<\/Message>/.exec(text)?.[1]?.replace(/\.$/, '');
  return new Refusal(status, [code, message].filter((each) => each !== undefined).join(': '));
}
