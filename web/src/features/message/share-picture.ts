import { type ApiError, isApiError, toApiError } from '../../app/api-error.js';
import { fetchFromSite } from '../../lib/http.js';
import { isInApp } from '../../lib/in-app.js';

const TYPE = 'image/png';
/** A browser starts a download only after the click has returned, and reads the address then. */
const REVOKE_MS = 60_000;

/** Browsers inside other apps download nothing, and say nothing of it: there the picture opens, where a long press keeps it. */
function download(file: File, path: string): void {
  if (isInApp()) {
    window.location.assign(path);
    return;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, REVOKE_MS);
}

async function readRefusal(response: Response): Promise<ApiError> {
  const data: unknown = await response.json().catch(() => undefined);
  return toApiError(response, data);
}

/** Why a picture did not come, as an image says nothing of it. Null if it comes by now. */
export async function readPictureRefusal(path: string): Promise<ApiError | null> {
  const response = await fetchFromSite(path);
  return response.ok ? null : readRefusal(response);
}

/** True if no font has the letters of a text. Drawn without them, the picture would say something else. */
export const isUndrawable = (error: unknown): boolean =>
  isApiError(error) && (error.code as string) === 'picture_undrawable';

/** @throws the error of the API if it refuses, or that of the browser */
async function fetchPicture(path: string, name: string): Promise<File> {
  const response = await fetchFromSite(path);
  if (!response.ok) throw Object.assign(new Error(), await readRefusal(response));
  return new File([await response.blob()], name, { type: TYPE });
}

/** Downloads a picture of the site. @param name of the file @throws as `sharePicture` does */
export async function savePicture(path: string, name: string): Promise<void> {
  download(await fetchPicture(path, name), path);
}

/**
 * Opens the system's share sheet with a picture of the site, or downloads it where there is none.
 * @param name of the file
 * @throws the error of the API if it refuses, or that of the browser
 */
export async function sharePicture(path: string, name: string): Promise<void> {
  const file = await fetchPicture(path, name);
  // Not every browser has these, whatever the types say.
  const system: Partial<Pick<Navigator, 'canShare' | 'share'>> = navigator;
  if (system.canShare?.({ files: [file] }) !== true || system.share === undefined) {
    download(file, path);
    return;
  }
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    // Closing the share sheet is no failure. A browser may refuse to open it long after the click.
    if (error instanceof DOMException && error.name === 'NotAllowedError') download(file, path);
  }
}
