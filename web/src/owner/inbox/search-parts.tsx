import { LIMITS } from '@najwa/proto/http/client';
import { markFound } from '@najwa/proto/words';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { AffixedInput, Icon } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { directionOf, withoutForbidden } from '../../lib/text.js';

/** Debounce in milliseconds. */
const DEBOUNCE_MS = 300;

/** Cuts pasted text to the word limit of a search. */
const firstWords = (text: string): string => text.trim().split(/\s+/).slice(0, LIMITS.searchWords).join(' ');

/** Debounced while typing, immediate on submit. */
export function SearchField({ begun, onSearch }: { begun: string; onSearch: (query: string) => void }) {
  const { t } = useTranslation();
  const [written, setWritten] = useState(begun);
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => () => clearTimeout(timer.current), []);

  const change = (text: string, pause: number) => {
    setWritten(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(firstWords(withoutForbidden(text))), pause);
  };

  return (
    <Form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        change(written, 0);
      }}
    >
      <AffixedInput>
        <Magnifier>
          <Icon of={Search} />
        </Magnifier>
        <input
          ref={field}
          type="search"
          value={written}
          onChange={(event) => change(event.target.value, DEBOUNCE_MS)}
          maxLength={LIMITS.text.search.max}
          dir={directionOf(written)}
          aria-label={t('messages.search.label')}
          placeholder={t('messages.search.label')}
          autoComplete="off"
          enterKeyHint="search"
        />
        {written !== '' && (
          <button
            type="button"
            aria-label={t('messages.search.clear')}
            onClick={() => {
              change('', 0);
              field.current?.focus();
            }}
          >
            <Icon of={X} />
          </button>
        )}
      </AffixedInput>
    </Form>
  );
}

export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return text;
  return markFound(text, words).map((part, index) => (part.isFound ? <Mark key={index}>{part.text}</Mark> : part.text));
}

const Form = styled.form`
  flex: 1;
  min-inline-size: 0;
  @media (max-width: 359px) {
    flex-basis: 100%;
  }
  input {
    padding-inline: 10px 14px;
    text-overflow: ellipsis;
  }
  input::-webkit-search-cancel-button {
    display: none;
  }
`;

const Magnifier = styled.span`
  display: grid;
  place-items: center;
  padding-inline-start: 14px;
  color: var(--ink-3);
`;

const Mark = styled.mark`
  background: var(--gold-tint);
  color: var(--on-gold-tint);
  border-radius: 5px;
  padding-inline: 2px;
`;
