const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** HTML that is safe to send. */
class Html {
  constructor(text) {
    this.text = text;
  }
}

/** A template that escapes all values: names come from people, and people write <b>. */
export function html(strings, ...values) {
  return new Html(String.raw({ raw: strings }, ...values.map(textOf)));
}

function textOf(value) {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return String(value).replace(/[&<>"']/g, (character) => entities[character]);
}
