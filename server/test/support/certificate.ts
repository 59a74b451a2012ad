import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Why tests that need a certificate cannot run here, or false. */
export const skipWithoutCertificates = hasOpenssl
  ? false
  : 'openssl is not installed, so no certificate can be made';

/** A self-signed certificate for a name or address. */
export function selfSigned(name: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-tls-'));
  try {
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const options = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
    const kind = /^[\d.]+$/.test(name) ? 'IP' : 'DNS';
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${kind}:${name}`];
    const files = ['-keyout', keyFile, '-out', certFile];
    const made = spawnSync('openssl', [...options.split(' '), ...subject, ...files]);
    assert.equal(made.status, 0, String(made.stderr));
    return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
