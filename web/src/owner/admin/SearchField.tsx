import { LIMITS } from '@najwa/proto/http/client';
import { Search as Magnifier, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { AffixedInput, Icon } from '../../ui/index.js';
import { textSize } from '../../theme/index.js';
import { directionOf } from '../../lib/text.js';

export interface Search {
  /** Null searches all accounts. */
  username: string | null;
  text: string;
}

export const EVERYTHING: Search = { username: null, text: '' };

export function parseSearch(written: string): Search {
  const [, username, text] = /^\s*@(\S+)([^]*)$/.exec(written) ?? [];
  return { username: username ?? null, text: (text ?? written).trim() };
}

interface Props {
  active: boolean;
  onSearch: (query: string) => void;
}

/** Searches on submit only: the server logs every search. */
export function SearchField({ active, onSearch }: Props) {
  const { t } = useTranslation();
  const [written, setWritten] = useState('');
  const field = useRef<HTMLInputElement>(null);
  return (
    <Form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(written);
      }}
    >
      <AffixedInput>
        <input
          ref={field}
          value={written}
          onChange={(event) => setWritten(event.target.value)}
          maxLength={LIMITS.text.search.max}
          dir={directionOf(written)}
          aria-label={t('admin.search.label')}
          placeholder={t('admin.search.placeholder')}
          autoComplete="off"
          autoCapitalize="none"
          enterKeyHint="search"
        />
        {active && (
          <button
            type="button"
            aria-label={t('admin.search.clear')}
            onClick={() => {
              setWritten('');
              onSearch('');
              field.current?.focus();
            }}
          >
            <Icon of={X} size="sm" />
          </button>
        )}
        <button type="submit" aria-label={t('admin.search.submit')}>
          <Icon of={Magnifier} size="sm" />
        </button>
      </AffixedInput>
    </Form>
  );
}

const Form = styled.form`
  padding: 12px 22px;
  border-block-end: 1px solid var(--line);
  input {
    ${textSize('16px', '14px')}
  }
  > div {
    min-block-size: 44px;
  }
  ${({ theme }) => theme.media.phone} {
    padding-inline: 18px;
  }
`;
