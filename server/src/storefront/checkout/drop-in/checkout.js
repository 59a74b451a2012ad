/**
 * Zimbo checkout: the payment page as a dialog over the shop; on phones, or where no dialog can be, as a page.
 *
 *   Zimbo.open(session.url, { onComplete, onClose })
 *   <zimbo-button session="…" label="Pagar"></zimbo-button>
 *
 * What it tells the shop are hints: whether an order is paid, the shop's server learns from Zimbo.
 */
(() => {
  if (window.Zimbo) return;

  const onPhones = '(max-width: 39.99rem), (max-height: 29.99rem)';
  /** For a loaded page to answer, and for a page to load. */
  const [answerMs, loadMs] = [4_000, 20_000];
  const isModern = window.HTMLDialogElement && 'adoptedStyleSheets' in Document.prototype;
  const words = {
    pt: { title: 'Pagamento', close: 'Fechar', pay: 'Pagar', loading: 'A abrir a página…' },
    en: { title: 'Payment', close: 'Close', pay: 'Pay', loading: 'Opening the page…' },
  };
  const wordsFor = (language) => words[/^pt\b/i.test(language) ? 'pt' : 'en'];

  // A shop's policy may forbid others.
  const styleOf = (text) => {
    const style = new CSSStyleSheet();
    style.replaceSync(text);
    return [style];
  };
  const dialogStyle = `
    dialog {
      --ground: #fff; --ink: #17201d; --line: #e0e6e3; --focus: #1565c0;
      box-sizing: border-box; width: min(28rem, 100vw - 2rem); height: min(50rem, 100dvh - 2rem);
      max-width: none; max-height: none; padding: 0; overflow: hidden; border: 0; border-radius: 1.25rem;
      background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif;
      box-shadow: 0 1.5rem 4rem #0006;
    }
    dialog[open] { display: flex; flex-direction: column; }
    dialog::backdrop { background: #0a100e99; }
    header {
      display: flex; align-items: center; justify-content: space-between; padding: 2px 0.5rem 2px 1.25rem;
      border-bottom: 1px solid var(--line);
    }
    h2 { margin: 0; font-size: 1rem; }
    p { margin: auto; }
    iframe { flex: 1; width: 100%; border: 0; }
    .shown p, :not(.shown) > iframe { position: absolute; visibility: hidden; }
    button {
      width: 2.75rem; height: 2.75rem; padding: 0; border: 0; border-radius: 50%; background: none; color: inherit;
      font: 1.5rem/1 system-ui, sans-serif; cursor: pointer;
    }
    button:hover { background: var(--line); }
    button:focus-visible { outline: 3px solid var(--focus); outline-offset: -2px; }
    @media (prefers-color-scheme: dark) {
      dialog { --ground: #181e1c; --ink: #eef3f0; --line: #2b3431; --focus: #8ec3ff; border: 1px solid var(--line); }
    }`;
  const buttonStyle = `
    :host { display: inline-block; }
    :host([hidden]) { display: none; }
    button {
      box-sizing: border-box; width: 100%; min-height: 3rem; padding: 0.625rem 1.25rem; border: 0; border-radius: 0.75rem;
      background: var(--zimbo-button-colour, #0b5d44); color: var(--zimbo-button-ink, #fff);
      font: inherit; font-weight: 600; cursor: pointer;
    }
    button:focus-visible { outline: 3px solid #1565c0; outline-offset: 2px; }
    @media (prefers-color-scheme: dark) { button:focus-visible { outline-color: #8ec3ff; } }`;

  const make = (name, properties) => Object.assign(document.createElement(name), properties);
  /** The open dialog. */
  let current;

  /** In the whole window, even if a site frames the shop. */
  function leaveTo(address) {
    try {
      window.top.location.href = address;
    } catch {
      location.href = address;
    }
  }

  function build(url) {
    const page = new URL(url);
    page.searchParams.set('frame', '1');
    const text = wordsFor(url.searchParams.get('lang') ?? navigator.language);
    const host = make('div');
    const root = host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = styleOf(dialogStyle);
    const dialog = make('dialog', { ariaLabel: text.title, href: url.href });
    const header = make('header');
    const cross = make('button', { type: 'button', ariaLabel: text.close, textContent: '×' });
    const frame = make('iframe', { title: text.title, src: page.href });
    header.append(make('h2', { textContent: text.title }), cross);
    dialog.append(header, make('p', { role: 'status', textContent: text.loading }), frame);
    root.append(dialog);
    return { host, dialog, cross, frame };
  }

  /**
   * @param {string} sessionUrl the session's url
   * @param {{ onComplete?: (hint: object) => void, onClose?: (hint: object) => void }} handlers called with
   * `{ sessionId, status }` as last seen: when the session is paid, and when the dialog has closed
   */
  function open(sessionUrl, { onComplete, onClose } = {}) {
    const url = new URL(sessionUrl);
    if (!/^https?:$/.test(url.protocol))
      throw new TypeError('Zimbo.open takes the url of a session.');
    // A page may have removed it.
    if (current?.open && current.isConnected) {
      if (current.href === url.href) return;
      current.close();
    }
    if (!isModern || matchMedia(onPhones).matches) return leaveTo(url.href);

    const { host, dialog, cross, frame } = build(url);
    let hint = {};
    let isShown = false;
    let isPaid = false;
    let timer;
    const end = () => {
      clearTimeout(timer);
      removeEventListener('message', hear);
      if (current === dialog) current = undefined;
      host.remove();
    };
    /** The shop may not frame it, or a policy forbids it. */
    const giveUp = () => {
      if (host.isConnected) leaveTo(url.href);
      end();
    };
    const hear = ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== url.origin) return;
      if (data?.zimbo === 'state') see(data);
      if (data?.zimbo === 'close') dialog.close();
      if (data?.zimbo === 'onward') {
        end();
        // A reusable link has led to a session, whose page knows the way.
        if (/\/pay\/[^/]+$/.test(data.page)) url.pathname = data.page;
        url.searchParams.set('onward', '1');
        leaveTo(url.href);
      }
    };
    const see = ({ session, status }) => {
      hint = { sessionId: session, status };
      if (!isShown) {
        isShown = true;
        clearTimeout(timer);
        dialog.className = 'shown';
        frame.focus();
      }
      if (status !== 'COMPLETED' || isPaid) return;
      isPaid = true;
      onComplete?.(hint);
    };
    frame.addEventListener('load', () => {
      if (!isShown) {
        clearTimeout(timer);
        timer = setTimeout(giveUp, answerMs);
      }
      frame.contentWindow.postMessage({ zimbo: 'hello' }, url.origin);
    });
    dialog.addEventListener('close', () => {
      end();
      onClose?.(hint);
    });
    cross.addEventListener('click', () => dialog.close());
    current = dialog;
    addEventListener('message', hear);
    document.body.append(host);
    // The page behind becomes inert, and gets the focus back.
    dialog.showModal();
    timer = setTimeout(giveUp, loadMs);
  }

  class ZimboButton extends HTMLElement {
    static observedAttributes = ['label'];
    #button = make('button', { type: 'button' });

    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
      root.adoptedStyleSheets = styleOf(buttonStyle);
      this.#button.part.add('button');
      root.append(this.#button);
      const tell = (name) => (detail) => this.dispatchEvent(new CustomEvent(name, { detail }));
      this.#button.addEventListener('click', () =>
        open(this.getAttribute('session'), {
          onComplete: tell('complete'),
          onClose: tell('close'),
        }),
      );
    }

    connectedCallback() {
      this.attributeChangedCallback();
    }

    attributeChangedCallback() {
      const language = this.closest('[lang]')?.lang || navigator.language;
      this.#button.textContent = this.getAttribute('label') ?? wordsFor(language).pay;
    }
  }

  window.Zimbo = Object.freeze({ open, close: () => current?.close() });
  // Old browsers show the link inside.
  if (isModern) customElements.define('zimbo-button', ZimboButton);
})();
