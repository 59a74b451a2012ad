/** Why a connection fails, as text, and the remedy. */
export interface ConnectionProblem {
  message: string;
  hint: string;
}

const unknownIssuer = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];
const outOfDate = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'];

const fileHint =
  "sslrootcert, sslcert and sslkey in DATABASE_URL must be paths of PEM files on this machine that the gateway's user can read.";

/**
 * Explains errors in the connection settings, which waiting does not cure.
 * @returns undefined for any other error
 */
export function explainConnectionError(error: unknown): ConnectionProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  return ofFiles(error) ?? ofCertificate(error) ?? ofServer(error);
}

type Coded = Error & { code?: unknown; path?: unknown; syscall?: unknown };

function ofFiles({ code, path, syscall, message }: Coded): ConnectionProblem | undefined {
  if (typeof path === 'string' && (syscall === 'open' || syscall === 'read')) {
    return {
      message: `The file ${path}, named in DATABASE_URL, cannot be read (${String(code)}).`,
      hint: fileHint,
    };
  }
  // Opening a folder succeeds, reading it fails; the error does not name it.
  if (code === 'EISDIR') {
    return { message: 'DATABASE_URL names a folder where a file is needed.', hint: fileHint };
  }
  if (!String(code).startsWith('ERR_OSSL')) return undefined;
  return {
    message: `A file named in DATABASE_URL is not the required certificate or key (${message}).`,
    hint: fileHint,
  };
}

function ofCertificate({ code, message }: Coded): ConnectionProblem | undefined {
  if (unknownIssuer.includes(String(code))) {
    return {
      message: `This machine does not know the issuer of the database server's certificate (${message}).`,
      hint: 'If the issuer is your own authority, name its certificate in DATABASE_URL: ?sslmode=verify-full&sslrootcert=/etc/zimbo/database-ca.crt. Zimbo checks certificates with sslmode=require and prefer as well.',
    };
  }
  if (outOfDate.includes(String(code))) {
    return {
      message: `The certificate of the database server is not valid now (${message}).`,
      hint: 'Renew it, or set the clock of this machine.',
    };
  }
  if (code !== 'ERR_TLS_CERT_ALTNAME_INVALID') return undefined;
  return {
    message: `The certificate of the database server is for another host (${message}).`,
    hint: 'Write the host in DATABASE_URL as the certificate names it, or give the server a certificate for this host.',
  };
}

function ofServer({ code, message }: Coded): ConnectionProblem | undefined {
  if (message === 'The server does not support SSL connections') {
    return {
      message: 'DATABASE_URL requires TLS, but the database server offers none.',
      hint: 'Enable TLS on the server (ssl = on in postgresql.conf), or set sslmode=disable in DATABASE_URL if the network in between is safe.',
    };
  }
  if (code === '28000' && message.endsWith('no encryption')) {
    return {
      message: `The database server refuses connections without TLS: ${message}.`,
      hint: 'Add ?sslmode=verify-full to DATABASE_URL.',
    };
  }
  if (code !== '08P01' || !message.includes('startup parameter')) return undefined;
  return {
    message: `A pooler in front of the database refuses the settings of Zimbo's sessions: ${message}.`,
    hint: 'In pgbouncer.ini, set pool_mode = session and ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options, or point DATABASE_URL to PostgreSQL itself.',
  };
}
