import type { FastifyRequest } from 'fastify';
import { invalid } from '../../platform/errors/errors.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { type ConsoleAddress, requireOwnOrigin } from './session.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Routes without forms on our pages. */
    isFromElsewhere?: boolean;
  }
}

/** A form of a page may contain a picture. */
const pageBytes = 256 * 1024;
/** Forms of sign-in pages are far shorter, and anybody may send one. */
const doorBytes = 16 * 1024;

/** Rejects forms of other sites before reading their bodies: browsers name the origin of a form. */
export function refuseForeignForms(scope: HttpScope, address: ConsoleAddress): void {
  scope.addHook('onRequest', (request, _reply, next) => {
    const { method, routeOptions } = request;
    const isSent = method !== 'GET' && method !== 'HEAD';
    if (isSent && !routeOptions.config.isFromElsewhere) requireOwnOrigin(request, address);
    next();
  });
}

/** Accepts forms of sign-in pages, which strangers may send: short ones without files. */
export function takeDoorForms(scope: HttpScope): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: doorBytes },
    (_request, text: string, parsed) => parsed(null, new URLSearchParams(text)),
  );
}

/** Accepts forms of pages as bytes: `readForm` parses those of signed-in people. */
export function takePageForms(scope: HttpScope): void {
  scope.removeAllContentTypeParsers();
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
    scope.addContentTypeParser(
      type,
      { parseAs: 'buffer', bodyLimit: pageBytes },
      (_request: FastifyRequest, bytes: Buffer, parsed: (error: null, body: Buffer) => void) =>
        parsed(null, bytes),
    );
  }
}

/** Parses a form received as bytes. @throws VALIDATION_ERROR if no browser would send this */
export async function readForm(request: FastifyRequest): Promise<void> {
  const { body, headers } = request;
  if (!Buffer.isBuffer(body)) return;
  const type = headers['content-type'] ?? '';
  request.body = /^multipart\//i.test(type)
    ? await readMultipart(type, body)
    : new URLSearchParams(body.toString());
}

async function readMultipart(type: string, bytes: Buffer): Promise<FormData> {
  try {
    const headers = { 'content-type': type };
    return await new Response(new Uint8Array(bytes), { headers }).formData();
  } catch {
    throw invalid('form', 'cannot be read');
  }
}
