/** The first payment brings the first chart, whose files this page has not loaded. */
document.addEventListener('refreshed', () => {
  if (document.querySelector('[data-chart]')) location.reload();
});
