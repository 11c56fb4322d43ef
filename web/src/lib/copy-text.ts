/** Copies a text. @returns false where the browser does not let it */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Browsers inside Android apps refuse the clipboard to pages, and let them copy what is selected. */
function copySelected(text: string): boolean {
  const { activeElement: pressed } = document;
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  Object.assign(field.style, { position: 'fixed', opacity: '0', fontSize: '16px' });
  // A dialog keeps the focus among its own.
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
