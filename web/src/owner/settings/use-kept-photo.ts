import { useEffect, useEffectEvent, useRef } from 'react';
import { keepPicture, OWN_PHOTO, readOwnPhoto } from '../../lib/drafts.js';
import type { usePicture } from '../../lib/media.js';

/** Keeps a photo that is chosen and not saved. */
export function useKeptPhoto({ image, put }: ReturnType<typeof usePicture>, account: number): void {
  const last = useRef<string | null>(null);
  const restore = useEffectEvent(async () => {
    const kept = await readOwnPhoto(account);
    if (kept === null || last.current !== null) return;
    last.current = kept.src;
    put(kept);
  });
  useEffect(() => {
    void restore();
  }, []);
  useEffect(() => {
    if (image === last.current) return;
    last.current = image;
    keepPicture(OWN_PHOTO, image ?? '', account);
  }, [image, account]);
}
