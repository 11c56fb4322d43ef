/** The bowl of the letter ن. With a square corner it is a speech bubble, the site's mark. */
export const BOWL =
  'M7.01 24.83A26 26 0 0 0 32 58L52.5 58.00Q58 58.00 58 52.50L58.00 26.00A3.78 3.78 0 0 0 50.49 25.15A18.5 18.5 0 0 1 13.51 25.15A3.26 3.26 0 0 0 7.01 24.83Z';

/** By meaning: none for an anonymous person, one for Najwa, two for the assistant, three for loading. */
export const DOTS = {
  0: '',
  1: 'M29.15 7.85Q32.00 5.00 34.85 7.85L38.65 11.65Q41.50 14.50 38.65 17.35L34.85 21.15Q32.00 24.00 29.15 21.15L25.35 17.35Q22.50 14.50 25.35 11.65Z',
  2: 'M19.04 8.76Q21.50 6.30 23.96 8.76L27.24 12.04Q29.70 14.50 27.24 16.96L23.96 20.24Q21.50 22.70 19.04 20.24L15.76 16.96Q13.30 14.50 15.76 12.04ZM40.04 8.76Q42.50 6.30 44.96 8.76L48.24 12.04Q50.70 14.50 48.24 16.96L44.96 20.24Q42.50 22.70 40.04 20.24L36.76 16.96Q34.30 14.50 36.76 12.04Z',
  3: 'M18.40 12.10Q20.50 10.00 22.60 12.10L25.40 14.90Q27.50 17.00 25.40 19.10L22.60 21.90Q20.50 24.00 18.40 21.90L15.60 19.10Q13.50 17.00 15.60 14.90ZM41.40 12.10Q43.50 10.00 45.60 12.10L48.40 14.90Q50.50 17.00 48.40 19.10L45.60 21.90Q43.50 24.00 41.40 21.90L38.60 19.10Q36.50 17.00 38.60 14.90ZM29.90 2.50Q32.00 0.40 34.10 2.50L36.90 5.30Q39.00 7.40 36.90 9.50L34.10 12.30Q32.00 14.40 29.90 12.30L27.10 9.50Q25.00 7.40 27.10 5.30Z',
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
