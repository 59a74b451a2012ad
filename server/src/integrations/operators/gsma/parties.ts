import { erasedPhone } from '../../../platform/values/phone.ts';
import type { Expected } from '../adapter.ts';

/** Payer and payee in a transaction; an operator may leave either out. */
interface Parties {
  debitParty?: unknown;
  creditParty?: unknown;
}

interface Identifier {
  key: string;
  value: string;
}

/**
 * Whether a transaction names other parties than our request. A party that is missing, masked, or named by another
 * kind of identifier is not compared. A return may repeat the parties of the debit; a disbursement has no other parties
 * than its own.
 */
export function isOfOtherParties(
  { debitParty, creditParty }: Parties,
  { kind, account, phone }: Pick<Expected, 'kind' | 'account' | 'phone'>,
): boolean {
  const [payers, payees] = [debitParty, creditParty].map(identifiersIn) as [
    Identifier[],
    Identifier[],
  ];
  const isOurs = (each: Identifier) => isAccount(each, account);
  const isReturn = kind === 'REFUND' || kind === 'REVERSAL';
  const goesOut = kind === 'DISBURSEMENT' || (isReturn && !payees.some(isOurs));
  const [customer, us] = goesOut ? [payees, payers] : [payers, payees];
  return (
    isOfAnotherPhone(customer, phone) ||
    isOfAnotherAccount(us, account) ||
    customer.some(isOurs) ||
    (!isReturn &&
      isPhone(phone) &&
      us.some((each) => isMsisdn(each) && isSamePhone(each.value, phone)))
  );
}

/** Whether a party of a transaction is this account of ours, `KEY@VALUE`. */
export const namesAccount = (party: unknown, account: string): boolean =>
  identifiersIn(party).some((each) => isAccount(each, account));

/** Whether a transaction names a phone, so that its owner must be looked up. */
export const namesPhone = ({ debitParty, creditParty }: Parties): boolean =>
  [debitParty, creditParty].flatMap(identifiersIn).some(isMsisdn);

function isOfAnotherPhone(named: Identifier[], phone: string | undefined): boolean {
  const phones = named.filter((each) => isMsisdn(each) && isReadable(each));
  if (!isPhone(phone) || phones.length === 0) return false;
  return !phones.some(({ value }) => isSamePhone(value, phone));
}

function isOfAnotherAccount(named: Identifier[], account: string | null | undefined): boolean {
  const ours = account?.split('@', 1)[0]?.toLowerCase();
  const accounts = named.filter((each) => each.key.toLowerCase() === ours && isReadable(each));
  return accounts.length > 0 && !accounts.some((each) => isAccount(each, account));
}

/** Whether it is this account of ours (`KEY@VALUE`), in any notation. */
function isAccount({ key, value }: Identifier, account: string | null | undefined): boolean {
  const [ourKey, ...ourValue] = account?.split('@') ?? [];
  const ours = ourValue.join('@');
  if (ours === '' || key.toLowerCase() !== ourKey?.toLowerCase()) return false;
  return isMsisdn({ key, value }) ? isSamePhone(value, ours) : spelling(value) === spelling(ours);
}

/** Without the spaces that people insert, and the leading zeros that a JSON number cannot have. */
const spelling = (value: string) =>
  value
    .toLowerCase()
    .replace(/\s/g, '')
    .replace(/^0+(?=\d+$)/, '');

/** Whether a value identifies anybody: an empty or masked value does not. */
const isReadable = ({ key, value }: Identifier) => {
  const mask = isMsisdn({ key, value }) ? /[*x•#]/i : /[*•#]|x{3}/i;
  return /[\p{L}\p{N}]/u.test(value) && !mask.test(value);
};

/** An erased or missing phone is nobody's. */
const isPhone = (phone: string | undefined): phone is string =>
  phone !== undefined && phone !== '' && phone !== erasedPhone;

const isMsisdn = ({ key }: Identifier) => key.toLowerCase() === 'msisdn';

/** Compares digits; without the country code, as customers dial it, the phone is the same. */
function isSamePhone(named: string, phone: string): boolean {
  const [given, ours] = [named, phone].map((each) => each.replace(/\D/g, '').replace(/^00/, ''));
  if (given === undefined || ours === undefined) return false;
  return given === ours || (given.length >= localDigits && ours.endsWith(given));
}

/** For phones of Cabo Verde, which are shorter. */
const localDigits = 7;

function identifiersIn(party: unknown): Identifier[] {
  const all: unknown[] = Array.isArray(party) ? party : [party];
  return all.flatMap((each) => {
    const { key, value } = (each ?? {}) as { key?: unknown; value?: unknown };
    if (typeof key !== 'string' || (typeof value !== 'string' && typeof value !== 'number')) {
      return [];
    }
    return [{ key, value: String(value).trim() }];
  });
}
