import { isLoopback } from '../../platform/network/networks.ts';
import { isPublicAddress } from '../../platform/network/public-addresses.ts';

const maxOrigins = 10_000;

/**
 * Where test deliveries may go by default on a developer's machine: to the internet, and to receivers on this machine,
 * but not to what the gateway itself listens on or keeps its data in. What a receiver of this machine answers is not
 * shown, since it may be anything that listens here.
 */
export class LocalTargets {
  readonly #isOwnPort: (port: number) => boolean;
  /** Never forgotten: a connection that leads here may outlive what its name means. */
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
