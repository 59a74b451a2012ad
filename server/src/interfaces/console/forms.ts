import type { FastifyRequest } from 'fastify';
import { invalid } from '../../platform/errors/errors.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { type ConsoleAddress, requireOwnOrigin } from './session.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No form of a page of ours is sent to this route. */
    isFromElsewhere?: boolean;
  }
}

/** A form of a page may hold a picture. */
const pageBytes = 256 * 1024;
/** No form of a door is nearly as long, and everybody may send one. */
const doorBytes = 16 * 1024;

/** Refuses the forms of other sites before their bodies are read: browsers say whose page sends one. */
export function refuseForeignForms(scope: HttpScope, address: ConsoleAddress): void {
  scope.addHook('onRequest', (request, _reply, next) => {
    const { method, routeOptions } = request;
    const isSent = method !== 'GET' && method !== 'HEAD';
    if (isSent && !routeOptions.config.isFromElsewhere) requireOwnOrigin(request, address);
    next();
  });
}

/** Takes the forms of doors, which strangers may send: short ones without files. */
export function takeDoorForms(scope: HttpScope): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: doorBytes },
    (_request, text: string, parsed) => parsed(null, new URLSearchParams(text)),
  );
}

/** Takes the forms of pages as bytes: `readForm` reads those of people who are signed in. */
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

/**
 * Reads the form that came as bytes.
 * @throws VALIDATION_ERROR for what no browser sends
 */
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
