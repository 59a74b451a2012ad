import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/errors/errors.ts';
import { flowMs } from '../../tenants/people/sso/flow.ts';
import type { Language } from './words/common.ts';

/** Where the console is reached: the one source of addresses, whatever a request says of its host. */
export interface ConsoleAddress {
  /** `https://console.example.cv` */
  origin: string;
  /** The path before `/console`; empty in most cases. */
  root: string;
  isSecure: boolean;
}

/** @param consoleUrl a base URL without a slash at its end */
export function consoleAddress(consoleUrl: string): ConsoleAddress {
  const { origin, pathname, protocol } = new URL(consoleUrl);
  return { origin, root: pathname.replace(/\/$/, ''), isSecure: protocol === 'https:' };
}

/** Over TLS the browser itself keeps the cookie from other hosts and paths: its name demands that. */
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
    // Links from mails and chats lead to a page as who one is; forms of other sites bring nobody.
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

/** Longer than this no browser keeps a cookie. */
const lastingSeconds = 400 * 86_400;

/** Somebody has signed in on this device: from here on, strangers who try do not hold them up on it. */
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

const flowCookie = ({ isSecure }: ConsoleAddress) => (isSecure ? '__Host-zimbo_sso' : 'zimbo_sso');

/** What this browser brings back from the provider of single sign-on, with whatever that says. */
export function keepFlow(reply: FastifyReply, address: ConsoleAddress, flow: string): void {
  reply.setCookie(flowCookie(address), flow, {
    path: '/',
    httpOnly: true,
    // The provider leads back here with a link.
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

/** Which language this browser has chosen. */
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

/** The token of the session, as the browser sends it. */
export const sessionToken = (request: FastifyRequest, address: ConsoleAddress) =>
  request.cookies[sessionCookie(address)];

/** Stands in each form of a session, and says nothing of the session's token. */
export const csrfTokenOf = (token: string) =>
  createHash('sha256').update(`zimbo csrf ${token}`).digest('base64url');

/**
 * Refuses a form of another session.
 * @throws FORBIDDEN
 */
export function requireOwnToken(expected: string, given: string): void {
  if (!areEqual(expected, given)) throw foreignForm();
}

/**
 * Refuses a form that another site sent.
 * @throws FORBIDDEN
 */
export function requireOwnOrigin({ headers }: FastifyRequest, address: ConsoleAddress): void {
  // Browsers name the origin of every form that is sent; who sends none is none.
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
