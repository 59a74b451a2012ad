/** An open page, and the address that it is served to. */
export interface OpenPage {
  tenantId: string;
  sessionId: string;
  address: string;
}

export interface PageLimits {
  overall: number;
  perAddress: number;
  perSession: number;
}

/** Counts open pages. If another process counts, an answer may take a moment. */
export interface PageCounter {
  /** False if there are too many already. */
  enter(page: OpenPage): boolean | Promise<boolean>;
  /** Frees the place of a page that is closed. */
  leave(page: OpenPage): void;
}

/** The open pages of a gateway, limited for each session, for each address and in total. */
export class OpenPages implements PageCounter {
  #limits: PageLimits;
  #size = 0;
  #bySession = new Map<string, number>();
  #byAddress = new Map<string, number>();

  constructor(limits: PageLimits) {
    this.#limits = limits;
  }

  enter(page: OpenPage): boolean {
    const { overall, perAddress, perSession } = this.#limits;
    const session = sessionKey(page);
    if (this.#size >= overall) return false;
    if ((this.#bySession.get(session) ?? 0) >= perSession) return false;
    if ((this.#byAddress.get(page.address) ?? 0) >= perAddress) return false;
    this.#size += 1;
    count(this.#bySession, session, 1);
    count(this.#byAddress, page.address, 1);
    return true;
  }

  leave(page: OpenPage): void {
    this.#size -= 1;
    count(this.#bySession, sessionKey(page), -1);
    count(this.#byAddress, page.address, -1);
  }
}

export const sessionKey = ({ tenantId, sessionId }: Omit<OpenPage, 'address'>) =>
  `${tenantId} ${sessionId}`;

function count(counts: Map<string, number>, key: string, more: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + more;
  if (now > 0) counts.set(key, now);
  else counts.delete(key);
}
