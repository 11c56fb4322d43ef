import { type ApiError, isApiError, toApiError } from '../../api/api-error.js';
import { fetchFromSite } from '../../lib/http.js';
import { download } from '../../lib/download.js';
import { isInApp } from '../../lib/in-app.js';

const TYPE = 'image/png';

/** In-app browsers silently ignore downloads: open the picture there, for a long press to save. */
function save(file: File, path: string): void {
  if (isInApp()) window.location.assign(path);
  else download(file);
}

async function readRefusal(response: Response): Promise<ApiError> {
  const data: unknown = await response.json().catch(() => undefined);
  return toApiError(response, data);
}

/** Why a picture failed, which images do not report. Null if it loads now. */
export async function readPictureRefusal(path: string): Promise<ApiError | null> {
  const response = await fetchFromSite(path);
  return response.ok ? null : readRefusal(response);
}

/** No font has the letters of a text. Without them the picture would say something else. */
export const isUndrawable = (error: unknown): boolean =>
  isApiError(error) && (error.code as string) === 'picture_undrawable';

async function fetchPicture(path: string, name: string): Promise<File> {
  const response = await fetchFromSite(path);
  if (!response.ok) throw Object.assign(new Error(), await readRefusal(response));
  return new File([await response.blob()], name, { type: TYPE });
}

export async function savePicture(path: string, name: string): Promise<void> {
  save(await fetchPicture(path, name), path);
}

export const canSharePictures = (): boolean => {
  const system: Partial<Pick<Navigator, 'canShare'>> = navigator;
  return system.canShare?.({ files: [new File([''], 'picture.png', { type: TYPE })] }) === true;
};

/** Opens the share sheet. @throws the API error, or the browser's */
export async function sharePicture(path: string, name: string): Promise<void> {
  const file = await fetchPicture(path, name);
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    // Closing the share sheet is no failure. A browser may refuse to open it long after the click.
    if (error instanceof DOMException && error.name === 'NotAllowedError') save(file, path);
  }
}
