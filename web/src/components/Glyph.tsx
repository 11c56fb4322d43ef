import { BOWL, DOTS, type DotCount } from './bowl-paths.js';

interface Props {
  dots: DotCount;
  className?: string;
}

/** The bowl and its dots in the text colour. Decorative: the text beside it says the same. */
export function Glyph({ dots, className }: Props) {
  return (
    <svg viewBox="0 0 64 64" className={className} fill="currentColor" aria-hidden="true">
      <path d={BOWL} />
      {dots > 0 && <path data-part="dots" d={DOTS[dots]} fill="var(--rose)" />}
    </svg>
  );
}
