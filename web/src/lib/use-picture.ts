import { useRef, useState } from 'react';

const MEGABYTE = 1024 * 1024;

export interface Picture {
  file: File;
  /** The file as a data URL. */
  src: string;
}

function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      resolve(reader.result as string);
    };
    reader.onerror = () => {
      reject(new Error('The file could not be read.'));
    };
    reader.readAsDataURL(file);
  });
}

interface Options {
  maxMegabytes: number;
  onRefuse: (reason: 'wrongFile' | 'tooLarge') => void;
}

/** A picture that the user chose. It is checked before it is read. */
export function usePicture({ maxMegabytes, onRefuse }: Options) {
  const [picture, setPicture] = useState<Picture | null>(null);
  const [reading, setReading] = useState(false);
  const latest = useRef(0);

  const put = (next: Picture | null) => {
    latest.current += 1;
    setPicture(next);
    setReading(false);
  };

  const choose = async (file: File) => {
    if (!file.type.startsWith('image/')) {
      onRefuse('wrongFile');
      return;
    }
    if (file.size > maxMegabytes * MEGABYTE) {
      onRefuse('tooLarge');
      return;
    }
    put(null);
    const turn = latest.current;
    setReading(true);
    try {
      const src = await readAsDataUrl(file);
      if (turn === latest.current) setPicture({ file, src });
    } catch {
      if (turn === latest.current) onRefuse('wrongFile');
    } finally {
      if (turn === latest.current) setReading(false);
    }
  };

  return {
    picture,
    image: picture?.src ?? null,
    reading,
    choose,
    put,
    clear: () => {
      put(null);
    },
  };
}
