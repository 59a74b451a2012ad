/** Settings that each are right, and mean nothing together. */
interface Values {
  DATABASE_URL: string | undefined;
  BACKUP_VERIFY_DATABASE_URL: string | undefined;
}

/** A line for each. */
export const contradictions = ({
  DATABASE_URL: url,
  BACKUP_VERIFY_DATABASE_URL: verifyUrl,
}: Values): string[] => (verifyUrl === undefined || verifyUrl !== url ? [] : [verifiesItself]);

const verifiesItself =
  'BACKUP_VERIFY_DATABASE_URL is DATABASE_URL itself: a backup is verified by restoring it into another, empty database. Name that.';
