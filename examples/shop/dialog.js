// In the browser: opens the payment page over the shop. Without this script, the forms lead to that page.
/* global Zimbo */
let isPaying = false;

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    // A double click pays once.
    if (isPaying) return;
    isPaying = true;
    const body = new URLSearchParams(new FormData(form));
    const headers = { accept: 'application/json' };
    try {
      const answer = await fetch(form.action, { method: 'POST', body, headers });
      const { url, order } = await answer.json();
      // Where checkout.js is blocked, the customer pays on the page itself. A paid order leads to its own page.
      if (!window.Zimbo || url === order) return location.assign(url);
      // Whether it is paid, the order's page asks the shop's server: what happened here proves nothing.
      Zimbo.open(url, { onClose: () => location.assign(order) });
    } catch {
      // The server's own page says what is wrong.
      form.submit();
    }
  });
}

// The browser's back button may show this page as the customer left it.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

if (document.querySelector('.ring')) setInterval(() => isPaying || location.reload(), 5_000);
