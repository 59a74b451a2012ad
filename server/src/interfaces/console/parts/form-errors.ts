import { DomainError, type ErrorCode } from '../../../platform/errors/errors.ts';
import { MerchantSuspended } from '../../../platform/values/merchant-terms.ts';
import type { RequestContext } from '../request-context.ts';
import type { FieldErrors } from './form.ts';

/** What somebody who fills in a form can put right, or has to be told beside it. */
const told: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'INVALID_STATE',
  'LIMIT_REACHED',
  'IDEMPOTENCY_KEY_REUSED',
];

/** What a use case gives, or why it refuses. What no form can put right is thrown on. */
export async function refusalOr<T>(asked: Promise<T>): Promise<T | DomainError> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DomainError && told.includes(error.code)) return error;
    throw error;
  }
}

/** Why something is refused, in the reader's words. */
export const refusalText = (
  { words }: Pick<RequestContext, 'words'>,
  error: DomainError,
): string => (error instanceof MerchantSuspended ? words.suspended : words.errors[error.code]);

/** What a form says of what was refused. */
export interface RefusalWords {
  /** By the field that a VALIDATION_ERROR names. */
  wrong?: Readonly<Record<string, string>>;
  /** By the code of any other error: of the form as a whole, or of its fields. */
  codes?: Readonly<Partial<Record<ErrorCode, string | FieldErrors>>>;
}

/**
 * What has to be put right, by field; `page` is the form as a whole.
 * @throws what no form can put right
 */
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
