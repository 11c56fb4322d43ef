/** As wide or high as the server keeps of a picture's larger form. */
const MAX_SIDE = 2048;
const QUALITY = 0.85;

/** Formats without animation and transparency, which would be lost. */
const PHOTOGRAPHS = new Set(['image/jpeg', 'image/heic', 'image/heif', 'image/avif']);

/**
 * Makes a photograph smaller, and upright, as JPEG. Other pictures, and those that would not become smaller, stay as they are.
 * @throws if the browser cannot read it
 */
export async function shrinkPicture(file: File): Promise<File> {
  if (!PHOTOGRAPHS.has(file.type)) return file;
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, MAX_SIDE / Math.max(image.width, image.height));
  const canvas = Object.assign(document.createElement('canvas'), {
    width: Math.round(image.width * scale),
    height: Math.round(image.height * scale),
  });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', QUALITY);
  });
  return blob === null || blob.size >= file.size ? file : new File([blob], file.name, { type: blob.type });
}
