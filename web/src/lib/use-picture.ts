import { useRef, useState } from 'react';

const MEGABYTE = 1024 * 1024;

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

/** A picture that somebody chose: checked before it is read, kept as a data URL until it is sent. */
export function usePicture({ maxMegabytes, onRefuse }: Options) {
  const [image, setImage] = useState<string | null>(null);
  const [reading, setReading] = useState(false);
  const latest = useRef(0);

  const clear = () => {
    latest.current += 1;
    setImage(null);
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
    clear();
    const turn = latest.current;
    setReading(true);
    try {
      const read = await readAsDataUrl(file);
      if (turn === latest.current) setImage(read);
    } catch {
      if (turn === latest.current) onRefuse('wrongFile');
    } finally {
      if (turn === latest.current) setReading(false);
    }
  };

  return { image, reading, choose, clear };
}
