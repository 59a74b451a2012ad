import { domainToASCII } from 'node:url';
import { invalid } from '../../platform/errors/errors.ts';
import type { Role } from './permissions.ts';

export type Language = 'pt' | 'en';

/** A person as pages show them. */
export interface Person {
  id: string;
  email: string;
  name: string;
  language: Language;
}

/** Where a person may do what. */
export interface Membership {
  merchantId: string;
  merchantName: string;
  role: Role;
}

const longestEmail = 254;
const longestName = 100;

/** Letters, marks and digits of every script, and what ASCII prints; nothing that cannot be seen or turns text. */
const localPart = /^(?!\p{M})[[!-?A-~\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]+$/v;
/** Without what domainToASCII would decode or cut off. */
const domainName = /^[[\-.\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]+$/v;
const longestLocalPart = 64;

/**
 * An e-mail as it is stored and compared, so that it is found however it is typed: composed, in lower case, and with
 * the domain as DNS has it (`xn--…`). Undefined for what no mail could be sent to.
 */
function emailOf(given: string): string | undefined {
  const [local = '', domain = '', ...rest] = given.trim().split('@');
  if (rest.length > 0 || !localPart.test(local) || !domainName.test(domain)) return undefined;
  // A letter that only looks like one of ASCII must not become the address of somebody else.
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
 * An e-mail as it is stored.
 * @throws VALIDATION_ERROR for what no mail could be sent to
 */
export function parseEmail(given: string): string {
  const email = emailOf(given);
  if (email === undefined) {
    throw invalid('email', 'must be an e-mail address such as maria@loja.cv');
  }
  return email;
}

/**
 * An e-mail that somebody typed or a provider names, as stored ones are compared with. What is none stays as it is, and
 * is nobody's.
 */
export const emailToFind = (given: string): string => emailOf(given) ?? given;

/** @throws VALIDATION_ERROR for a name that is empty or longer than 100 characters */
export function parseName(given: string): string {
  const name = given.trim();
  if (name === '' || name.length > longestName || /\p{Cc}/u.test(name)) {
    throw invalid('name', `must have 1 to ${longestName} characters`);
  }
  return name;
}

/** An e-mail address, in SQL, without what people append to tell their mail apart: one person reads them all. */
export const mailbox = (email: string) => `regexp_replace(lower(${email}), '\\+[^@]*@', '@')`;

/** The same of an address at hand. */
export const mailboxOf = (email: string): string => email.toLowerCase().replace(/\+[^@]*@/, '@');
