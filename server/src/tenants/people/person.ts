import { domainToASCII } from 'node:url';
import { invalid } from '../../platform/errors/errors.ts';
import { isVisible, mixesAlphabets } from '../../platform/text/look-alikes.ts';
import type { HeldRole } from './permissions.ts';

export type Language = 'pt' | 'en';

/** A person as pages show them. */
export interface Person {
  id: string;
  /** Null for people who joined by a QR code. */
  email: string | null;
  name: string;
  language: Language;
}

/** A person's roles. */
export interface Membership extends HeldRole {
  merchantId: string;
  merchantName: string;
  /** The name of the merchant's custom role. */
  roleName: string | null;
}

const longestEmail = 254;
const longestName = 100;

/**
 * Letters, marks and digits of every script, and printable ASCII; nothing invisible, and nothing that reorders text.
 */
const localPart = /^(?!\p{M})[[!-?A-~\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]+$/v;
/** Without characters that domainToASCII would decode or cut off. */
const domainName = /^[[\-.\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]+$/v;
const longestLocalPart = 64;

/**
 * Normalizes an e-mail for storage and comparison, so that any spelling finds it: composed, in lower case, and with
 * the domain in its DNS form (`xn--…`). Undefined if no mail could be sent there.
 */
function emailOf(given: string): string | undefined {
  const [local = '', domain = '', ...rest] = given.trim().split('@');
  if (rest.length > 0 || !localPart.test(local) || !domainName.test(domain)) return undefined;
  // A letter that only looks like an ASCII letter must not turn into another person's address.
  if (Array.from(local).some((each) => each > '\x7f' && /[\0-\x7f]/.test(composed(each)))) return;
  const email = `${composed(local)}@${isAscii(domain) ? domain.toLowerCase() : domainToASCII(domain)}`;
  const isLong =
    Buffer.byteLength(composed(local)) > longestLocalPart ||
    Buffer.byteLength(email) > longestEmail;
  return isLong || !/@[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(email) ? undefined : email;
}

const composed = (text: string) => text.normalize('NFC').toLowerCase().normalize('NFC');
const isAscii = (text: string) => !/[^\0-\x7f]/.test(text);

/**
 * Normalizes an e-mail for storage.
 * @throws VALIDATION_ERROR if no mail could be sent there
 */
export function parseEmail(given: string): string {
  const email = emailOf(given);
  if (email === undefined) {
    throw invalid('email', 'must be an e-mail address such as maria@loja.cv');
  }
  return email;
}

/**
 * Normalizes an e-mail typed by somebody or named by a provider, for comparison with stored ones. A malformed one
 * comes back unchanged, and matches nobody.
 */
export const emailToFind = (given: string): string => emailOf(given) ?? given;

/** @throws VALIDATION_ERROR for a name that is empty, invisible, too long, or not of one alphabet */
export function parseName(given: string): string {
  const name = given.trim();
  if (!isVisible(name) || name.length > longestName || /\p{Cc}/u.test(name)) {
    throw invalid('name', `must have 1 to ${longestName} characters`);
  }
  if (mixesAlphabets(name)) throw invalid('name', 'must not mix letters of two alphabets');
  return name;
}

/**
 * How the addresses of one mailbox become one: in any mailbox, people append a tag to their name; at Gmail, dots in the
 * name and the domain's other name mean nothing.
 */
const ofOneMailbox: readonly (readonly [pattern: string, replacement: string])[] = [
  [String.raw`\+[^@]*@`, '@'],
  [String.raw`@googlemail\.com$`, '@gmail.com'],
  [String.raw`\.(?=[^@]*@gmail\.com$)`, ''],
];

/** SQL for the mailbox of an e-mail address, or of a stored mailbox: one person reads all of its addresses. */
export const mailbox = (email: string): string =>
  ofOneMailbox.reduce(
    (text, [pattern, replacement]) =>
      `regexp_replace(${text}, '${pattern}', '${replacement}', 'g')`,
    `lower(${email})`,
  );

/** The same for an address in memory. */
export const mailboxOf = (email: string): string =>
  ofOneMailbox.reduce(
    (text, [pattern, replacement]) => text.replace(new RegExp(pattern, 'g'), replacement),
    email.toLowerCase(),
  );
