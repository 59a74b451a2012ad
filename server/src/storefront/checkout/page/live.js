/**
 * Keeps an open payment page up to date, and makes its form kinder. The page works without it. Every
 * state is drawn by the server: when the session changes, the page is fetched and its <main> replaced.
 */

const streamPatienceMs = 8_000;
const answerPatienceMs = 20_000;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
const pollIntervalMs = { waiting: 3_000, open: 10_000 };
const said = document.getElementById('said');
const offline = document.getElementById('offline');

let main = document.querySelector('main');
let stopListening = () => {};
let timers = [];
let typed;
let isSending = false;

function begin() {
  for (const timer of timers) clearTimeout(timer);
  timers = [];
  main = document.querySelector('main');
  helpForm(main.querySelector('#pay'));
  for (const form of main.querySelectorAll('form')) {
    // A form with the number of its attempt counts once, however often it arrives.
    if (form.elements.attempt) sendSteadily(form);
    else showSending(form);
  }
  countDown(main.querySelector('[data-left-seconds]'));
  goOnward(main.querySelector('[data-onward-seconds]'));
  const { expiresInMs } = main.dataset;
  if (expiresInMs) timers.push(setTimeout(refresh, Number(expiresInMs) + 500));
  if ('ended' in main.dataset) stopListening();
}

/** Server-sent events; where they do not come through, the page is asked for now and then. */
function listen() {
  stopListening();
  if ('ended' in main.dataset || document.hidden) return;
  const source = new EventSource(main.dataset.live);
  let poll;
  const pollInstead = () => {
    source.close();
    poll ??= setInterval(
      refresh,
      main.querySelector('#pay') ? pollIntervalMs.open : pollIntervalMs.waiting,
    );
  };
  const patience = setTimeout(pollInstead, streamPatienceMs);
  let failures = 0;
  source.onmessage = ({ data }) => {
    clearTimeout(patience);
    failures = 0;
    showOffline(false);
    if (data !== main.dataset.version) void refresh();
  };
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) pollInstead();
    // A stream that merely ends is open again at once.
    else if (++failures > 1) showOffline(true);
  };
  stopListening = () => {
    source.close();
    clearTimeout(patience);
    clearInterval(poll);
    stopListening = () => {};
  };
}

async function refresh() {
  // What is being sent is answered by a page.
  if (isSending) return;
  const answer = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined);
  showOffline(!answer);
  if (!answer?.ok || isSending) return;
  const page = pageIn(await answer.text());
  const next = page.querySelector('main');
  const { version } = main.dataset;
  const isSame = version !== undefined && next.dataset.version === version;
  if (isSame && 'expiresInMs' in next.dataset === 'expiresInMs' in main.dataset) return;
  draw(page);
}

const pageIn = (text) => new DOMParser().parseFromString(text, 'text/html');

function draw(page) {
  const next = page.querySelector('main');
  keepEntries(main.querySelector('#pay'), next.querySelector('#pay'));
  const hadFocus = main.contains(document.activeElement);
  main.replaceWith(next);
  document.querySelector('footer').replaceWith(page.querySelector('footer'));
  document.title = page.title;
  const heading = next.querySelector('h2');
  const wrong = next.querySelector('[autofocus]');
  if (wrong) wrong.focus();
  else if (hadFocus && heading) heading.focus();
  else if (said) said.textContent = heading?.textContent ?? '';
  begin();
  document.dispatchEvent(new Event('drawn'));
}

function showOffline(isOffline) {
  if (offline.hidden !== isOffline) return;
  offline.hidden = !isOffline;
  if (isOffline) said.textContent = offline.textContent;
}

/** What the customer has typed stays, even while another page of the session is paying. */
function keepEntries(from, to) {
  if (from) typed = new FormData(from);
  for (const name of to && typed ? ['phone', 'operator'] : []) {
    if (typed.has(name)) to.elements[name].value = typed.get(name);
  }
}

