import { useLanguage } from '../i18n/index.js';
import { BOWL, DOTS } from './bowl-paths.js';
import { WORDS } from './logo-paths.js';

/** The mark and the name. The mark has the same colours in both colour schemes. */
export function Logo({ className }: { className?: string }) {
  const { language } = useLanguage();
  const { box, mark, place, letters, dot } = WORDS[language];
  return (
    <svg viewBox={box} className={className} aria-hidden="true">
      <g transform={mark}>
        <path fill="#6C47FF" d={BOWL} />
        <path fill="#FF5C8A" d={DOTS[1]} />
      </g>
      <g transform={place}>
        <path fill="var(--ink)" d={letters} />
        <path fill="#FF5C8A" d={dot} />
      </g>
    </svg>
  );
}
