/** Browsers start a download after the click has returned and read the URL then. */
const REVOKE_MS = 60_000;

/** In-app browsers silently ignore it. */
export function download(file: File): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_MS);
}
