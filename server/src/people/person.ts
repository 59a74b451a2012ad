import { invalid } from '../errors.ts';
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

/**
 * An e-mail as it is stored: in lower case, so that it is found however it is typed.
 * @throws VALIDATION_ERROR for what no mail could be sent to
 */
export function parseEmail(given: string): string {
  const email = given.trim().toLowerCase();
  const isShaped = /^[!-?A-~]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(email);
  if (!isShaped || email.length > longestEmail) {
    throw invalid('email', 'must be an e-mail address such as maria@loja.cv');
  }
  return email;
}

/** @throws VALIDATION_ERROR for a name that is empty or longer than 100 characters */
export function parseName(given: string): string {
  const name = given.trim();
  if (name === '' || name.length > longestName || /\p{Cc}/u.test(name)) {
    throw invalid('name', `must have 1 to ${longestName} characters`);
  }
  return name;
}
