import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { cleanUp } from './cleanup.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { lacks, read } from './pages.ts';

/** For gateways behind a proxy. */
type Origin = string;

type Start = (
  context: Pick<TestContext, 'after'>,
  gatewayUrl: string,
  /** Changes to the file, such as shorter timeouts for a test that waits for them. */
  change?: (file: string) => string,
) => Promise<Origin>;

/** The proxies of deploy/ with their real files, but with hosts, ports and certificates of the test. */
export const proxies: { name: string; skip: string | false; start: Start }[] = [
  { name: 'Caddy', skip: cannotRun('caddy'), start: startCaddy },
  { name: 'nginx', skip: cannotRun('nginx', 'openssl'), start: startNginx },
];

/** Customers with several addresses on one machine need all of 127.0.0.0/8. */
function cannotRun(...programs: string[]): string | false {
  return process.platform === 'linux' ? lacks(...programs) : 'only Linux has several loopbacks';
}

async function startCaddy(...[context, gatewayUrl, change = same]: Parameters<Start>) {
  const folder = folderOf(context);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const file = change(read('deploy/Caddyfile')).replace('\n{', '\n{\n\tdefault_bind 127.0.0.1');
  writeFileSync(join(folder, 'Caddyfile'), file);
  await run(context, port, {
    program: 'caddy',
    options: ['run', '--config', join(folder, 'Caddyfile')],
    environment: {
      PUBLIC_HOST: origin,
      GATEWAY: new URL(gatewayUrl).host,
      CADDY_ADMIN: `unix/${join(folder, 'admin.sock')}`,
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
    },
  });
  return origin;
}

async function startNginx(...[context, gatewayUrl, change = same]: Parameters<Start>) {
  const folder = folderOf(context);
  const port = await freePort();
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const made =
    'req -x509 -nodes -days 1 -subj /CN=pay.example.cv -newkey ec -pkeyopt ec_paramgen_curve:prime256v1';
  spawnSync('openssl', [...made.split(' '), '-keyout', key, '-out', certificate]);
  const file = change(read('deploy/nginx.conf'))
    .replace(/^ *listen \[::\].*$/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`)
    .replace('server 127.0.0.1:3000;', `server ${new URL(gatewayUrl).host};`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`);
  writeFileSync(join(folder, 'zimbo.conf'), file);
  writeFileSync(join(folder, 'nginx.conf'), nginxAround(folder));
  const options = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
  await run(context, port, { program: 'nginx', options });
  return `https://127.0.0.1:${port}`;
}

/** Like a distribution's nginx.conf, which includes ours. One process, which does not change its user. */
function nginxAround(folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = kinds.map((kind) => `  ${kind}_temp_path ${join(folder, kind)};`);
  return `daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
events {}
http {
  access_log off;
${paths.join('\n')}
  include ${join(folder, 'zimbo.conf')};
}
`;
}

const same = (file: string) => file;

function folderOf(context: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-proxy-'));
  cleanUp(context, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Program {
  program: string;
  options: string[];
  environment?: Record<string, string>;
}

/** Runs a proxy until the test ends. */
async function run(
  context: Pick<TestContext, 'after'>,
  port: number,
  { program, options, environment }: Program,
): Promise<void> {
  const env = { ...process.env, ...environment };
  const child = spawn(program, options, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  cleanUp(context, async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  await eventually(`${program} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
    return isListening(port);
  });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

export interface Wanted {
  method?: string;
  headers?: Record<string, string>;
  /** The local address that the request comes from. */
  from?: string;
}

/** A request with an unnormalized path, on its own connection, which the caller must close. */
export function begin(origin: Origin, path: string, wanted: Wanted = {}): ClientRequest {
  const { protocol, hostname, port } = new URL(origin);
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  const { method = 'GET', headers = {}, from: localAddress } = wanted;
  const options = { hostname, port, path, method, headers, localAddress, agent: false as const };
  return send({ ...options, rejectUnauthorized: false });
}

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Whether the gateway answered, not the proxy. */
  ofGateway: boolean;
}

export async function answerOf(request: ClientRequest): Promise<Answered> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject);
  });
  const { statusCode: status = 0, headers } = response;
  return {
    status,
    headers,
    text: await text(response),
    ofGateway: headers['x-request-id'] !== undefined,
  };
}

export function ask(
  origin: Origin,
  path: string,
  wanted: Wanted & { body?: string | Buffer } = {},
) {
  const request = begin(origin, path, wanted);
  const answer = answerOf(request);
  request.end(wanted.body);
  return answer;
}
