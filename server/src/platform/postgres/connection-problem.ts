/** Why no connection is made, in words, and what to do. */
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
  'sslrootcert, sslcert and sslkey in DATABASE_URL are paths of PEM files on this machine, which the user of the gateway may read.';

/**
 * What is wrong with the settings of a connection to PostgreSQL: waiting does not help.
 * @returns undefined for anything else
 */
export function connectionProblem(error: unknown): ConnectionProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  return ofFiles(error) ?? ofCertificate(error) ?? ofServer(error);
}

type Coded = Error & { code?: unknown; path?: unknown; syscall?: unknown };

function ofFiles({ code, path, syscall, message }: Coded): ConnectionProblem | undefined {
  if (typeof path === 'string' && (syscall === 'open' || syscall === 'read')) {
    return {
      message: `The file ${path} that DATABASE_URL names cannot be read (${String(code)}).`,
      hint: fileHint,
    };
  }
  // A folder is opened, and cannot be read; the error does not name it.
  if (code === 'EISDIR') {
    return { message: 'DATABASE_URL names a folder where a file is needed.', hint: fileHint };
  }
  if (!String(code).startsWith('ERR_OSSL')) return undefined;
  return {
    message: `A file that DATABASE_URL names is not the certificate or key that is needed (${message}).`,
    hint: fileHint,
  };
}

function ofCertificate({ code, message }: Coded): ConnectionProblem | undefined {
  if (unknownIssuer.includes(String(code))) {
    return {
      message: `This machine does not know who issued the certificate of the database server (${message}).`,
      hint: 'If it is an authority of your own, name its certificate in DATABASE_URL: ?sslmode=verify-full&sslrootcert=/etc/zimbo/database-ca.crt. Zimbo checks certificates with sslmode=require and prefer as well.',
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
      message: 'DATABASE_URL asks for TLS, and the database server offers none.',
      hint: 'Turn it on there (ssl = on in postgresql.conf), or write sslmode=disable in DATABASE_URL if the network in between is safe.',
    };
  }
  if (code === '28000' && message.endsWith('no encryption')) {
    return {
      message: `The database server takes no connection without TLS: ${message}.`,
      hint: 'Add ?sslmode=verify-full to DATABASE_URL.',
    };
  }
  if (code !== '08P01' || !message.includes('startup parameter')) return undefined;
  return {
    message: `A pooler before the database refuses the settings of Zimbo's sessions: ${message}.`,
    hint: 'In pgbouncer.ini, set pool_mode = session and ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options, or let DATABASE_URL lead to PostgreSQL itself.',
  };
}
