import { LIMITS } from '@najwa/proto/http/client';
import { Link2, Plus, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { type ApiError, isApiError } from '../../api/api-error.js';
import {
  AddRow,
  Button,
  ConfirmDialog,
  Field,
  Icon,
  IconButton,
  Input,
  Skeleton,
  UserText,
  useOutcome,
} from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useCopied } from '../../lib/hooks.js';
import { directionOf, isolate, readText, withoutForbidden } from '../../lib/text.js';
import type { User } from '../../shared/session/index.js';
import { LoadFailure } from '../../ui/LoadFailure.js';
import { useKeptState } from '../../shared/session/index.js';
import { type Prompt, useCreatePromptMutation, useDeletePromptMutation, useGetPromptsQuery } from '../prompts/index.js';
import { SettingsSection } from './SettingsSection.js';

const { max: MAX_LENGTH } = LIMITS.text.prompt;

export function PromptSettings({ user: { username } }: { user: User }) {
  const { t } = useTranslation();
  const { data: prompts, error, refetch, isFetching } = useGetPromptsQuery();
  return (
    <SettingsSection title={t('receiving.questions.title')} text={t('receiving.questions.text')}>
      {prompts !== undefined ? (
        <>
          <PromptForm isFull={prompts.length >= LIMITS.prompts} />
          {prompts.length > 0 && (
            <ul>
              {prompts.map((prompt) => (
                <PromptRow key={prompt.id} prompt={prompt} username={username} />
              ))}
            </ul>
          )}
        </>
      ) : error === undefined ? (
        <Skeleton $inline="100%" $block="180px" />
      ) : (
        <LoadFailure error={error} retrying={isFetching} onRetry={() => void refetch()} />
      )}
    </SettingsSection>
  );
}

function PromptForm({ isFull }: { isFull: boolean }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [create, { isLoading }] = useCreatePromptMutation();
  const [draft, setDraft] = useKeptState('question', '');
  const [fault, setFault] = useState<'text' | 'full' | ApiError>();
  const { content, used, fault: textFault } = readText(draft, LIMITS.text.prompt);

  const add = async () => {
    if (textFault !== null) {
      setFault('text');
      return;
    }
    if (isFull) {
      setFault('full');
      return;
    }
    const { error } = await create({ content });
    if (error === undefined) {
      setDraft((now) => (now === draft ? '' : now));
      say.done(t('receiving.questions.added'));
    } else setFault(isApiError(error) && error.fields['content'] === undefined ? error : 'text');
  };
  const faultText = () => {
    if (fault === undefined) return undefined;
    if (fault === 'text') return t('receiving.questions.fault', { limit: MAX_LENGTH });
    return fault === 'full' ? t('ownErrors.prompts_full') : say.errors.text(fault);
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isLoading && content !== '') void add();
      }}
    >
      <Field
        label={t('receiving.questions.new')}
        hint={t('receiving.questions.count', { used, limit: MAX_LENGTH })}
        error={faultText()}
      >
        {(inputProps) => (
          <AddRow>
            <Input
              {...inputProps}
              value={draft}
              dir={directionOf(draft)}
              placeholder={t('receiving.questions.placeholder')}
              onChange={(event) => {
                setDraft(withoutForbidden(event.target.value));
                setFault(undefined);
              }}
            />
            <Button type="submit" variant="primary" disabled={content === '' || isLoading}>
              <Icon of={Plus} />
              {t('receiving.questions.add')}
            </Button>
          </AddRow>
        )}
      </Field>
    </form>
  );
}

function PromptRow({ prompt: { id, content }, username }: { prompt: Prompt; username: string }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const { copy } = useCopied();
  const [isAsking, setIsAsking] = useState(false);
  const [deletePrompt, { isLoading }] = useDeletePromptMutation();
  const url = `${window.location.origin}/m/${username}?ask=${String(id)}`;
  const question = isolate(content);

  const copyLink = async () => {
    if (await copy(url)) say.done(t('receiving.questions.copied'));
    else say.failed(t('receiving.questions.copyFailed'));
  };
  const remove = async () => {
    const { error } = await deletePrompt(id);
    setIsAsking(false);
    if (error === undefined) say.done(t('receiving.questions.removed'));
    else say.failed(t('receiving.failed', { text: say.errors.text(error) }));
  };

  return (
    <Row data-testid="prompt">
      <UserText>{content}</UserText>
      <IconButton label={t('receiving.questions.copy', { question })} onClick={() => void copyLink()}>
        <Icon of={Link2} />
      </IconButton>
      {typeof navigator.share === 'function' && (
        <IconButton
          label={t('receiving.questions.share', { question })}
          onClick={() => {
            navigator.share({ text: content, url }).catch(() => {
              // Closing the share sheet is not a failure.
            });
          }}
        >
          <Icon of={Share2} />
        </IconButton>
      )}
      <IconButton label={t('receiving.questions.remove', { question })} onClick={() => setIsAsking(true)}>
        <Icon of={Trash2} />
      </IconButton>
      <ConfirmDialog
        open={isAsking}
        title={t('receiving.questions.confirm')}
        text={t('receiving.questions.confirmText')}
        confirm={t('receiving.questions.confirmDelete')}
        icon={Trash2}
        busy={isLoading ? t('receiving.questions.removing') : undefined}
        onConfirm={() => void remove()}
        onCancel={() => setIsAsking(false)}
      />
    </Row>
  );
}

const Row = styled.li`
  display: flex;
  gap: 4px;
  align-items: center;
  padding-block: 10px;
  border-block-start: 1px solid var(--line);
  &:first-child {
    border: 0;
  }
  > :first-child {
    flex: 1;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
`;
