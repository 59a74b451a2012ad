/** Asks the browser for a passkey, and sends its answer with the form. */
(() => {
  const webauthn = window.SimpleWebAuthnBrowser;
  if (!webauthn?.browserSupportsWebAuthn()) return;
  const ask = {
    create: (optionsJSON) => webauthn.startRegistration({ optionsJSON }),
    get: (optionsJSON) => webauthn.startAuthentication({ optionsJSON }),
  };
  /** The gateway takes answers for five minutes. */
  const freshMs = 240_000;

  for (const hint of document.querySelectorAll('[data-with-passkey]')) hint.hidden = false;
  for (const part of document.querySelectorAll('[data-passkey]')) {
    part.hidden = false;
    const button = part.querySelector('button');
    const begin = () => {
      if (button.form.reportValidity()) void send(part, button);
    };
    button.addEventListener('click', begin);
    /**
     * Enter presses the button of a form that is folded away, or sends a form without one: who has not unfolded it
     * wants a passkey. A form with the browser's answer in it goes its way.
     */
    button.form.addEventListener('submit', (event) => {
      const { submitter } = event;
      const isAnswered = part.querySelector('[name=response]').value !== '';
      const isFolded = submitter?.closest('details:not([open])') != null;
      if (isAnswered || (submitter && !isFolded)) return;
      event.preventDefault();
      event.stopPropagation();
      begin();
    });
  }

  async function send(part, button) {
    const failed = part.querySelector('[data-failed]');
    failed.textContent = '';
    button.disabled = true;
    try {
      const answer = await ask[part.dataset.passkey](await optionsOf(part));
      part.querySelector('[name=response]').value = JSON.stringify(answer);
      button.disabled = false;
      const action = Object.assign(document.createElement('input'), {
        type: 'hidden',
        name: 'action',
        value: 'passkey',
      });
      part.append(action);
      button.form.requestSubmit();
    } catch {
      button.disabled = false;
      failed.textContent = failed.dataset.failed;
    }
  }

  /** What the page holds; that of a newer page where this one is old. */
  async function optionsOf(part) {
    const kind = part.dataset.passkey;
    if (performance.now() < freshMs) return JSON.parse(part.dataset.options);
    const answer = await fetch(location.href, { cache: 'no-store' });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    return JSON.parse(page.querySelector(`[data-passkey=${kind}]`).dataset.options);
  }
})();
