/** Settings that are valid alone, but contradict each other. */
interface Values {
  DATABASE_URL: string | undefined;
  BACKUP_VERIFY_DATABASE_URL: string | undefined;
  PORT: number;
  HOST: string;
  OPERATIONS_PORT: number | undefined;
  OPERATIONS_HOST: string;
}

/** Returns one line for each problem. */
export function contradictions(values: Values): string[] {
  const { DATABASE_URL: url, BACKUP_VERIFY_DATABASE_URL: verifyUrl, PORT: port } = values;
  const problems: string[] = [];
  if (verifyUrl !== undefined && verifyUrl === url) problems.push(verifiesItself);
  const sharesPort = port > 0 && port === values.OPERATIONS_PORT;
  if (sharesPort && sharesAddress(values.HOST, values.OPERATIONS_HOST)) {
    const other = port < 65_535 ? port + 1 : port - 1;
    problems.push(
      `OPERATIONS_PORT is PORT itself: two listeners cannot have the same port. For example: OPERATIONS_PORT=${other}`,
    );
  }
  return problems;
}

function sharesAddress(...hosts: string[]): boolean {
  if (hosts.some((host) => /^(0\.0\.0\.0|::)$/.test(host))) return true;
  return new Set(hosts.map((host) => host.replace(/^localhost$/, '127.0.0.1'))).size === 1;
}

const verifiesItself =
  'BACKUP_VERIFY_DATABASE_URL is DATABASE_URL itself: a backup is verified by restoring it into another, empty database. Name that database.';
