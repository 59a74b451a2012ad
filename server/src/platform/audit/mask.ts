import { plainDigits } from '../values/phone.ts';
import { createKeyedDigest } from './digest.ts';

/** For values that may hold a secret or name a customer. */
export interface Mask {
  /** A keyed digest, which shows only whether two texts were the same. */
  text(text: string | null): string | null;
  /** The host stays readable; path and query, which may hold a secret, become a keyed digest. */
  url(url: string): string;
}

export function createMask(secretKey: Buffer): Mask {
  const digest = createKeyedDigest(secretKey);
  return {
    text: (text) => (text === null ? null : `(${digest(text)})`),
    url: (url) => `${URL.parse(url)?.origin ?? ''}/… (${digest(url)})`,
  };
}

const apart = '[\\s().\\/_-]{0,4}';
const joined = '[ ._-]?';
/**
 * Phones as people write them: international ones with + or 00; those of the countries whose operators we speak
 * with also bare, and their mobile numbers without the country's code, unless they are as round as amounts.
 */
const phones = new RegExp(
  [
    `\\+(?:${apart}\\d){8,15}`,
    `(?<![\\p{L}\\d])00(?:${apart}\\d){8,15}(?!\\d)`,
    `(?<![\\p{L}\\d])(?:238(?:${apart}\\d){7}|244(?:${apart}\\d){9})(?![\\p{L}\\d])`,
    `(?<![\\p{L}\\d])(?!\\d+000(?!\\d))[59]\\d\\d${joined}\\d\\d${joined}\\d\\d(?![\\p{L}\\d])`,
    `(?<![\\p{L}\\d])(?!\\d+000(?!\\d))9\\d\\d${joined}\\d{3}${joined}\\d{3}(?![\\p{L}\\d])`,
  ].join('|'),
  'gu',
);

/** A text, with each phone shortened to its last digits, in any digits and any disguise. */
export function withoutPhones(text: string): string {
  const plain = plainDigits(text);
  const masked = plain.replace(
    phones,
    (phone) => `${phone[0] === '+' ? '+' : ''}…${phone.slice(-2)}`,
  );
  return masked === plain ? text : masked;
}
