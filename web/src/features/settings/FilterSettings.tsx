import { countCharacters, LIMITS } from '@najwa/proto/http/client';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { useErrorText } from '../../app/use-error-text.js';
import {
  Button,
  Field,
  Icon,
  IconButton,
  Input,
  Skeleton,
  SwitchRow,
  UserText,
  useToast,
} from '../../components/index.js';
import { useTranslation } from '../../i18n/index.js';
import { isolate } from '../../lib/text.js';
import { LoadFailure } from '../../app/LoadFailure.js';
import { type Filters, useGetFiltersQuery, useUpdateFiltersMutation } from './safety-api.js';
import { SettingsSection } from './SettingsSection.js';

const { min: MIN_LENGTH, max: MAX_LENGTH } = LIMITS.text.filterWord;

const LISTS = ['insults', 'scams'] as const;

/** Words and ready lists whose messages are set aside. */
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
  const toast = useToast();
  const errors = useErrorText();
  const [update, { isLoading, originalArgs }] = useUpdateFiltersMutation();
  const [draft, setDraft] = useState('');
  const [fault, setFault] = useState<string>();

  const save = async (next: Filters) => {
    const { data, error } = await update(next);
    if (error !== undefined)
      toast({ variant: 'destructive', title: t('receiving.failed', { text: errors.text(error) }) });
    return data;
  };

  const add = async () => {
    const word = draft.trim().normalize('NFC');
    const length = countCharacters(word);
    if (length < MIN_LENGTH || length > MAX_LENGTH) {
      setFault(t('receiving.filters.wordFault', LIMITS.text.filterWord));
      return;
    }
    if (words.length >= LIMITS.filterWords) {
      setFault(t('receiving.filters.full', { limit: LIMITS.filterWords }));
      return;
    }
    const saved = await save({ words: [...words.filter((known) => known !== word), word], lists });
    if (saved === undefined) return;
    setDraft('');
    toast({
      variant: 'success',
      title: t('receiving.filters.added', { word: isolate(word) }),
      text:
        saved.setAside === 0
          ? t('receiving.filters.nothingFound')
          : t('receiving.filters.found', { count: saved.setAside }),
    });
  };

  return (
    <>
      <div>
        {LISTS.map((name) => (
          <SwitchRow
            key={name}
            label={t(`receiving.filters.${name}`)}
            hint={t(`receiving.filters.${name}Hint`)}
            checked={lists.includes(name)}
            pending={isLoading && originalArgs?.lists.includes(name) !== lists.includes(name)}
            disabled={isLoading}
            onChange={(isOn) =>
              void save({ words, lists: isOn ? [...lists, name] : lists.filter((known) => known !== name) })
            }
          />
        ))}
      </div>
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
          error={fault}
        >
          {(inputProps) => (
            <AddRow>
              <Input
                {...inputProps}
                value={draft}
                dir={draft === '' ? undefined : 'auto'}
                placeholder={t('receiving.filters.placeholder')}
                onChange={(event) => {
                  setDraft(event.target.value);
                  setFault(undefined);
                }}
              />
              <Button type="submit" disabled={draft.trim() === '' || isLoading}>
                <Icon of={Plus} />
                {t('receiving.filters.add')}
              </Button>
            </AddRow>
          )}
        </Field>
      </form>
      {words.length > 0 && (
        <Words>
          {words.map((word) => (
            <li key={word}>
              <UserText>{word}</UserText>
              <IconButton
                label={t('receiving.filters.remove', { word: isolate(word) })}
                disabled={isLoading}
                onClick={() => void save({ words: words.filter((known) => known !== word), lists })}
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

const AddRow = styled.div`
  display: flex;
  gap: 10px;
  > input {
    flex: 1;
    min-inline-size: 0;
  }
`;

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
