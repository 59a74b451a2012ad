import { isLoopback } from '../../../platform/network/networks.ts';
import { html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { useFirstLink } from '../../../tenants/people/first-sign-in-link.ts';
import { form, notice } from '../parts/form.ts';
import type { Caller, Door } from './door.ts';
import { words as allWords } from './welcome.words.ts';

/**
 * The link that the first start prints. Opening it does not use it up, because browsers, terminals
 * and virus scanners fetch links before people do. Its button signs in.
 */
export const welcomeDoor: Door = {
  path: '/welcome/:token',
  show: (caller) => Promise.resolve(view(caller)),
  actions: {
    async ''(caller) {
      const { people, params, visitor, language, address } = caller;
      const given = { ...visitor, address: nearest(caller), language };
      const entered = await useFirstLink(people, params.token ?? '', given);
      if (entered === undefined) return view(caller, true);
      await caller.enter(entered);
      return { to: address(`/console/${formatId('me', entered.merchantId)}/test`) };
    },
  },
};

/** With a proxy on this machine, its client must be on this machine, too. */
function nearest({ socketAddress, visitor }: Caller): string | null {
  return isLoopback(socketAddress.replace(/^::ffff:/, '')) ? visitor.address : socketAddress;
}

function view(caller: Caller, isOver = false) {
  const words = allWords[caller.language];
  const main = html`<h1>${isOver ? words.over : words.title}</h1>
${isOver ? notice(words.overHint, 'bad') : html`<p>${words.hint}</p>${form(caller, html`<button class="button primary wide">${words.go}</button>`)}`}`;
  return { title: words.title, main, status: isOver ? 404 : 200 };
}
