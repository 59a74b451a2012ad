/** The button that prints is there for those who have scripts; the others read how it goes. */
(() => {
  const button = document.querySelector('[data-print]');
  if (!button) return;
  button.hidden = false;
  document.querySelector('[data-print-hint]').hidden = true;
  button.addEventListener('click', () => window.print());
})();
