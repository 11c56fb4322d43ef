import type { Language } from '../../i18n/index.js';

/** Main fonts of each language, as build.js preloads them. */
const FILES: Record<Language, RegExp> = { ar: /tajawal-arabic|najwa-digits/, en: /inter-basic/ };

const brought = new Set<Language>();

function rulesOf(language: Language): CSSStyleDeclaration[] {
  return [...document.styleSheets]
    .flatMap(({ cssRules }) => [...cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule)
    .map(({ style }) => style)
    .filter((style) => FILES[language].test(style.getPropertyValue('src')));
}

/** Browsers refuse optional fonts that came late until a reload, so replace them. */
export function bringFonts(language: Language): void {
  if (brought.has(language)) return;
  brought.add(language);
  for (const style of rulesOf(language)) {
    const [family, source, weight, unicodeRange] = ['font-family', 'src', 'font-weight', 'unicode-range'].map((name) =>
      style.getPropertyValue(name),
    ) as [string, string, string, string];
    const face = new FontFace(family.replaceAll(/["']/g, ''), source, { weight, unicodeRange });
    face.load().then(
      () => document.fonts.add(face),
      () => brought.delete(language),
    );
  }
}
