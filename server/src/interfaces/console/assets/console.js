/** Makes pages kinder: every page works without it. */
(() => {
  const said = document.getElementById('said');
  const say = (text) => {
    if (said) said.textContent = text;
  };

  /** A form is sent once. On a bad line it is sent again as it was: what it does is done once all the same. */
  document.addEventListener('submit', (event) => {
    const { once } = event.target.dataset;
    if (once === undefined) return;
    if (event.target.dataset.sent) {
      event.preventDefault();
      return;
    }
    event.target.dataset.sent = 'true';
    const button = event.submitter;
    // After this turn, or the button's name and value would not go with the form.
    setTimeout(() => {
      if (button) {
        button.disabled = true;
        button.textContent = once;
      }
      say(once);
    });
  });

  /** Back from another page, the browser may show the form as it was left. */
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });

  document.addEventListener('click', async ({ target }) => {
    const button = target.closest('[data-copy]');
    if (!button) return;
    // A path is copied as a whole address, which can be sent to a colleague.
    const { copy } = button.dataset;
    const copied = copy.startsWith('/') ? new URL(copy, location.href).href : copy;
    await navigator.clipboard.writeText(copied);
    const text = button.textContent;
    button.textContent = button.dataset.copied;
    say(button.dataset.copied);
    setTimeout(() => {
      button.textContent = text;
    }, 2_000);
  });

  /** Where the phone has a dialog to share with, a button opens it. */
  function showSharing() {
    for (const one of document.querySelectorAll('[data-share]')) one.hidden = !navigator.share;
  }
  document.addEventListener('refreshed', showSharing);
  showSharing();
  document.addEventListener('click', ({ target }) => {
    const { share: url, text } = target.closest('[data-share]')?.dataset ?? {};
    if (url) navigator.share({ text, url }).catch(() => {});
  });

  /** A menu closes where one presses elsewhere, or Escape. */
  document.addEventListener('click', ({ target }) => {
    for (const menu of document.querySelectorAll('details.menu[open]')) {
      if (!menu.contains(target)) menu.open = false;
    }
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    for (const menu of document.querySelectorAll('details.menu[open]')) {
      menu.open = false;
      menu.querySelector('summary').focus();
    }
  });

  /** The main part of a live page is asked for again, unless somebody is about to write in it. */
  const main = document.getElementById('main');
  const refreshMs = Number(main?.dataset.refreshMs);
  if (refreshMs > 0) setInterval(refresh, refreshMs);

  async function refresh() {
    const now = document.getElementById('main');
    const active = document.activeElement;
    const isWriting = now.contains(active) && active.matches('input, textarea, select, summary');
    if (document.hidden || isWriting) return;
    const answer = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined);
    if (!answer?.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = page.getElementById('main');
    if (!next || next.innerHTML === now.innerHTML) return;
    const changed = next.querySelector('[data-announce]')?.textContent;
    const before = now.querySelector('[data-announce]')?.textContent;
    const focusedId = now.contains(active) ? active.id : '';
    now.replaceChildren(...next.childNodes);
    if (focusedId) document.getElementById(focusedId)?.focus();
    if (changed && changed !== before) say(changed);
    document.title = page.title;
    document.dispatchEvent(new CustomEvent('refreshed'));
  }
})();
