import { invalid } from '../../platform/errors/errors.ts';
import { normalizePhone, phoneRule } from '../../platform/values/phone.ts';

/** How customers reach a shop; each contact is optional. */
export interface Contact {
  /** In international form. */
  contactPhone: string | null;
  contactEmail: string | null;
  /** http or https. */
  website: string | null;
}

export type ContactChange = Partial<Contact>;

export const contactColumns = `contact_phone AS "contactPhone", contact_email AS "contactEmail", contact_website AS website`;

const longestEmail = 254;
const longestWebsite = 255;
const email = /^[^\s@<>"(),:;[\]\\]{1,64}@(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+[\p{L}]{2,}$/u;

/** The columns of a change. @throws VALIDATION_ERROR contactPhone, contactEmail or website */
export function contactColumnsOf(change: ContactChange): Record<string, string | null> {
  const { contactPhone, contactEmail, website } = change;
  return {
    ...(contactPhone !== undefined && { contact_phone: contactPhone && phoneOf(contactPhone) }),
    ...(contactEmail !== undefined && { contact_email: contactEmail && emailOf(contactEmail) }),
    ...(website !== undefined && { contact_website: website && websiteOf(website) }),
  };
}

function phoneOf(text: string): string {
  const phone = normalizePhone(text);
  if (phone === undefined) throw invalid('contactPhone', phoneRule);
  return phone;
}

function emailOf(text: string): string {
  if (text.length <= longestEmail && email.test(text)) return text;
  throw invalid('contactEmail', 'must be an e-mail address, such as loja@example.cv');
}

function websiteOf(text: string): string {
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (
    url &&
    isWeb &&
    url.username === '' &&
    url.password === '' &&
    url.href.length <= longestWebsite
  ) {
    return url.href;
  }
  throw invalid(
    'website',
    `must be an http or https URL of at most ${longestWebsite} characters, without a user name`,
  );
}
