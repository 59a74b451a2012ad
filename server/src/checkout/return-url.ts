import { invalid } from '../errors.ts';

/** These would run as code, or show something else, in the name of the payment page. */
const refusedSchemes = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:']);

/**
 * If a customer may be sent to: an absolute address of any scheme, since apps have schemes of
 * their own.
 * @throws VALIDATION_ERROR
 */
export function checkReturnUrl(field: string, text: string): void {
  const url = URL.parse(text);
  if (url === null) throw invalid(field, 'must be an absolute URL, such as https://shop.cv/thanks');
  if (refusedSchemes.has(url.protocol)) {
    throw invalid(field, `must not be a ${url.protocol} URL`);
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(field, 'must not contain a user name or password');
  }
}

/** The address with the session's id appended; the rest of its query stays as it is. */
export function withSessionId(text: string, sessionId: string): string {
  const url = new URL(text);
  const parameter = `session_id=${sessionId}`;
  url.search = url.search === '' ? parameter : `${url.search}&${parameter}`;
  return url.href;
}
