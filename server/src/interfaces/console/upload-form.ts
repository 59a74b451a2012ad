import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { UploadTooLarge, withUpload } from '../../platform/http/upload.ts';
import { formIn } from './authenticate.ts';
import type { SentForm } from './request-context.ts';

/** The limit for fields other than the file. */
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
 * Reads a form with a file while it arrives: its fields into memory, the file to disk.
 * @param check verifies by the fields before the file that the form is ours; nothing is stored
 * earlier
 * @throws VALIDATION_ERROR if this is not such a form
 * @throws RATE_LIMITED while others are uploading
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
    // The submit button, which names the action, follows the file.
    return await run({ ...formIn(fields), upload: 'TOO_LARGE' });
  } finally {
    stop();
  }
}

/** After the response, the server discards the unread rest. */
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
      // The caller that waits for the whole form gets the error.
      stream.on('error', () => {});
      // Without a chosen file, browsers send an empty one without a name.
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
