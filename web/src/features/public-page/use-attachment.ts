import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useToast } from '../../components/index.js';

const MAX_BYTES = 5 * 1024 * 1024;

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

/** The picture that goes with a message: checked before it is read, kept as a data URL. */
export function useAttachment() {
  const { t } = useTranslation();
  const toast = useToast();
  const [image, setImage] = useState<string | null>(null);
  const [reading, setReading] = useState(false);
  const latest = useRef(0);

  const refuse = (reason: 'wrongFile' | 'tooLarge') => {
    toast({ variant: 'destructive', title: t(`publicPage.composer.${reason}`), text: t(`publicPage.composer.${reason}Text`) });
  };

  const clear = () => {
    latest.current += 1;
    setImage(null);
    setReading(false);
  };

  const attach = async (file: File) => {
    if (!file.type.startsWith('image/')) {
      refuse('wrongFile');
      return;
    }
    if (file.size > MAX_BYTES) {
      refuse('tooLarge');
      return;
    }
    clear();
    const turn = latest.current;
    setReading(true);
    try {
      const read = await readAsDataUrl(file);
      if (turn === latest.current) setImage(read);
    } catch {
      if (turn === latest.current) refuse('wrongFile');
    } finally {
      if (turn === latest.current) setReading(false);
    }
  };

  return { image, reading, attach, clear };
}

export type Attachment = ReturnType<typeof useAttachment>;
