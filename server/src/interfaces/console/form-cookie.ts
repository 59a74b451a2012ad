import type { FastifyReply, FastifyRequest } from 'fastify';
import { formIn } from './authenticate.ts';
import type { SentForm } from './request-context.ts';
import type { ConsoleAddress } from './session.ts';

/** As long as reauthentication may take. */
const keptSeconds = 600;
/** Browsers keep cookies of up to 4,096 bytes. */
const mostBytes = 3_000;

const cookieOf = ({ isSecure }: ConsoleAddress) => (isSecure ? '__Host-zimbo_form' : 'zimbo_form');

/**
 * Keeps a form's input in the browser during reauthentication, so that the form returns filled in.
 * Longer input must be typed again.
 */
export function keepForm(
  request: FastifyRequest,
  reply: FastifyReply,
  address: ConsoleAddress,
): void {
  const fields = new URLSearchParams(request.body as URLSearchParams);
  for (const name of ['csrf', 'action']) fields.delete(name);
  const kept = JSON.stringify([request.raw.url, fields.toString()]);
  const value = Buffer.from(kept).toString('base64url');
  if (value.length > mostBytes) return;
  reply.setCookie(cookieOf(address), value, { ...attributesOf(address), maxAge: keptSeconds });
}

/** Takes the stored input of the form at this address, once. */
export function takeKeptForm(
  request: FastifyRequest,
  reply: FastifyReply,
  address: ConsoleAddress,
): SentForm | undefined {
  const value = request.cookies[cookieOf(address)];
  if (value === undefined) return undefined;
  const [url, fields] = read(value);
  if (url !== request.raw.url || fields === undefined) return undefined;
  reply.clearCookie(cookieOf(address), attributesOf(address));
  return formIn(new URLSearchParams(fields));
}

const attributesOf = ({ isSecure }: ConsoleAddress) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure }) as const;

/** The cookie's contents, which may be anything. */
function read(value: string): readonly (string | undefined)[] {
  try {
    const kept: unknown = JSON.parse(Buffer.from(value, 'base64url').toString());
    return Array.isArray(kept) && kept.every((each) => typeof each === 'string') ? kept : [];
  } catch {
    return [];
  }
}
