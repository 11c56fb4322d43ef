import type { Language } from '../../i18n/index.js';
import suggestions from './suggestions.json' with { type: 'json' };

/** Replaces another suggestion, or is appended to what was typed. */
export function suggestInto(
  field: HTMLTextAreaElement | null,
  text: string,
  language: Language,
  setText: (text: string) => void,
): void {
  const all = suggestions[language];
  const former = all.find((question) => text.endsWith(question)) ?? '';
  const choices = all.filter((question) => question !== former);
  const own = text.slice(0, text.length - former.length).trimEnd();
  const next = (own && `${own}\n`) + String(choices[Math.floor(Math.random() * choices.length)]);
  field?.focus();
  field?.select();
  // As typed input, so that the browser can undo it.
  if (!document.execCommand('insertText', false, next)) setText(next);
}
