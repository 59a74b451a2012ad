import { invalidState } from '../../platform/errors/errors.ts';
import type { PeopleDependencies } from './dependencies.ts';
import { updateLabel } from './passkey-store.ts';

const longestLabel = 60;

/** What a person calls a passkey, as it is stored. */
export const labelOf = (given: string) =>
  Array.from(given.trim()).slice(0, longestLabel).join('') || 'Passkey';

/**
 * Gives a passkey another name. It opens nothing, so it is in no audit record.
 * @throws INVALID_STATE where it is not theirs
 */
export async function renamePasskey(
  { database }: Pick<PeopleDependencies, 'database'>,
  passkey: { personId: string; id: string },
  label: string,
): Promise<void> {
  if (!(await updateLabel(database, passkey, labelOf(label)))) {
    throw invalidState('The passkey is gone.');
  }
}
