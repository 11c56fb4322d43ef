import { useRef, useState } from 'react';

/** Relative URLs are below /api. */
export const mediaSrc = (url: string) => (isElsewhere(url) ? url : `/api${url}`);

/** A smaller, still version. */
export const previewSrc = (url: string) =>
  isElsewhere(url) ? url : `/api${url}${url.includes('?') ? '&' : '?'}size=small`;

const isElsewhere = (url: string) => /^(https?:|data:|blob:)/.test(url);

export interface Picture {
  file: File;
  src: string;
}

function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error('The file could not be read.'));
    reader.readAsDataURL(file);
  });
}

export const WRONG_FILE_TEXTS = {
  wrongFile: 'common.picture.wrongFileText',
  heic: 'common.error.image_is_heic',
} as const;

interface Options {
  maxBytes: number;
  onRefuse: (reason: 'wrongFile' | 'tooLarge' | 'heic') => void;
}

/** Systems that do not know a file's extension name no type. Its first bytes do. */
const isUnknown = ({ type }: File) => /^(application\/octet-stream)?$/.test(type);

/** Phone photographs exceed any screen. */
const LARGE_BYTES = 512 * 1024;

/** iPhone photographs. Safari can decode them, the server cannot. */
const isHeic = ({ type }: File) => /^image\/hei[cf]$/.test(type);

/** Shrinks large photographs and converts HEIC to JPEG. */
async function readyToGo(file: File): Promise<File> {
  if (file.size < LARGE_BYTES && !isHeic(file)) return file;
  try {
    return await (await import('./shrink-picture.js')).shrinkPicture(file, isHeic(file));
  } catch {
    // The code did not load, or the browser cannot decode it.
    return file;
  }
}

export function usePicture({ maxBytes, onRefuse }: Options) {
  const [picture, setPicture] = useState<Picture | null>(null);
  const [reading, setReading] = useState(false);
  const latest = useRef(0);

  const put = (next: Picture | null) => {
    latest.current += 1;
    setPicture(next);
    setReading(false);
  };

  const choose = async (chosen: File) => {
    latest.current += 1;
    const readId = latest.current;
    setReading(true);
    try {
      const picked = isUnknown(chosen) ? await (await import('./picture-type.js')).withType(chosen) : chosen;
      const file = await readyToGo(picked);
      if (readId !== latest.current) return;
      if (!file.type.startsWith('image/')) {
        onRefuse('wrongFile');
        return;
      }
      if (isHeic(file)) {
        onRefuse('heic');
        return;
      }
      if (file.size > maxBytes) {
        onRefuse('tooLarge');
        return;
      }
      const src = await readAsDataUrl(file);
      if (readId === latest.current) setPicture({ file, src });
    } catch {
      if (readId === latest.current) onRefuse('wrongFile');
    } finally {
      if (readId === latest.current) setReading(false);
    }
  };

  return {
    picture,
    image: picture?.src ?? null,
    reading,
    choose,
    put,
    clear: () => put(null),
  };
}
