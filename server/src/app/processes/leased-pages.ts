import {
  type OpenPage,
  OpenPages,
  type PageCounter,
  type PageLimits,
} from '../../storefront/checkout/page/open-pages.ts';
import type { PrimaryLink } from './primary-link.ts';

/**
 * The open pages of this process, counted by the primary for the whole machine. If the primary is silent, this process
 * admits its share of the limits.
 */
export class LeasedPages implements PageCounter {
  #link: PrimaryLink;
  #own: OpenPages;
  #ids = new Map<OpenPage, number>();
  #lastId = 0;

  constructor(limits: PageLimits, link: PrimaryLink, processes: number) {
    this.#link = link;
    const share = (whole: number) => Math.floor(whole / processes);
    this.#own = new OpenPages({
      overall: share(limits.overall),
      perAddress: share(limits.perAddress),
      perSession: share(limits.perSession),
    });
  }

  async enter(page: OpenPage): Promise<boolean> {
    const id = ++this.#lastId;
    const { tenantId, sessionId, address } = page;
    const forget = () => this.#link.tell({ type: 'PAGE_CLOSED', id });
    const admitted = await this.#link.ask('PAGE', { id, tenantId, sessionId, address }, forget);
    if (admitted === undefined) return this.#own.enter(page);
    if (admitted) this.#ids.set(page, id);
    return admitted;
  }

  leave(page: OpenPage): void {
    const id = this.#ids.get(page);
    if (id === undefined) this.#own.leave(page);
    else this.#link.tell({ type: 'PAGE_CLOSED', id });
    this.#ids.delete(page);
  }
}
