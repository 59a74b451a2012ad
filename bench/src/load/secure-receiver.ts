import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export interface SecureReceiver {
  url: string;
  /** Senders must trust this certificate. */
  certificateFile: string;
  close(): void;
}

/**
 * A webhook receiver with TLS, as live endpoints need, which answers 200 to everything. @param
 * folder receives its key and certificate, made by openssl
 */
export async function startSecureReceiver(
  folder: string,
  onBody: (body: string) => void,
): Promise<SecureReceiver> {
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const kind = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', keyFile, '-out', certificateFile];
  await execute('openssl', [...kind.split(' '), ...subject, ...files]);
  const [key, cert] = await Promise.all([readFile(keyFile), readFile(certificateFile)]);
  const server = createServer({ key, cert }, (request, response) => {
    void text(request).then((body) => {
      onBody(body);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/`,
    certificateFile,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
