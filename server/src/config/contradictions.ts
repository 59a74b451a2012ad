/** Settings that each are right, and mean nothing together. */
interface Values {
  ZIMBO_ROLE: string;
  DATABASE_URL: string | undefined;
  BACKUP_VERIFY_DATABASE_URL: string | undefined;
}

/** A line for each. */
export function contradictions({
  ZIMBO_ROLE: role,
  DATABASE_URL: url,
  BACKUP_VERIFY_DATABASE_URL: verifyUrl,
}: Values): string[] {
  const problems: string[] = [];
  if (role !== 'all' && url === undefined) {
    problems.push(
      `ZIMBO_ROLE=${role} needs DATABASE_URL: no other process can work on the embedded database, so payments would stay as they are. For example: ZIMBO_ROLE=all`,
    );
  }
  if (verifyUrl !== undefined && verifyUrl === url) {
    problems.push(
      'BACKUP_VERIFY_DATABASE_URL is DATABASE_URL itself: a backup is verified by restoring it into another, empty database. Name that.',
    );
  }
  return problems;
}
