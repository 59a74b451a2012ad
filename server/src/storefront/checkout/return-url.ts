import { invalid } from '../../platform/errors/errors.ts';

/** As long as the url of a webhook endpoint may be: each view of a page sends it. */
export const longestUrl = 2_048;

/**
 * These schemes would run as code, impersonate the payment page, or open a file, a page of the browser itself, or a
 * program on the customer's machine with the contents of the address. Apps have schemes of their own.
 */
const refusedSchemes = new Set(
  [
    // Code, and pages of the browser itself.
    'javascript vbscript livescript mocha data file blob filesystem about chrome edge brave opera vivaldi',
    'firefox firefoxurl ie.http resource view-source wyciwyg devtools content cid mid res its mk',
    'jar feed feeds pcast mhtml jnlp jnlps wss ws intent android-app',
    // Programs and settings of Windows.
    'search search-ms shell cmd powershell pwsh help hcp windowsdefender calculator bingmaps onenote',
    'onenote-cmd insthelp mshta wscript',
    // Programs and settings of macOS, iOS and Linux.
    'applescript shortcuts workflow automator macappstore macappstores x-man-page ghelp apt appstream trash',
    // Other machines, with a terminal or as folders.
    'smb cifs afp nfs dav davs webdav webdavs sftp tftp ssh scp telnet rlogin rsh tn3270 vnc rdp gopher finger whois',
  ].flatMap((names) => names.split(' ')),
);
/** Whole families: Windows and Office; Apple's shops and settings; directories; browser extensions and browsers. */
const refusedKinds =
  /^(?:ms-.*|microsoft[-.].*|itms.*|x-apple.*|com\.apple\..*|.*prefs|ldap.*|chrome-.*|moz-.*|.*-extension|svn\+ssh|git\+ssh)$/;

/**
 * Whether a customer may be sent to this address: an absolute address of any scheme, since apps have schemes of their
 * own.
 * @throws VALIDATION_ERROR
 */
export function checkReturnUrl(field: string, text: string): void {
  if (text.length > longestUrl)
    throw invalid(field, `must not be longer than ${longestUrl} characters`);
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

/** The address that a page links to: none of the longer addresses that older sessions and links may have. */
export const shownUrl = (text: string | null): string | null =>
  text === null || text.length > longestUrl ? null : text;

/** The address with the session's id in place of any other; the rest of its query stays as it is. */
export function withSessionId(text: string, sessionId: string): string {
  const url = new URL(text);
  const others = url.search
    .slice(1)
    .split('&')
    .filter((each) => !isSessionId(each));
  const rest = others.join('&');
  const parameter = `${name}=${sessionId}`;
  url.search = rest === '' ? parameter : `${rest}&${parameter}`;
  return url.href;
}

const name = 'session_id';

/** In any spelling: `session%5Fid`. Only possible matches are decoded, since an address may have a thousand names. */
function isSessionId(parameter: string): boolean {
  const [given = ''] = parameter.split('=', 1);
  if (given.length < name.length || given.length > 3 * name.length) return false;
  return new URLSearchParams(given).has(name);
}
