/** Settings that are valid alone, but contradict each other. */
interface Values {
  DATABASE_URL: string | undefined;
  BACKUP_VERIFY_DATABASE_URL: string | undefined;
}

/** Returns one line for each problem. */
export const contradictions = ({
  DATABASE_URL: url,
  BACKUP_VERIFY_DATABASE_URL: verifyUrl,
}: Values): string[] => (verifyUrl === undefined || verifyUrl !== url ? [] : [verifiesItself]);

const verifiesItself =
  'BACKUP_VERIFY_DATABASE_URL is DATABASE_URL itself: a backup is verified by restoring it into another, empty database. Name that database.';
