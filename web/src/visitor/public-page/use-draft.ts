import { useLayoutEffect, useRef, useState } from 'react';
import { useLanguage } from '../../i18n/index.js';
import { withoutForbidden } from '../../lib/text.js';

export function useDraft(initial = '') {
  const { language } = useLanguage();
  const [text, setText] = useState(initial);
  const field = useRef<HTMLTextAreaElement>(null);

  // Text typed before hydration. The next update would reset the field to the state.
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
    const { suggestInto } = await import('./suggestions.js');
    suggestInto(field.current, text, language, setText);
  };

  return {
    text,
    setText: (value: string) => setText(withoutForbidden(value)),
    field,
    insert,
    suggest,
  };
}