function helpForm(form) {
  if (!form) return;
  const { phone } = form.elements;
  const choices = [...form.querySelectorAll('input[name=operator]')];
  const hint = document.getElementById('suggested');
  let hasChosen = choices.some((choice) => choice.checked);
  for (const choice of choices) {
    choice.addEventListener('change', () => {
      hasChosen = true;
      hint.hidden = true;
    });
  }
  phone.addEventListener('input', () => forgive(phone, 'phone-error'));
  for (const choice of choices) {
    choice.addEventListener('change', () =>
      forgive(form.querySelector('fieldset'), 'operator-error'),
    );
  }
  const suggest = () => {
    if (hasChosen) return;
    const typed = phone.value.replace(/[^\d+]/g, '').replace(/^00/, '+');
    const digits = typed.startsWith('+') ? typed.slice(1) : phone.dataset.code + typed;
    const fits = (choice) =>
      choice.dataset.prefixes.split(' ').some((prefix) => prefix && digits.startsWith(prefix));
    const suggested = choices.find(fits);
    for (const choice of choices) choice.checked = choice === suggested;
    hint.hidden = !suggested;
  };
  phone.addEventListener('input', suggest);
}

/** What was wrong is being put right: the server says it again if it is not. */
function forgive(field, error) {
  document.getElementById(error)?.remove();
  field.removeAttribute('aria-invalid');
  const about = (field.getAttribute('aria-describedby') ?? '').replace(error, '').trim();
  if (about) field.setAttribute('aria-describedby', about);
  else field.removeAttribute('aria-describedby');
}

function showSending(form) {
  form.addEventListener('submit', () => {
    const button = form.querySelector('button');
    // Later, so that the form is still sent.
    setTimeout(() => {
      button.disabled = true;
      button.textContent = button.dataset.sending;
    });
  });
}

function sendSteadily(form) {
  form.addEventListener('submit', (event) => {
    const button = event.submitter ?? form.querySelector('button');
    const body = new URLSearchParams(new FormData(form));
    if (button.name) body.append(button.name, button.value);
    event.preventDefault();
    if (!isSending) void send(body);
    button.disabled = true;
    button.textContent = button.dataset.sending;
  });
}

/** As often as it takes until an answer comes: the number of the attempt in the form lets it count once. */
async function send(body) {
  isSending = true;
  let answer = await answerTo(body);
  for (let pauseMs = firstPauseMs; !answer; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    showOffline(true);
    await waitFor(pauseMs);
    answer = await answerTo(body);
  }
  isSending = false;
  showOffline(false);
  // In a frame, going back would undo a step of the payment before it leaves the shop's page.
  const write = parent === window ? 'pushState' : 'replaceState';
  if (answer.url !== location.href) history[write](null, '', answer.url);
  scrollTo(0, 0);
  draw(answer.page);
  listen();
}

/** Undefined if nothing came, or nothing of ours, or only that the gateway cannot answer now. */
async function answerTo(body) {
  try {
    const signal = AbortSignal.timeout?.(answerPatienceMs);
    const answer = await fetch(location.href, { method: 'POST', body, signal });
    const { status, headers, url } = answer;
    if (status > 500 || (status === 500 && headers.has('retry-after'))) return undefined;
    const page = pageIn(await answer.text());
    return page.querySelector('main') && { page, url };
  } catch {
    return undefined;
  }
}

function waitFor(pauseMs) {
  return new Promise((resolve) => {
    setTimeout(resolve, pauseMs);
    addEventListener('online', resolve, { once: true });
  });
}

function countDown(clock) {
  if (!clock) return;
  const endMs = performance.now() + Number(clock.dataset.leftSeconds) * 1_000;
  const tick = () => {
    const left = Math.max(0, Math.round((endMs - performance.now()) / 1_000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    if (left > 0) timers.push(setTimeout(tick, 1_000));
  };
  tick();
}

function goOnward(link) {
  if (!link) return;
  const go = () => {
    const isOurs = document.dispatchEvent(new Event('onward', { cancelable: true }));
    if (isOurs) location.assign(link.href);
  };
  timers.push(setTimeout(go, Number(link.dataset.onwardSeconds) * 1_000));
}

/** A page that nobody looks at holds no connection. */
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && !('ended' in main.dataset)) void refresh();
  listen();
});
/** Gone back to from the shop: the button must work again. */
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

/** The address changed without a load. */
addEventListener('popstate', () => location.reload());
addEventListener('offline', () => showOffline(!('ended' in main.dataset)));
addEventListener('online', () => {
  if ('ended' in main.dataset) return;
  void refresh();
  listen();
});

begin();
listen();
