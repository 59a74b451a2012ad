/** The till on a phone: keys, steps, the operator by the prefix, and a form that arrives on a bad line. */
(() => {
  const firstPauseMs = 1_000;
  const longestPauseMs = 30_000;
  const patienceMs = 20_000;
  const said = document.getElementById('said');

  /** The form of the till, or of a payment link. */
  const till = () => document.querySelector('.till');
  const decimal = () => till().dataset.decimal;
  const group = () => (decimal() === ',' ? '.' : ',');
  const amountField = () => document.getElementById('amount');

  /** The buttons that only work by this script, wherever the server has just drawn them. */
  function begin() {
    for (const one of document.querySelectorAll('.stepper button, [data-print]')) {
      one.hidden = false;
    }
    for (const one of document.querySelectorAll('[data-phone]')) one.disabled = false;
    announceResult();
    if (!till()) return;
    restoreBasket();
    own = amountField().value;
    if (formatted(own) !== own) own = '';
    if (quantities().some((field) => field.value)) sumUp();
    showTotal();
    const keypad = document.querySelector('.keypad');
    if (!keypad) return;
    keypad.hidden = false;
    keypad.querySelector('[data-key=","]').textContent = decimal();
    // The keys of the page are there: those of the phone would cover them.
    if (matchMedia('(pointer: coarse)').matches) {
      for (const field of keyFields()) field.inputMode = 'none';
    }
    choose(amountField());
  }

  document.addEventListener('click', ({ target }) => {
    const button = target.closest('button');
    if (!button) return;
    const { key, step, phone, country } = button.dataset;
    if (key) press(key);
    if (step) addOne(button, Number(step));
    if (phone) fill(button.form, phone, country);
    if ('print' in button.dataset) window.print();
  });

  const keyFields = () => [amountField(), document.getElementById('phone')].filter(Boolean);
  /** The field that the keypad writes into. */
  let chosen;
  /** An amount that the page came with: the first key begins a new one. */
  let isFresh = true;

  function choose(field) {
    chosen = field;
    isFresh = true;
    for (const each of keyFields()) each.classList.toggle('chosen', each === field);
  }

  document.addEventListener('focusin', ({ target }) => {
    if (keyFields().includes(target)) choose(target);
  });

  function press(key) {
    if (key === 'clear') choose(amountField());
    const isAmount = chosen === amountField();
    const before = chosen.value;
    if (key === 'clear') chosen.value = '';
    else if (key === 'back') chosen.value = before.slice(0, -1);
    else if (!isAmount) chosen.value = key === ',' ? before : before + key;
    else chosen.value = (isFresh ? '' : before) + (key === ',' ? decimal() : key);
    isFresh = false;
    chosen.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }

  /** `1500,5` as `1.500,5`; undefined where a separator may mean something else. */
  function formatted(text) {
    const [whole, fraction, ...more] = text.replaceAll(group(), '').split(decimal());
    if (more.length > 0 || !/^\d{0,9}$/.test(whole) || !/^\d{0,2}$/.test(fraction ?? ''))
      return undefined;
    const digits = whole.replace(/^0+(?=\d)/, '') || (fraction === undefined ? '' : '0');
    const grouped = digits.replace(/\B(?=(\d{3})+$)/g, group());
    return fraction === undefined ? grouped : `${grouped}${decimal()}${fraction}`;
  }

  /** An amount as the server reads it (amount-text.ts); undefined where it refuses. */
  function readAmount(text) {
    const [, whole, sign, fraction = ''] = /^(.*?)(?:([.,$])(\d{0,2}))?$/.exec(text.trim());
    const parted = /^[1-9]\d{0,2}([.,\s])\d{3}(?:\1\d{3})*$/.exec(whole);
    if (!/^\d*$/.test(whole) && (!parted || parted[1] === sign)) return undefined;
    return { digits: whole.replace(/\D/g, ''), cents: fraction.padEnd(2, '0') };
  }

  /** The amount as this script has written it: further separators of thousands are the person's. */
  let own = '';
  const partsOf = (text) => text.split(group()).length;
  function formatAmount(inputType) {
    const field = amountField();
    // The text of a paste, say, is the person's as a whole.
    if (!/^(insertText|delete.*|)$/.test(inputType)) own = '';
    // Perhaps a decimal separator: 1500.50 where we group by points.
    if (field.value === own + group()) {
      own = own.replaceAll(group(), '');
      field.value = own + group();
    }
    const text = partsOf(field.value) > partsOf(own) ? undefined : formatted(field.value);
    if (text === undefined) return;
    // Groups count from the right, so what follows the cursor keeps its length.
    const after = text.length - (field.value.length - field.selectionEnd);
    // Before a separator, so that the next backspace finds a digit.
    const at = text[after - 1] === group() ? after - 1 : after;
    own = text;
    if (text === field.value) return;
    field.value = text;
    field.setSelectionRange(at, at);
  }

  const quantities = () => [...document.querySelectorAll('.stepper input')];

  function addOne(button, step) {
    const field = button.parentElement.querySelector('input');
    const count = Math.min(9_999, Math.max(0, (Number.parseInt(field.value, 10) || 0) + step));
    field.value = count === 0 ? '' : String(count);
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }

  /** The products' sum stands where an amount would be typed; the server adds them up itself. */
  function sumUp() {
    let sum = 0n;
    for (const line of document.querySelectorAll('[data-price-minor]')) {
      const count = Number.parseInt(line.querySelector('.stepper input').value, 10) || 0;
      sum += BigInt(line.dataset.priceMinor) * BigInt(Math.max(0, count));
    }
    const digits = sum.toString().padStart(3, '0');
    const text = `${digits.slice(0, -2)}${decimal()}${digits.slice(-2)}`;
    own = sum === 0n ? '' : (formatted(text) ?? text);
    amountField().value = own;
  }

  /** The button says what it charges. */
  function showTotal() {
    const field = amountField();
    const clear = document.querySelector('.clear');
    if (clear) clear.hidden = field.value === '';
    const total = document.getElementById('total');
    if (!total) return;
    const { digits, cents } = readAmount(field.value) ?? {};
    const whole = field.value !== '' && digits !== undefined && formatted(digits || '0');
    total.textContent = whole ? `${whole}${decimal()}${cents} ${till().dataset.currency}` : '';
  }

  document.addEventListener('input', ({ target, inputType }) => {
    if (target.id === 'amount') {
      formatAmount(inputType);
      for (const one of quantities()) one.value = '';
    }
    if (target.matches('.stepper input')) sumUp();
    if (target.id === 'phone' || target.name === 'country') suggest(target.form);
    if (target.name === 'operator') target.form.dataset.chosen = 'true';
    if (target.id === 'amount' || target.matches('.stepper input')) {
      showTotal();
      keepBasket();
    }
  });

  /** Amount and products survive a look at another page; a customer's phone is not kept. */
  const basketName = () => till().dataset.basket;
  const basketFields = () => [amountField(), ...quantities()];

  function keepBasket() {
    if (!basketName()) return;
    const filled = basketFields().filter((field) => field.value !== '');
    const basket = Object.fromEntries(filled.map((field) => [field.name, field.value]));
    sessionStorage.setItem(basketName(), JSON.stringify(basket));
  }

  function restoreBasket() {
    if (!basketName() || basketFields().some((field) => field.value)) return;
    const basket = JSON.parse(sessionStorage.getItem(basketName()) ?? '{}');
    for (const field of basketFields()) field.value = basket[field.name] ?? '';
    const products = document.querySelector('.products');
    if (products && quantities().some((field) => field.value)) products.open = true;
  }

  /** A sound, so that nobody has to look: two notes up, or one low. */
  const notes = { paid: [660, 990], failed: [220] };
  let lastState;

  function announceResult() {
    const state = document.querySelector('.result')?.dataset.state;
    if (lastState === 'waiting' && notes[state]) play(notes[state]);
    lastState = state;
  }

  function play(tones) {
    navigator.vibrate?.(tones.map(() => 120));
    const audio = new AudioContext();
    for (const [index, hertz] of tones.entries()) {
      const tone = new OscillatorNode(audio, { frequency: hertz });
      const volume = new GainNode(audio, { gain: 0.25 });
      tone.connect(volume).connect(audio.destination);
      tone.start(audio.currentTime + index * 0.16);
      tone.stop(audio.currentTime + index * 0.16 + 0.15);
    }
  }

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
    if (answer.isPage) {
      // What was sold is with its payment or link now; a page to sign in sells nothing.
      if (/\/(pi|cs)_/.test(answer.url)) sessionStorage.removeItem(form.dataset.basket);
      location.assign(answer.url);
    } else redraw(answer.text);
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
