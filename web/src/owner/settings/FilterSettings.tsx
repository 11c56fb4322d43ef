import { countCharacters, LIMITS, splitFilterWords } from '@najwa/proto/http/client';
import { Plus, X } from 'lucide-react';
import { useState, type ClipboardEvent } from 'react';
import { styled } from 'styled-components';
import { isApiError } from '../../api/api-error.js';
import {
  AddRow,
  Button,
  Field,
  Icon,
  IconButton,
  Input,
  Skeleton,
  SwitchRow,
  UserText,
  useOutcome,
} from '../../ui/index.js';
import { useLanguage, useTranslation } from '../../i18n/index.js';
import { directionOf, isolate } from '../../lib/text.js';
import { LoadFailure } from '../../ui/LoadFailure.js';
import { useKeptState } from '../../shared/session/index.js';
import { type Filters, useGetFiltersQuery, useChangeFiltersMutation } from './safety-api.js';
import { SettingsSection } from './SettingsSection.js';

const { min: MIN_LENGTH, max: MAX_LENGTH } = LIMITS.text.filterWord;

const LISTS = ['insults', 'scams'] as const;

/** Another device may have filled the list. */
const isFull = (error: unknown) => isApiError(error) && error.fields['words.add'] === 'too_long';

export function FilterSettings() {
  const { t } = useTranslation();
  const { data: filters, error, refetch, isFetching } = useGetFiltersQuery();
  return (
    <SettingsSection title={t('receiving.filters.title')} text={t('receiving.filters.text')}>
      {filters !== undefined ? (
        <FilterForm filters={filters} />
      ) : error === undefined ? (
        <Skeleton $inline="100%" $block="180px" />
      ) : (
        <LoadFailure error={error} retrying={isFetching} onRetry={() => void refetch()} />
      )}
    </SettingsSection>
  );
}

function FilterForm({ filters: { words, lists } }: { filters: Filters }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [update, { isLoading, originalArgs }] = useChangeFiltersMutation();

  const save = async (change: Parameters<typeof update>[0]) => {
    const saved = await update(change);
    if (saved.error !== undefined && !isFull(saved.error))
      say.failed(t('receiving.failed', { text: say.errors.text(saved.error) }));
    return saved;
  };

  const isPending = (name: (typeof LISTS)[number]) =>
    isLoading && [originalArgs?.lists?.add, originalArgs?.lists?.remove].some((changed) => changed?.includes(name));

  return (
    <>
      <div>
        {LISTS.map((name) => (
          <SwitchRow
            key={name}
            label={t(`receiving.filters.${name}`)}
            hint={t(`receiving.filters.${name}Hint`)}
            checked={lists.includes(name)}
            pending={isPending(name)}
            disabled={isLoading}
            onChange={(isOn) => void save({ lists: { [isOn ? 'add' : 'remove']: [name] } })}
          />
        ))}
      </div>
      <WordForm words={words} isLoading={isLoading} save={(added) => save({ words: { add: added } })} />
      {words.length > 0 && (
        <Words>
          {words.map((word) => (
            <li key={word}>
              <UserText>{word}</UserText>
              <IconButton
                label={t('receiving.filters.remove', { word: isolate(word) })}
                disabled={isLoading}
                onClick={() => void save({ words: { remove: [word] } })}
              >
                <Icon of={X} size="sm" />
              </IconButton>
            </li>
          ))}
        </Words>
      )}
    </>
  );
}

interface WordProps {
  words: Filters['words'];
  isLoading: boolean;
  save: (added: string[]) => Promise<{ data?: { setAside: number } | undefined; error?: unknown }>;
}

const isFitting = (word: string) => {
  const length = countCharacters(word);
  return length >= MIN_LENGTH && length <= MAX_LENGTH;
};

function WordForm({ words, isLoading, save }: WordProps) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [draft, setDraft] = useKeptState('filter', '');
  const [fault, setFault] = useState<'word' | 'full'>();
  const { language } = useLanguage();
  const separator = language === 'ar' ? '، ' : ', ';
  const write = (text: string) => {
    setDraft(text);
    setFault(undefined);
  };

  const add = async () => {
    const added = splitFilterWords(draft);
    if (added.length === 0 || !added.every(isFitting)) {
      setFault('word');
      return;
    }
    if (new Set([...words, ...added]).size > LIMITS.filterWords) {
      setFault('full');
      return;
    }
    const { data: saved, error } = await save(added);
    if (isFull(error)) setFault('full');
    if (saved === undefined) return;
    setDraft((now) => (now === draft ? '' : now));
    say.done(
      t('receiving.filters.added', { word: added.map(isolate).join(separator) }),
      saved.setAside === 0
        ? t('receiving.filters.nothingFound')
        : t('receiving.filters.found', { count: saved.setAside }),
    );
  };

  /** A one-line field would join the lines of a pasted list. */
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text').trim();
    if (!/[\n\r]/.test(pasted)) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const before = draft.slice(0, selectionStart ?? draft.length);
    const after = draft.slice(selectionEnd ?? draft.length);
    write(before + pasted.split(/\s*[\n\r]\s*/).join(separator) + after);
  };

  return (
    <form
      aria-label={t('receiving.filters.words')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isLoading && draft.trim() !== '') void add();
      }}
    >
      <Field
        label={t('receiving.filters.words')}
        hint={t('receiving.filters.wordsHint', { used: words.length, limit: LIMITS.filterWords })}
        error={
          fault === 'word'
            ? t('receiving.filters.wordFault', LIMITS.text.filterWord)
            : fault && t('receiving.filters.full', { limit: LIMITS.filterWords })
        }
      >
        {(inputProps) => (
          <AddRow>
            <Input
              {...inputProps}
              value={draft}
              dir={directionOf(draft)}
              placeholder={t('receiving.filters.placeholder')}
              onPaste={paste}
              onChange={(event) => write(event.target.value)}
            />
            <Button type="submit" disabled={draft.trim() === '' || isLoading}>
              <Icon of={Plus} />
              {t('receiving.filters.add')}
            </Button>
          </AddRow>
        )}
      </Field>
    </form>
  );
}

const Words = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  li {
    display: inline-flex;
    align-items: center;
    min-block-size: 44px;
    padding-inline-start: 14px;
    background: var(--sunken);
    border-radius: 12px;
    border-end-start-radius: 4px;
    line-height: 1.4;
    overflow-wrap: anywhere;
  }
`;
