import { isUuid, minorOf, Refused } from './standard.ts';

export interface Party {
  key: string;
  value: string;
}

/** The headers of a request that moves money. */
export interface RequestHeaders {
  /** The client's id of the request; undefined if it gave none. */
  correlationId: string | undefined;
  callbackUrl: string | undefined;
}

/** A requested debit or disbursement. */
export interface PaymentRequest {
  amountMinor: bigint;
  currency: string;
  reference: string | undefined;
  /** The phone of the payer, or of the recipient. */
  payer: string;
  /** The client's account, as the client names it. */
  account: Party[];
}

/** Transactions that a client requests by their type. */
export const paymentTypes = ['merchantpay', 'disbursement'] as const;
export type PaymentType = (typeof paymentTypes)[number];

export interface ReversalRequest {
  /** In minor units; undefined: the whole debit. */
  amountMinor: bigint | undefined;
  currency: string | undefined;
  reference: string | undefined;
}

/** @throws Refused */
export function readHeaders(headers: Record<string, unknown>): RequestHeaders {
  const { 'x-correlationid': correlationId, 'x-callback-url': callbackUrl } = headers;
  if (correlationId !== undefined && !isUuid(correlationId)) {
    throw new Refused('validation', 'formatError', 'X-CorrelationID must be a UUID');
  }
  if (callbackUrl !== undefined && !isHttpUrl(callbackUrl)) {
    throw new Refused('validation', 'formatError', 'X-Callback-URL must be a URL');
  }
  return { correlationId: correlationId?.toLowerCase(), callbackUrl };
}

/** @throws Refused */
export function readPayment(
  body: unknown,
  currencies: readonly string[],
  type: PaymentType,
): PaymentRequest {
  const fields = objectOf(body);
  checkDescription(fields);
  const goesOut = type === 'disbursement';
  const [customer, us] = goesOut ? ['creditParty', 'debitParty'] : ['debitParty', 'creditParty'];
  const parties = partiesOf(fields[customer!], customer!);
  const payer = parties.find(({ key }) => key.toLowerCase() === 'msisdn')?.value;
  if (payer === undefined) {
    const words = `${customer} must name the ${goesOut ? 'recipient' : 'payer'} by msisdn`;
    throw new Refused('validation', 'mandatoryValueNotSupplied', words);
  }
  if (!/^\+?[0-9 ()-]{6,20}$/.test(payer)) {
    throw new Refused('validation', 'formatError', `the msisdn of ${customer} is no phone number`);
  }
  return {
    amountMinor: minorOf(required(fields, 'amount')),
    currency: currencyOf(required(fields, 'currency'), currencies),
    reference: referenceOf(fields),
    payer,
    account: partiesOf(fields[us!], us!),
  };
}

/** @throws Refused */
export function readReversal(body: unknown, currencies: readonly string[]): ReversalRequest {
  const fields = objectOf(body);
  if (required(fields, 'type') !== 'reversal') {
    const words = 'type must be "reversal"';
    throw new Refused('businessRule', 'transactionTypeError', words);
  }
  const { amount, currency } = fields;
  return {
    amountMinor: amount === undefined ? undefined : minorOf(amount),
    currency: currency === undefined ? undefined : currencyOf(currency, currencies),
    reference: referenceOf(fields),
  };
}

function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Record<string, unknown>;
  }
  throw new Refused('validation', 'formatError', 'the request body must be a JSON object');
}

function required(fields: Record<string, unknown>, name: string): unknown {
  const value = fields[name];
  if (value !== undefined) return value;
  throw new Refused('validation', 'mandatoryValueNotSupplied', `${name} is missing`);
}

function currencyOf(currency: unknown, currencies: readonly string[]): string {
  const found = currencies.find((one) => one === currency);
  if (found !== undefined) return found;
  const words = `currency must be ${currencies.join(' or ')}`;
  throw new Refused('validation', 'currencyNotSupported', words);
}

function referenceOf(fields: Record<string, unknown>): string | undefined {
  const name = 'requestingOrganisationTransactionReference';
  const { [name]: reference } = fields;
  if (reference === undefined) return undefined;
  if (typeof reference === 'string' && reference.length <= 256) return reference;
  throw new Refused('validation', 'lengthError', `${name} must be a text of up to 256 characters`);
}

function checkDescription({ descriptionText: text }: Record<string, unknown>): void {
  if (text === undefined || (typeof text === 'string' && Array.from(text).length <= 160)) return;
  const words = 'descriptionText must be a text of up to 160 characters';
  throw new Refused('validation', 'lengthError', words);
}

function partiesOf(parties: unknown, name: string): Party[] {
  if (parties === undefined) {
    throw new Refused('validation', 'mandatoryValueNotSupplied', `${name} is missing`);
  }
  const isList = Array.isArray(parties) && parties.length >= 1 && parties.length <= 10;
  if (isList && parties.every(isParty)) return parties;
  const words = `${name} must be a list of one to ten objects with key and value`;
  throw new Refused('validation', 'formatError', words);
}

function isParty(party: unknown): party is Party {
  const { key, value } = (party ?? {}) as Partial<Party>;
  return isShort(key) && isShort(value);
}

const isShort = (text: unknown) => typeof text === 'string' && /^.{1,256}$/s.test(text);

function isHttpUrl(text: unknown): text is string {
  return typeof text === 'string' && /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}
