/** Prints and shares a receipt. The page says all without it. */

const actions = document.querySelector('.actions');
const said = document.getElementById('said');

function begin() {
  const share = actions.querySelector('[data-share]');
  actions.querySelector('[data-print]').addEventListener('click', () => print());
  const address = location.href.split(/[?#]/)[0];
  if (navigator.share) {
    share.addEventListener('click', () => {
      // Whoever changes their mind has not met an error.
      navigator.share({ title: actions.dataset.title, url: address }).catch(() => {});
    });
  } else {
    const { copy, copied } = share.dataset;
    share.textContent = copy;
    share.hidden = !navigator.clipboard;
    share.addEventListener('click', async () => {
      await navigator.clipboard.writeText(address);
      share.textContent = copied;
      said.textContent = copied;
    });
  }
  actions.hidden = false;
}

if (actions) begin();
