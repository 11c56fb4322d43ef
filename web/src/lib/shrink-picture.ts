/** The side of the server's larger form. */
const MAX_SIDE = 2048;
const QUALITY = 0.85;

/** Formats that lose no animation or transparency. */
const isPhotograph = ({ type }: File) => /^image\/(jpeg|avif)$/.test(type);

/** Chrome before 112 ignores the option, and does it anyway. */
const readUpright = (file: File): Promise<ImageBitmap> =>
  createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => createImageBitmap(file));

/**
 * JPEG of a photograph. Other pictures, and larger results, stay as they are.
 * @param mustChange also if it gets larger: the server cannot read it
 * @throws if the browser cannot decode it
 */
export async function shrinkPicture(file: File, mustChange: boolean): Promise<File> {
  if (!isPhotograph(file) && !mustChange) return file;
  const image = await readUpright(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(image.width, image.height));
  const canvas = Object.assign(document.createElement('canvas'), {
    width: Math.round(image.width * scale),
    height: Math.round(image.height * scale),
  });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
  if (blob === null) throw new Error('The picture could not be written.');
  return blob.size >= file.size && !mustChange ? file : new File([blob], file.name, { type: blob.type });
}
