import { useLayoutEffect, useRef, useState } from 'react';
import { useLanguage } from '../../i18n/index.js';
import { withoutForbidden } from '../../lib/text.js';

/** Replaces what is selected. @returns false where the browser cannot */
function isTyped(text: string): boolean {
  try {
    return document.execCommand('insertText', false, text);
  } catch {
    return false;
  }
}

/**
 * The text being written, with inserting emojis and suggestions.
 * @param initial what the form could not send
 */
export function useDraft(initial = '') {
  const { language } = useLanguage();
  const [text, setText] = useState(initial);
  const field = useRef<HTMLTextAreaElement>(null);

  // Text that was typed before the scripts ran. The next update would set the field back to the state.
  useLayoutEffect(() => {
    setText(withoutForbidden(field.current?.value ?? ''));
  }, []);

  const insert = (addition: string) => {
    const { selectionStart, selectionEnd } = field.current ?? {
      selectionStart: text.length,
      selectionEnd: text.length,
    };
    setText(text.slice(0, selectionStart) + addition + text.slice(selectionEnd));
    const caret = selectionStart + addition.length;
    requestAnimationFrame(() => field.current?.setSelectionRange(caret, caret));
  };

  const suggest = async () => {
    const { suggestions } = await import('./suggestions.js');
    const all = suggestions[language];
    const former = all.find((question) => text.endsWith(question)) ?? '';
    const choices = all.filter((question) => question !== former);
    const question = choices[Math.floor(Math.random() * choices.length)] ?? '';
    // It takes the place of another one, and is added to what somebody wrote.
    const own = text.slice(0, text.length - former.length).trimEnd();
    const kept = own === '' ? '' : `${own}\n`;
    field.current?.focus();
    field.current?.select();
    // As if it was typed, so that the browser takes it back.
    if (!isTyped(kept + question)) setText(kept + question);
  };

  return {
    text,
    setText: (value: string) => {
      setText(withoutForbidden(value));
    },
    field,
    insert,
    suggest,
  };
}
