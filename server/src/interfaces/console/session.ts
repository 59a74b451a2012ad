import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/errors/errors.ts';
import { flowMs } from '../../tenants/people/sso/flow.ts';
import type { Language } from './words/common.ts';

/** The console's address: the only source of addresses, regardless of a request's Host. */
export interface ConsoleAddress {
  /** `https://console.example.cv` */
  origin: string;
  /** The path before `/console`; empty in most cases. */
  root: string;
  isSecure: boolean;
}

/** @param consoleUrl a base URL without a trailing slash */
export function consoleAddress(consoleUrl: string): ConsoleAddress {
  const { origin, pathname, protocol } = new URL(consoleUrl);
  return { origin, root: pathname.replace(/\/$/, ''), isSecure: protocol === 'https:' };
}

/** Over TLS, the prefix of the name makes browsers keep the cookie from other hosts and paths. */
export const sessionCookie = ({ isSecure }: ConsoleAddress) =>
  isSecure ? '__Host-zimbo' : 'zimbo';

const longestMs = 30 * 86_400_000;

export function setSessionCookie(
  reply: FastifyReply,
  address: ConsoleAddress,
  token: string,
): void {
  reply.setCookie(sessionCookie(address), token, {
    path: '/',
    httpOnly: true,
    // Links from mails and chats keep the session; forms of other sites get no cookie.
    sameSite: 'lax',
    secure: address.isSecure,
    maxAge: longestMs / 1_000,
  });
}

export function clearSessionCookie(reply: FastifyReply, address: ConsoleAddress): void {
  reply.clearCookie(sessionCookie(address), { path: '/', secure: address.isSecure });
}

const deviceCookie = ({ isSecure }: ConsoleAddress) =>
  isSecure ? '__Host-zimbo_device' : 'zimbo_device';

/** Browsers keep no cookie longer than this. */
const lastingSeconds = 400 * 86_400;

/** Marks this device as known after a sign-in: strangers' guesses then do not delay its owner. */
export function keepDevice(reply: FastifyReply, address: ConsoleAddress, device: string): void {
  reply.setCookie(deviceCookie(address), device, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: address.isSecure,
    maxAge: lastingSeconds,
  });
}

export const deviceOf = (request: FastifyRequest, address: ConsoleAddress) =>
  request.cookies[deviceCookie(address)];

const tillCookie = ({ isSecure }: ConsoleAddress) =>
  isSecure ? '__Secure-zimbo_till' : 'zimbo_till';

const tillCookieOptions = ({ root, isSecure }: ConsoleAddress) =>
  ({ path: `${root}/console`, httpOnly: true, sameSite: 'strict', secure: isSecure }) as const;

/** Marks this browser as a shared phone. */
export function keepTill(reply: FastifyReply, address: ConsoleAddress, token: string): void {
  const options = { ...tillCookieOptions(address), maxAge: lastingSeconds };
  reply.setCookie(tillCookie(address), token, options);
}

export function forgetTill(reply: FastifyReply, address: ConsoleAddress): void {
  reply.clearCookie(tillCookie(address), tillCookieOptions(address));
}

export const tillOf = (request: FastifyRequest, address: ConsoleAddress) =>
  request.cookies[tillCookie(address)];

const flowCookie = ({ isSecure }: ConsoleAddress) => (isSecure ? '__Host-zimbo_sso' : 'zimbo_sso');

/** The state that the browser brings back from the single sign-on provider. */
export function keepFlow(reply: FastifyReply, address: ConsoleAddress, flow: string): void {
  reply.setCookie(flowCookie(address), flow, {
    path: '/',
    httpOnly: true,
    // The provider redirects back by a link.
    sameSite: 'lax',
    secure: address.isSecure,
    maxAge: flowMs / 1_000,
  });
}

export function forgetFlow(reply: FastifyReply, address: ConsoleAddress): void {
  reply.clearCookie(flowCookie(address), { path: '/', secure: address.isSecure });
}

export const flowOf = (request: FastifyRequest, address: ConsoleAddress) =>
  request.cookies[flowCookie(address)];

/** The browser's chosen language. */
export function keepLanguage(
  reply: FastifyReply,
  address: ConsoleAddress,
  language: Language,
): void {
  reply.setCookie('zimbo_language', language, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: address.isSecure,
    maxAge: lastingSeconds,
  });
}

/** The session token from the browser's cookie. */
export const sessionToken = (request: FastifyRequest, address: ConsoleAddress) =>
  request.cookies[sessionCookie(address)];

/** The CSRF token of a session's forms, which does not reveal the session token. */
export const csrfTokenOf = (token: string) =>
  createHash('sha256').update(`zimbo csrf ${token}`).digest('base64url');

/** Rejects a form of another session. @throws FORBIDDEN */
export function requireOwnToken(expected: string, given: string): void {
  if (!areEqual(expected, given)) throw foreignForm();
}

/** Rejects a form of another site. @throws FORBIDDEN */
export function requireOwnOrigin({ headers }: FastifyRequest, address: ConsoleAddress): void {
  // Browsers name the origin of every form; a request without one is not from a browser's form.
  if (headers.origin !== address.origin) throw foreignForm();
}

export class ForeignForm extends DomainError {
  constructor() {
    super('FORBIDDEN', 'The form was sent by another site.');
  }
}

const foreignForm = () => new ForeignForm();

function areEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
