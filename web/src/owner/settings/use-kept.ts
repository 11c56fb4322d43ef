import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  forgetDraft,
  keepDraft,
  keepPicture,
  OWN_PHOTO,
  readDraft,
  readOwnPhoto,
  type Target,
} from '../../lib/drafts.js';
import type { usePicture } from '../../lib/media.js';
import { useCurrentUser } from '../../shared/session/index.js';

/** Keeps a form of the settings in this tab until it is saved. @param name of the form */
export function useKept<Value>(name: string) {
  const { user } = useCurrentUser();
  const account = user?.id ?? null;
  const target: Target = `form-${name}`;
  return {
    read: (): Value | null => JSON.parse(readDraft(target, account) ?? 'null') as Value | null,
    /** @param value null forgets it */
    keep: (value: Value | null) => {
      if (value === null) forgetDraft(target, account);
      else keepDraft(target, { text: JSON.stringify(value), account });
    },
  };
}

/** State that is kept. */
export function useKeptState<Value>(name: string, empty: Value) {
  const { read, keep } = useKept<Value>(name);
  const state = useState(() => read() ?? empty);
  const [value] = state;
  const keepLast = useEffectEvent(() => {
    keep(value === empty ? null : value);
  });
  useEffect(() => {
    keepLast();
  }, [value]);
  return state;
}

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
