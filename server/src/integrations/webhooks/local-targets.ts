import { isLoopback } from '../../platform/network/networks.ts';
import { isPublicAddress } from '../../platform/network/public-addresses.ts';

const maxOrigins = 10_000;

/**
 * The default targets of test deliveries on a developer's machine: the internet, and receivers on this machine, but
 * not the gateway's own listeners or its database. The answers of local receivers are not shown, since they may come
 * from any program that listens here.
 */
export class LocalTargets {
  readonly #isOwnPort: (port: number) => boolean;
  /** Never forgotten: a connection to this address may outlive the name's meaning. */
  readonly #local = new Set<string>();

  constructor(isOwnPort: (port: number) => boolean) {
    this.#isOwnPort = isOwnPort;
  }

  isAllowed(address: string, { origin, port }: { origin: string; port: number }): boolean {
    if (isPublicAddress(address)) return true;
    if (!isLoopback(address) || this.#isOwnPort(port)) return false;
    if (this.#local.size < maxOrigins) this.#local.add(origin);
    return true;
  }

  /** Whether an answer of this origin may have come from this machine. */
  mayBeLocal(origin: string): boolean {
    return this.#local.has(origin) || this.#local.size >= maxOrigins;
  }
}
