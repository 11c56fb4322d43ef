export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** In-app browsers on Android refuse the clipboard, but copy a selection. */
function copySelected(text: string): boolean {
  const { activeElement: pressed } = document;
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  Object.assign(field.style, { position: 'fixed', opacity: '0', fontSize: '16px' });
  // Inside the dialog, if any: its focus trap allows no other place.
  (pressed?.parentElement ?? document.body).append(field);
  field.focus({ preventScroll: true });
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (pressed instanceof HTMLElement) pressed.focus({ preventScroll: true });
  }
}
