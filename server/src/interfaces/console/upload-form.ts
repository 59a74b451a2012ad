import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { UploadTooLarge, withUpload } from '../../platform/http/upload.ts';
import { formIn } from './authenticate.ts';
import type { SentForm } from './request-context.ts';

/** Beside the file. */
const limits = {
  files: 1,
  fields: 30,
  parts: 32,
  fieldNameSize: 100,
  fieldSize: 4_096,
  headerPairs: 20,
  headerSize: 4_096,
};

interface FoundFile {
  stream: BusboyFileStream;
  name: string;
}

/**
 * Reads a form with a file as it comes in: its fields into memory, the file into a file of its own.
 * @param check whether the form is ours, by the fields that stand before the file: nothing is kept before
 * @throws VALIDATION_ERROR it is no such form
 * @throws RATE_LIMITED others are being uploaded
 */
export async function withUploadForm<T>(
  request: FastifyRequest,
  mostBytes: number,
  check: (form: SentForm) => void,
  run: (form: SentForm) => Promise<T>,
): Promise<T> {
  const fields = new URLSearchParams();
  const { found, parsed, stop } = parse(request, fields);
  try {
    const file = await found;
    check(formIn(fields));
    if (file === undefined) return await run(formIn(fields));
    const { stream, name } = file;
    return await withUpload(stream, mostBytes, async (path) => {
      await parsed;
      return run({ ...formIn(fields), upload: { path, name } });
    });
  } catch (error) {
    if (!(error instanceof UploadTooLarge)) throw error;
    // The button, which says what is asked for, stands behind the file.
    return await run({ ...formIn(fields), upload: 'TOO_LARGE' });
  } finally {
    stop();
  }
}

/** What is left unread is passed over by the server once the request has been answered. */
function parse({ raw, headers }: FastifyRequest, fields: URLSearchParams) {
  const parser = parserOf(headers['content-type']);
  const found = Promise.withResolvers<FoundFile | undefined>();
  const parsed = Promise.withResolvers<void>();
  let open: BusboyFileStream | undefined;
  const fail = (error: Error) => {
    found.reject(error);
    parsed.reject(error);
    open?.destroy(error);
    raw.unpipe(parser);
  };
  const cutOff = () => {
    if (!raw.complete) fail(new DomainError('VALIDATION_ERROR', 'The upload was cut off.'));
  };
  parsed.promise.catch(() => {});
  found.promise.catch(() => {});
  parser
    .on('field', (name, value) => fields.append(name, value))
    .on('file', (_name, stream, name) => {
      // Who waits for the whole form hears of what goes wrong.
      stream.on('error', () => {});
      // A form without a chosen file has an empty one, without a name.
      if (!name || open !== undefined) {
        stream.resume();
        return;
      }
      open = stream;
      found.resolve({ stream, name });
    })
    .on('finish', () => {
      found.resolve(undefined);
      parsed.resolve();
    })
    .on('error', () => fail(unreadable()));
  raw.once('error', cutOff).once('close', cutOff).pipe(parser);
  return { found: found.promise, parsed: parsed.promise, stop: () => raw.unpipe(parser) };
}

const unreadable = () => invalid('form', 'cannot be read');

function parserOf(type: string | undefined): BusboyInstance {
  if (!/^multipart\/form-data\b/i.test(type ?? '')) throw unreadable();
  try {
    return new Busboy({ headers: { 'content-type': type! }, limits });
  } catch {
    throw unreadable();
  }
}
