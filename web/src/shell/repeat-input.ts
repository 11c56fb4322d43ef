/** Pressed before the scripts ran. */
export type Pressed = (HTMLButtonElement | HTMLFormElement)[];

/** A later press would surprise. */
const LATEST_PRESS_MS = 10_000;
const PRESS_AGAIN_MS = 100;

/** Repeats while React stops the event at the root because that part's code is loading. */
function press(control: Pressed[number], until: number): void {
  const reached = new AbortController();
  const reach = () => reached.abort();
  if (control instanceof HTMLFormElement) {
    const keepPage = (event: Event) => event.preventDefault();
    window.addEventListener('submit', keepPage, { capture: true, once: true });
    control.addEventListener('submit', reach, { once: true });
    control.requestSubmit();
  } else {
    control.addEventListener('click', reach, { once: true });
    control.click();
  }
  if (!reached.signal.aborted && control.isConnected && Date.now() < until)
    setTimeout(() => press(control, until), PRESS_AGAIN_MS);
}

export function repeatInput(pressed: Pressed): void {
  const until = Date.now() + LATEST_PRESS_MS;
  for (const control of pressed) press(control, until);
}
