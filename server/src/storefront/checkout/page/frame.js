/**
 * Inside a frame on a page of the shop: tells that page (drop-in/checkout.js) what the customer sees. These are hints,
 * which prove nothing: the shop asks its own server. The page works without them.
 */

const origins = document.querySelector('script[data-origins]').dataset.origins.split(' ');
/** Of the page around us, once it has greeted us and we know that it may. */
let around;

function tell(zimbo) {
  if (around === undefined) return;
  const { session, status } = document.querySelector('main').dataset;
  parent.postMessage({ zimbo, session, status, page: location.pathname }, around);
}

if (parent !== window) {
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || !origins.includes(origin) || data?.zimbo !== 'hello') return;
    around = origin;
    tell('state');
  });
  document.addEventListener('drawn', () => tell('state'));
  // Without a click, a browser lets only the page around us leave.
  document.addEventListener('onward', (event) => {
    event.preventDefault();
    tell('onward');
  });
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') tell('close');
  });
  document.addEventListener('click', (event) => {
    if (around === undefined || !event.target.closest('[data-close]')) return;
    event.preventDefault();
    tell('close');
  });
}
