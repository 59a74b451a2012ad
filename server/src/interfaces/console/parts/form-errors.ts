import { DomainError, type ErrorCode } from '../../../platform/errors/errors.ts';
import { MerchantSuspended } from '../../../platform/values/merchant-terms.ts';
import type { RequestContext } from '../request-context.ts';
import type { FieldErrors } from './form.ts';

/** Problems that a person can fix in a form, or must see next to it. */
const told: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'INVALID_STATE',
  'LIMIT_REACHED',
  'IDEMPOTENCY_KEY_REUSED',
];

/** The result of a use case, or its refusal. Errors that no form can fix are thrown. */
export async function refusalOr<T>(asked: Promise<T>): Promise<T | DomainError> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DomainError && told.includes(error.code)) return error;
    throw error;
  }
}

/** The reason of a refusal, in the reader's words. */
export const refusalText = (
  { words }: Pick<RequestContext, 'words'>,
  error: DomainError,
): string => (error instanceof MerchantSuspended ? words.suspended : words.errors[error.code]);

/** A form's messages for refusals. */
export interface RefusalWords {
  /** By the field of a VALIDATION_ERROR. */
  wrong?: Readonly<Record<string, string>>;
  /** By the code of any other error: for the form as a whole, or for its fields. */
  codes?: Readonly<Partial<Record<ErrorCode, string | FieldErrors>>>;
}

/** The mistakes by field; `page` is the form as a whole. @throws errors that no form can fix */
export function formErrors(
  visit: Pick<RequestContext, 'words'>,
  error: unknown,
  { wrong = {}, codes = {} }: RefusalWords,
): FieldErrors {
  if (!(error instanceof DomainError)) throw error;
  const known = codes[error.code];
  if (known !== undefined) return typeof known === 'string' ? { page: known } : known;
  if (!told.includes(error.code)) throw error;
  const name = error.code === 'VALIDATION_ERROR' ? error.message.split(' ', 1)[0]! : '';
  return Object.hasOwn(wrong, name) ? { [name]: wrong[name] } : { page: refusalText(visit, error) };
}
