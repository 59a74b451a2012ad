import { DomainError, type ErrorCode } from '../../../platform/errors/errors.ts';
import { MerchantSuspended } from '../../../platform/values/merchant-terms.ts';
import type { RequestContext } from '../request-context.ts';

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

/** The field that a refusal names; undefined where it is of none. */
export const refusedField = ({ code, message }: DomainError): string | undefined =>
  code === 'VALIDATION_ERROR' ? message.split(' ', 1)[0] : undefined;
