/** Draws each chart from the table beside it, which is all there is without this. */
(() => {
  /* global uPlot */
  const height = 220;
  /** What was drawn follows the width of its place. */
  const drawn = new Map();
  const sizes = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      drawn.get(target)?.setSize({ width: Math.max(contentRect.width, 160), height });
    }
  });
  const daySeconds = 86_400;
  /** From one time that is named to the next, in seconds. */
  const steps = [300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200].concat(
    [1, 2, 7, 14, 30].map((days) => days * daySeconds),
  );

  function draw(place) {
    const rows = [...document.querySelectorAll(`#${place.dataset.chart} tbody tr`)];
    const valuesOf = (column) =>
      rows.map((row) => {
        const { value } = row.cells[column].querySelector('data');
        return value === '' ? null : Number(value);
      });
    const { timeZone, language } = place.dataset;
    const drawing = JSON.parse(place.dataset.drawing);
    const style = getComputedStyle(place);
    const colour = (name) => style.getPropertyValue(name);
    const data = [valuesOf(0), ...stacked(drawing.series, valuesOf)];
    const options = {
      width: Math.max(place.clientWidth, 160),
      height,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), timeZone),
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: {
        // A bar needs room on both sides.
        x: { range: (_, first, last) => [first - drawing.stepSeconds, last + drawing.stepSeconds] },
        y: { range: (_, __, most) => [0, Math.max((most ?? 0) * 1.1, drawing.most) || 1] },
      },
      axes: axesOf(drawing, { timeZone, language, colour }),
      series: [{}, ...drawing.series.map((each) => seriesOf(each, colour(each.colour)))],
    };
    // The tallest bars are drawn first, so that those below them are seen.
    options.series = [options.series[0], ...options.series.slice(1).reverse()];
    const inOrder = [data[0], ...data.slice(1).reverse()];
    // In a tree of its own, the chart is no difference between this page and what the server sends next.
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
    root.replaceChildren(document.querySelector('link[href*="/uplot-"]').cloneNode());
    const host = root.appendChild(document.createElement('div'));
    drawn.set(place, new uPlot(options, inOrder, host));
    sizes.observe(place);
  }

  /** Bars stand on those before them; lines stand for themselves. */
  function stacked(series, valuesOf) {
    let below;
    return series.map(({ column, kind }) => {
      const values = valuesOf(column);
      if (kind === 'line') return values;
      const base = below;
      below = values.map((value, row) => (value ?? 0) + (base?.[row] ?? 0));
      return below;
    });
  }

  function seriesOf({ name, kind, isDashed }, ink) {
    const common = { label: name, stroke: ink, points: { show: false } };
    if (kind === 'bars') {
      return { ...common, fill: ink, paths: uPlot.paths.bars({ size: [0.7, 48] }) };
    }
    // One figure alone makes no line.
    const points = { show: true, size: 5, width: 1, fill: ink };
    return { ...common, points, width: 2, ...(isDashed && { dash: [6, 4] }) };
  }

  function axesOf({ times, stepSeconds, figures, unit }, { timeZone, language, colour }) {
    const axis = {
      stroke: colour('--soft'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    };
    const isHours = times === 'hours';
    const named = new Intl.DateTimeFormat(
      language,
      isHours
        ? { timeZone, hour: '2-digit', minute: '2-digit' }
        : { timeZone, day: '2-digit', month: 'short' },
    );
    const numbers = new Intl.NumberFormat(language, figures);
    // Times between two bars are no times of ours.
    const least = isHours ? stepSeconds : Math.max(stepSeconds, daySeconds);
    return [
      {
        ...axis,
        // The first of the other axis stands beside the corner.
        gap: 10,
        size: 40,
        incrs: steps.filter((step) => step >= least),
        values: (_, seconds) => seconds.map((each) => named.format(each * 1_000)),
      },
      {
        ...axis,
        size: 64,
        values: (_, ticks) => ticks.map((each) => numbers.format(each) + unit),
      },
    ];
  }

  function drawAll() {
    for (const [place, chart] of drawn) {
      if (place.isConnected) continue;
      sizes.unobserve(place);
      chart.destroy();
      drawn.delete(place);
    }
    for (const place of document.querySelectorAll('[data-chart]')) {
      if (!drawn.has(place)) draw(place);
    }
  }

  drawAll();
  document.addEventListener('refreshed', drawAll);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const place of drawn.keys()) draw(place);
  });
})();
