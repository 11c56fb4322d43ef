import type { EarlyInput } from './early-input.js';

/** A press that comes later than this would surprise. */
const LATEST_PRESS_MS = 10_000;
const PRESS_AGAIN_MS = 100;

function write({ field, value }: EarlyInput['written'][number]): void {
  // Taken over empty, or as it was. Anything else was written since.
  if (field.value !== '' && field.value !== value) return;
  const { selectionStart, selectionEnd } = field;
  const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  // React compares with the value that was last set through the element, and reports a difference only.
  field.value = '';
  Reflect.set(prototype, 'value', value, field);
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Presses again while React stops the event at the root, because the code of that part is still loading. */
function press(control: EarlyInput['pressed'][number], until: number): void {
  const reached = new AbortController();
  const reach = () => {
    reached.abort();
  };
  if (control instanceof HTMLFormElement) {
    const keepPage = (event: Event) => {
      event.preventDefault();
    };
    window.addEventListener('submit', keepPage, { capture: true, once: true });
    control.addEventListener('submit', reach, { once: true });
    control.requestSubmit();
  } else {
    control.addEventListener('click', reach, { once: true });
    control.click();
  }
  if (!reached.signal.aborted && control.isConnected && Date.now() < until)
    setTimeout(() => {
      press(control, until);
    }, PRESS_AGAIN_MS);
}

/** Writes and presses again, each field and control once. */
export function repeatInput({ written, pressed }: EarlyInput): void {
  const until = Date.now() + LATEST_PRESS_MS;
  for (const field of written) write(field);
  for (const control of pressed) press(control, until);
}
