import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { baseUrl, boolean, databaseUrl, daysOrOff, integer, type Kind, label } from './kinds.ts';

// Only the processes with a schedule make backups.
const group = { group: 'Backups', perProcess: true as const };

/** Where backups are kept. */
export type BackupPlace =
  | { kind: 'folder'; path: string }
  /** The prefix has no leading or trailing slash, and may be empty. */
  | { kind: 's3'; bucket: string; prefix: string };

export type BackupSchedule =
  | { kind: 'daily'; hour: number; minute: number }
  | { kind: 'every'; hours: number };

/** The storage settings, under the names that providers use. */
export interface S3Access {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface BackupSetting {
  /** Undefined: backups are made only by hand, to a named file. */
  to: BackupPlace | undefined;
  schedule: BackupSchedule | undefined;
  /** Of the schedule. */
  timeZone: string;
  /** Public keys for age; if empty, backups are not encrypted. */
  recipients: readonly string[];
  /** Undefined: backups are never removed. */
  keepMs: number | undefined;
  keepLast: number;
  isVerified: boolean;
  /** An empty database to restore into, unless the database is embedded. */
  verifyDatabaseUrl: string | undefined;
  s3: S3Access | undefined;
}

/** In the format of `BACKUP_TO` and of command arguments. */
export function parseBackupPlace(text: string): BackupPlace | undefined {
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/(?!\.{1,2}(?:\/|$))[\w.=+-]+)*)\/?$/.exec(
      text,
    ) ?? [];
  if (bucket !== undefined) return { kind: 's3', bucket, prefix: prefix.slice(1) };
  return isAbsolute(text) && !text.includes('\0') ? { kind: 'folder', path: text } : undefined;
}

const place: Kind<BackupPlace> = {
  rule: 'the absolute path of a folder, or s3://BUCKET/PREFIX',
  parse: parseBackupPlace,
};

const schedule: Kind<BackupSchedule> = {
  rule: 'daily at HH:MM, or every N hours (1 to 24)',
  parse(text) {
    const [, hour, minute] = /^daily at ([01]\d|2[0-3]):([0-5]\d)$/.exec(text)?.map(Number) ?? [];
    if (hour !== undefined && minute !== undefined) return { kind: 'daily', hour, minute };
    const hours = Number(/^every (\d{1,3}) hours?$/.exec(text)?.[1]);
    return hours >= 1 && hours <= 24 ? { kind: 'every', hours } : undefined;
  },
};

const recipients: Kind<string[]> = {
  rule: 'one or more public keys for age (age1…), separated by commas',
  parse(text) {
    const given = text.split(',').map((each) => each.trim());
    return given.every(isRecipient) ? given : undefined;
  },
};

/** The checksum of the key reveals typing errors. The library is loaded only if there is a key to check. */
function isRecipient(text: string): boolean {
  if (!/^age1[a-z0-9]{20,4000}$/.test(text)) return false;
  const { Encrypter } = createRequire(import.meta.url)(
    'age-encryption',
  ) as typeof import('age-encryption');
  try {
    new Encrypter().addRecipient(text);
    return true;
  } catch {
    return false;
  }
}

