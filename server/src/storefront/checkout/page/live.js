/**
 * Keeps an open payment page up to date, and makes its form kinder. The page works without it. Every
 * state is drawn by the server: when the session changes, the page is fetched and its <main> replaced.
 */

const streamPatienceMs = 8_000;
const pollIntervalMs = { waiting: 3_000, open: 10_000 };
const said = document.getElementById('said');

let main = document.querySelector('main');
let stopListening = () => {};
let timers = [];
let typed;

function begin() {
  for (const timer of timers) clearTimeout(timer);
  timers = [];
  main = document.querySelector('main');
  helpForm(main.querySelector('#pay'));
  for (const form of main.querySelectorAll('form')) showSending(form);
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
  source.onmessage = ({ data }) => {
    clearTimeout(patience);
    if (data !== main.dataset.version) void refresh();
  };
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) pollInstead();
  };
  stopListening = () => {
    source.close();
    clearTimeout(patience);
    clearInterval(poll);
    stopListening = () => {};
  };
}

async function refresh() {
  const answer = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const next = page.querySelector('main');
  const { version } = main.dataset;
  const isSame = version !== undefined && next.dataset.version === version;
  if (isSame && 'expiresInMs' in next.dataset === 'expiresInMs' in main.dataset) return;
  keepEntries(main.querySelector('#pay'), next.querySelector('#pay'));
  const hadFocus = main.contains(document.activeElement);
  main.replaceWith(next);
  document.title = page.title;
  const heading = next.querySelector('h2');
  if (hadFocus && heading) heading.focus();
  else if (said) said.textContent = heading?.textContent ?? '';
  begin();
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
  const go = () => location.assign(link.href);
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

begin();
listen();
