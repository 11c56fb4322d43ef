/** The bowl of the letter ن. With a square corner it is a speech bubble, the site's mark. */
export const BOWL =
  'M7.01 24.83a26 26 0 0 0 24.99 33.17h20.5q5.5 0 5.5-5.5v-26.5a3.78 3.78 0 0 0-7.51-.85 18.5 18.5 0 0 1-36.98 0 3.26 3.26 0 0 0-6.5-.32z';

/** By meaning: none for an anonymous person, one for Najwa, two for the assistant, three for loading. */
export const DOTS = {
  0: '',
  1: 'M29.15 7.85q2.85-2.85 5.7 0l3.8 3.8q2.85 2.85 0 5.7l-3.8 3.8q-2.85 2.85-5.7 0l-3.8-3.8q-2.85-2.85 0-5.7z',
  2: 'M19.04 8.76q2.46-2.46 4.92 0l3.28 3.28q2.46 2.46 0 4.92l-3.28 3.28q-2.46 2.46-4.92 0l-3.28-3.28q-2.46-2.46 0-4.92zm21 0q2.46-2.46 4.92 0l3.28 3.28q2.46 2.46 0 4.92l-3.28 3.28q-2.46 2.46-4.92 0l-3.28-3.28q-2.46-2.46 0-4.92z',
  3: 'M18.4 12.1q2.1-2.1 4.2 0l2.8 2.8q2.1 2.1 0 4.2l-2.8 2.8q-2.1 2.1-4.2 0l-2.8-2.8q-2.1-2.1 0-4.2zm23 0q2.1-2.1 4.2 0l2.8 2.8q2.1 2.1 0 4.2l-2.8 2.8q-2.1 2.1-4.2 0l-2.8-2.8q-2.1-2.1 0-4.2zm-11.5-9.6q2.1-2.1 4.2 0l2.8 2.8q2.1 2.1 0 4.2l-2.8 2.8q-2.1 2.1-4.2 0l-2.8-2.8q-2.1-2.1 0-4.2z',
} as const;

export type DotCount = keyof typeof DOTS;

interface Props {
  dots: DotCount;
  className?: string;
}

/** Decorative: the adjacent text says the same. */
export function Glyph({ dots, className }: Props) {
  return (
    <svg viewBox="0 0 64 64" className={className} fill="currentColor" aria-hidden="true">
      <path d={BOWL} />
      {dots > 0 && <path data-part="dots" d={DOTS[dots]} fill="var(--rose)" />}
    </svg>
  );
}
