import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';

/** Every address of a host name. */
export type Lookup = (hostname: string) => Promise<readonly { address: string }[]>;

/** The system's own resolution, `/etc/hosts` included. */
export const lookupAll: Lookup = (hostname) => systemLookup(hostname, { all: true });

/** The target leads, or could lead, to an address that deliveries may not reach. */
export class ForbiddenAddressError extends Error {}

/** No address answered in time. */
export class ConnectTimeoutError extends Error {}

export interface ConnectorOptions {
  /** The time limit of one connection: look-up, every address, TLS. */
  timeoutMs: number;
  isAllowed: (address: string, target: { origin: string; port: number }) => boolean;
  lookup: Lookup;
}

/**
 * Connects for undici: resolves once, refuses unless every address is allowed, then dials exactly the checked
 * addresses in turn. TLS still verifies the URL's host name.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { lookup } = options;
  const connect = async (target: buildConnector.Options) => {
    const deadlineMs = performance.now() + options.timeoutMs;
    const addresses = isIP(target.hostname)
      ? [target.hostname]
      : (await lookup(target.hostname)).map((found) => found.address);
    // One private address among public ones is how a name is rebound: all or nothing.
    const place = { origin: originOf(target), port: portOf(target) };
    const isAllowed = (address: string) => options.isAllowed(address, place);
    if (addresses.length === 0 || !addresses.every(isAllowed))
      throw new ForbiddenAddressError(`${target.hostname} is not allowed`);
    return dialInTurn(target, addresses, deadlineMs);
  };
  return (target, callback) => {
    connect(target).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

const portOf = ({ port, protocol }: buildConnector.Options) =>
  Number(port) || (protocol === 'https:' ? 443 : 80);

const originOf = ({ protocol, host, hostname }: buildConnector.Options) =>
  `${protocol}//${host ?? hostname}`;

/** A dead address gets only its share of the time, so that it leaves some for the next one. */
async function dialInTurn(
  target: buildConnector.Options,
  addresses: readonly string[],
  deadlineMs: number,
): Promise<Socket> {
  let failure: unknown = new ConnectTimeoutError('no time left to connect');
  for (const [index, address] of addresses.entries()) {
    const shareMs = (deadlineMs - performance.now()) / (addresses.length - index);
    if (shareMs <= 0) break;
    try {
      return await dial(target, address, shareMs);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Our own timer, because undici's may be a second late, and the next address needs that time. */
function dial(target: buildConnector.Options, address: string, timeoutMs: number): Promise<Socket> {
  const connect = buildConnector({ allowH2: false, timeout: Math.ceil(timeoutMs) });
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(new ConnectTimeoutError(`${address} does not answer`));
    }, timeoutMs);
    connect({ ...target, hostname: address }, (...[error, socket]) => {
      clearTimeout(timer);
      if (error) reject(error);
      else if (late) socket.destroy();
      else resolve(socket);
    });
  });
}