export const backupVariables = {
  BACKUP_TO: {
    ...group,
    kind: place,
    otherwise: 'backups are made by hand only',
    about:
      'Where [backups](backup.md) are kept: a folder on another disk or machine, or a bucket of an S3-compatible store.',
    example: 's3://zimbo-backups/live',
  },
  BACKUP_SCHEDULE: {
    ...group,
    kind: schedule,
    otherwise: 'backups are made by `zimbo backup` only',
    about:
      'When the gateway makes automatic backups to BACKUP_TO: `daily at HH:MM`, in SETTLEMENT_TIME_ZONE, or `every N hours`. Several gateways on one database make one backup.',
    example: 'daily at 02:30',
  },
  BACKUP_RECIPIENTS: {
    ...group,
    kind: recipients,
    otherwise: 'backups are not encrypted',
    about:
      'The recipients of encrypted backups: public keys for [age](https://age-encryption.org), as `zimbo backup key` makes them. Do not keep the private keys on this machine. Required with s3://.',
    example: 'age1um3ghssp965e4vv0rrrw9cdyy5hrppc8gnx8kge8c32x6ee5g4xsd7m3zj',
  },
  BACKUP_KEEP_DAYS: {
    ...group,
    kind: daysOrOff,
    default: '30',
    about:
      'How long backups in BACKUP_TO are kept; off (or 0) keeps all. The last good backup always stays.',
    example: '90',
  },
  BACKUP_KEEP_LAST: {
    ...group,
    kind: integer(1, 1_000),
    default: '7',
    about: 'How many good backups are kept regardless of their age.',
    example: '14',
  },
  BACKUP_VERIFY: {
    ...group,
    kind: boolean,
    default: 'true',
    about:
      'Whether each backup in BACKUP_TO is read back, restored into an empty database and checked. This temporarily needs as much disk space again.',
    example: 'false',
  },
  BACKUP_VERIFY_DATABASE_URL: {
    ...group,
    kind: databaseUrl,
    otherwise: 'with the embedded database, a temporary second one; otherwise nothing is verified',
    about:
      'An empty PostgreSQL database to verify backups in. The restore is rolled back, so it stays empty.',
    example: 'postgres://zimbo:secret@db.internal/zimbo_verify',
    secret: true as const,
  },
  BACKUP_S3_ENDPOINT: {
    ...group,
    kind: baseUrl,
    otherwise: 'none; required with s3://',
    about: 'The URL of the S3-compatible store, without the bucket.',
    example: 'https://s3.eu-central-1.amazonaws.com',
  },
  BACKUP_S3_REGION: {
    ...group,
    kind: label,
    default: 'us-east-1',
    about: 'The region, as the provider calls it.',
    example: 'eu-central-1',
  },
  BACKUP_S3_ACCESS_KEY_ID: {
    ...group,
    kind: label,
    otherwise: 'none; required with s3://',
    about: 'The key that may read, write and delete objects in the bucket.',
    example: 'AKIAIOSFODNN7EXAMPLE',
  },
  BACKUP_S3_SECRET_ACCESS_KEY: {
    ...group,
    kind: label,
    otherwise: 'none; required with s3://',
    about: 'Its secret.',
    example: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    secret: true as const,
  },
};

type Name = keyof typeof backupVariables;
type Values = {
  [N in Name]?: (typeof backupVariables)[N] extends { kind: Kind<infer T> } ? T | undefined : never;
};

const s3Names = [
  'BACKUP_S3_ENDPOINT',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
] as const;

/** Reports incomplete settings. */
export function backupProblems(env: NodeJS.ProcessEnv): string[] {
  const needed: { name: Name; why: string }[] = [];
  if (env.BACKUP_SCHEDULE) needed.push({ name: 'BACKUP_TO', why: 'BACKUP_SCHEDULE' });
  if (env.BACKUP_TO?.startsWith('s3://')) {
    for (const name of s3Names) needed.push({ name, why: 'a BACKUP_TO that begins with s3://' });
    needed.push({
      name: 'BACKUP_RECIPIENTS',
      why: 'a BACKUP_TO that begins with s3://, since backups contain phone numbers',
    });
  }
  return needed
    .filter(({ name }) => !env[name])
    .map(
      ({ name, why }) =>
        `${name} is required with ${why}. For example: ${name}=${backupVariables[name].example}`,
    );
}

export function backupSettingOf(values: Values, timeZone: string): BackupSetting {
  const { BACKUP_S3_ENDPOINT: endpoint, BACKUP_KEEP_DAYS: keepDays } = values;
  const accessKeyId = values.BACKUP_S3_ACCESS_KEY_ID;
  const secretAccessKey = values.BACKUP_S3_SECRET_ACCESS_KEY;
  return {
    to: values.BACKUP_TO,
    schedule: values.BACKUP_SCHEDULE,
    timeZone,
    recipients: values.BACKUP_RECIPIENTS ?? [],
    keepMs: typeof keepDays === 'number' ? keepDays * 86_400_000 : undefined,
    keepLast: values.BACKUP_KEEP_LAST!,
    isVerified: values.BACKUP_VERIFY!,
    verifyDatabaseUrl: values.BACKUP_VERIFY_DATABASE_URL,
    s3:
      endpoint !== undefined && accessKeyId !== undefined && secretAccessKey !== undefined
        ? { endpoint, region: values.BACKUP_S3_REGION!, accessKeyId, secretAccessKey }
        : undefined,
  };
}
