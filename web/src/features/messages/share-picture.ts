const TYPE = 'image/png';
/** A browser starts a download only after the click has returned, and reads the address then. */
const REVOKE_MS = 60_000;

function download(file: File): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, REVOKE_MS);
}

/**
 * Opens the system's share sheet with a picture of the site, or downloads it where there is none.
 * @param name of the file
 * @throws {Error} if the picture cannot be loaded
 */
export async function sharePicture(path: string, name: string): Promise<void> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`The picture answered ${String(response.status)}.`);
  const file = new File([await response.blob()], name, { type: TYPE });
  // Not every browser has these, whatever the types say.
  const system: Partial<Pick<Navigator, 'canShare' | 'share'>> = navigator;
  if (system.canShare?.({ files: [file] }) !== true || system.share === undefined) {
    download(file);
    return;
  }
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    // Closing the share sheet is no failure. A browser may refuse to open it long after the click.
    if (error instanceof DOMException && error.name === 'NotAllowedError') download(file);
  }
}
