import { invalid } from '../errors.ts';

/**
 * These would run as code, show something else in the name of the payment page, or open a file, a page of the browser
 * itself, or a program of the customer's machine with what the address says. Apps have schemes of their own.
 */
const refusedSchemes = new Set(
  [
    ['javascript', 'vbscript', 'livescript', 'mocha', 'data', 'file', 'blob', 'filesystem'],
    ['about', 'chrome', 'edge', 'brave', 'opera', 'vivaldi', 'resource', 'view-source', 'wyciwyg'],
    ['jar', 'feed', 'pcast', 'mhtml', 'mk', 'its', 'res', 'cid', 'mid', 'jnlp', 'jnlps'],
    ['search', 'search-ms', 'shell', 'help', 'hcp', 'onenote', 'wss', 'ws'],
    ['intent', 'android-app', 'content', 'itms-services', 'x-apple.systempreferences'],
    ['smb', 'afp', 'nfs', 'dav', 'davs', 'ldap', 'ldaps', 'ssh', 'sftp', 'telnet', 'vnc', 'rdp'],
  ].flat(),
);
/** Programs of Windows and of Office; what extensions of browsers hold; what belongs to a browser. */
const refusedKinds = /^(?:ms-.*|chrome-.*|moz-.*|.*-extension|microsoft-edge.*)$/;

/**
 * If a customer may be sent to: an absolute address of any scheme, since apps have schemes of
 * their own.
 * @throws VALIDATION_ERROR
 */
export function checkReturnUrl(field: string, text: string): void {
  const url = URL.parse(text);
  if (url === null) throw invalid(field, 'must be an absolute URL, such as https://shop.cv/thanks');
  const scheme = url.protocol.slice(0, -1);
  if (refusedSchemes.has(scheme) || refusedKinds.test(scheme)) {
    throw invalid(field, `must not be a ${url.protocol} URL`);
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(field, 'must not contain a user name or password');
  }
}

/** The address with the session's id in place of any that it has; the rest of its query stays as it is. */
export function withSessionId(text: string, sessionId: string): string {
  const url = new URL(text);
  const others = url.search
    .slice(1)
    .split('&')
    .filter((each) => !isSessionId(each));
  const rest = others.join('&');
  const parameter = `session_id=${sessionId}`;
  url.search = rest === '' ? parameter : `${rest}&${parameter}`;
  return url.href;
}

/** However it is spelt: `session%5Fid`. */
const isSessionId = (parameter: string) => new URLSearchParams(parameter).has('session_id');
