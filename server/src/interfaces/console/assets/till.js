/** The till on a phone: keys, steps, the operator by the prefix, and a form that arrives on a bad line. */
(() => {
  const firstPauseMs = 1_000;
  const longestPauseMs = 30_000;
  const patienceMs = 20_000;
  const said = document.getElementById('said');

  /** The buttons that only work by this script, wherever the server has just drawn them. */
  function begin() {
    for (const one of document.querySelectorAll('.stepper button, [data-print]')) {
      one.hidden = false;
    }
    for (const one of document.querySelectorAll('[data-phone]')) one.disabled = false;
    for (const one of document.querySelectorAll('[data-share]')) one.hidden = !navigator.share;
    const keypad = document.querySelector('.keypad');
    if (!keypad) return;
    keypad.hidden = false;
    keypad.querySelector('[data-key=","]').textContent = decimal();
    // The keys of the page are there: those of the phone would cover them.
    if (matchMedia('(pointer: coarse)').matches) {
      document.getElementById('amount').inputMode = 'none';
    }
  }

  const decimal = () => document.querySelector('[data-decimal]').dataset.decimal;

  document.addEventListener('click', async ({ target }) => {
    const button = target.closest('button');
    if (!button) return;
    const { key, step, share, text, phone, country } = button.dataset;
    if (key) press(key);
    if (step) addOne(button, Number(step));
    if (phone) fill(button.form, phone, country);
    if (share) await navigator.share({ text, url: share }).catch(() => {});
    if ('print' in button.dataset) window.print();
  });

  function press(key) {
    const amount = document.getElementById('amount');
    const now = amount.value;
    if (key === 'back') amount.value = now.slice(0, -1);
    else if (key !== ',') amount.value = /[.,]\d\d$/.test(now) ? now : now + key;
    else if (!now.includes(decimal())) amount.value = (now || '0') + decimal();
    for (const one of document.querySelectorAll('.stepper input')) one.value = '';
  }

  function addOne(button, step) {
    const field = button.parentElement.querySelector('input');
    const count = Math.min(9_999, Math.max(0, (Number.parseInt(field.value, 10) || 0) + step));
    field.value = count === 0 ? '' : String(count);
    sumUp();
  }

  /** The products' sum stands where an amount would be typed; the server adds them up itself. */
  function sumUp() {
    let sum = 0n;
    for (const line of document.querySelectorAll('[data-price-minor]')) {
      const count = Number.parseInt(line.querySelector('input').value, 10) || 0;
      sum += BigInt(line.dataset.priceMinor) * BigInt(Math.max(0, count));
    }
    const digits = sum.toString().padStart(3, '0');
    const text = `${digits.slice(0, -2)}${decimal()}${digits.slice(-2)}`;
    document.getElementById('amount').value = sum === 0n ? '' : text;
  }

  document.addEventListener('input', ({ target }) => {
    if (target.matches('.stepper input')) sumUp();
    if (target.id === 'phone' || target.name === 'country') suggest(target.form);
    if (target.name === 'operator') target.form.dataset.chosen = 'true';
  });

  /** A number that was pressed, not typed. */
  function fill(form, phone, country) {
    form.elements.phone.value = phone;
    form.elements.country.value = country;
    suggest(form);
  }

  /** The operator that the number most likely belongs to, until somebody chooses. */
  function suggest(form) {
    if (form.dataset.chosen) return;
    const typed = form.elements.phone.value.replace(/[^\d+]/g, '').replace(/^00/, '+');
    const whole = typed.startsWith('+') ? typed.slice(1) : form.elements.country.value + typed;
    for (const operator of form.querySelectorAll('[name=operator][data-prefixes]')) {
      const prefixes = operator.dataset.prefixes.split(' ').filter(Boolean);
      if (prefixes.some((prefix) => whole.startsWith(prefix))) operator.checked = true;
    }
  }

  let isSending = false;

  /** Sent as often as it takes until an answer comes: the key in the form lets it be done once. */
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!('steady' in form.dataset) || form.dataset.sent) return;
    event.preventDefault();
    void send(form, new URLSearchParams(new FormData(form, event.submitter)));
  });

  async function send(form, body) {
    isSending = true;
    let pauseMs = firstPauseMs;
    let answer = await answerTo(body);
    while (!answer) {
      tell(form, form.dataset.retrying);
      await waitFor(pauseMs);
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
      answer = await answerTo(body);
    }
    isSending = false;
    if (answer.isPage) location.assign(answer.url);
    else redraw(answer.text);
  }

  /** Undefined where nothing has come, or only that the gateway cannot answer now. */
  async function answerTo(body) {
    try {
      const signal = AbortSignal.timeout(patienceMs);
      const answer = await fetch(location.href, { method: 'POST', body, signal });
      if (answer.status >= 500 || answer.status === 429) return undefined;
      return { isPage: answer.redirected, url: answer.url, text: await answer.text() };
    } catch {
      return undefined;
    }
  }

  function waitFor(pauseMs) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      addEventListener('online', () => resolve(clearTimeout(timer)), { once: true });
    });
  }

  function tell(form, text) {
    let line = form.querySelector('.retrying');
    if (!line) {
      line = document.createElement('p');
      line.className = 'notice note retrying';
      form.append(line);
    }
    line.textContent = text;
    if (said && said.textContent !== text) said.textContent = text;
  }

  /** Something has to be put right. */
  function redraw(text) {
    const page = new DOMParser().parseFromString(text, 'text/html');
    const main = document.getElementById('main');
    const next = page.getElementById('main');
    main.replaceChildren(...next.childNodes);
    document.title = page.title;
    begin();
    (main.querySelector('[aria-invalid]') ?? main.querySelector('[autofocus]') ?? main).focus();
  }

  // Whoever leaves now does not learn whether the customer was charged.
  addEventListener('beforeunload', (event) => {
    if (isSending) event.preventDefault();
  });
  document.addEventListener('refreshed', begin);
  begin();
})();
