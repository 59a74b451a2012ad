import type { KeptErasures } from '../operations/privacy/erasures-file.ts';
import type { Config } from '../platform/config/config.ts';
import { findSecretKeys } from '../platform/secrets/secret-keys.ts';
import { withWorkspace } from './workspace.ts';

/** The erasures repeated after a restore. */
export interface Restored {
  file: string;
  erasures: number;
  payments: number;
  underOtherKeys: number;
  /** Lines of the file that could not be read. */
  unreadable: number;
}

/** The file of erasures, with its content. */
export interface ErasuresGiven extends KeptErasures {
  file: string;
  /** Whether a person named the file; otherwise it is the file in DATA_DIR, which may be missing. */
  isNamed: boolean;
}

/**
 * Read before the database is touched.
 * @throws StartError if the named file is missing, or a file cannot be read
 */
export async function readErasuresFor(
  config: Config,
  named: string | undefined,
): Promise<ErasuresGiven> {
  const { erasuresFile, readErasures } = await import('../operations/privacy/erasures-file.ts');
  const isNamed = named !== undefined;
  const file = named ?? erasuresFile(config.dataDir);
  return { file, isNamed, ...(await readErasures(file, isNamed)) };
}

/** Repeats, in a restored database, the erasures made after the backup. */
export async function applyErasuresTo(
  config: Config,
  { file, isNamed, erasures, unreadable }: ErasuresGiven,
): Promise<Restored> {
  const [{ applyErasures, shareErasures }, { privacyDependencies }] = await Promise.all([
    import('../operations/privacy/erasures.ts'),
    import('./privacy.ts'),
  ]);
  const nothing = { file, erasures: 0, payments: 0, underOtherKeys: 0, unreadable };
  if (erasures.length === 0) return nothing;
  if (!(await findSecretKeys(config))) return { ...nothing, underOtherKeys: erasures.length };
  return withWorkspace(async (workspace) => {
    const dependencies = { ...workspace, ...(await privacyDependencies(workspace)) };
    await shareErasures({ ...dependencies, file });
    if (isNamed) await shareErasures(dependencies);
    const applied = await applyErasures(dependencies);
    return { ...applied, file, underOtherKeys: applied.underOtherKeys.length, unreadable };
  });
}
