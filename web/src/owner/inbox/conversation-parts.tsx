import { styled } from 'styled-components';
import { useTimes, useTranslation } from '../../i18n/index.js';
import { directionOf, withoutForbidden } from '../../lib/text.js';
import { AnsweredPrompt, type Message, MessageMedia, TurnBubble } from '../../shared/message/index.js';
import { textSize, tiny } from '../../theme/index.js';
import { Button, FieldError, FoldedText, MessageShape, Spoken } from '../../ui/index.js';
import { stateOf } from './card-parts.js';
import { Marked } from './search-parts.js';
import { useReply } from './use-reply.js';

interface TurnProps {
  message: Message;
  /** Of the conversation. */
  isFirst: boolean;
  searched: readonly string[];
}

/** A message, and the answer to it. */
export function Turn({ message, isFirst, searched }: TurnProps) {
  const { t } = useTranslation();
  const { id, content, prompt, imageUrl, audioUrl, createdAt, isPublic, reply } = message;
  const hasMedia = imageUrl !== null || audioUrl !== null;
  const common = { 'data-testid': 'turn', 'data-turn': id, tabIndex: -1 };
  const said = (
    <>
      <Spoken>{t('common.person.anonymous')}</Spoken>
      <AnsweredPrompt prompt={prompt} />
      {content !== '' && (
        <FoldedText dir="auto">
          <Marked text={content} words={searched} />
        </FoldedText>
      )}
      <MessageMedia message={message} />
      <Time at={createdAt} />
    </>
  );
  return (
    <>
      {isFirst ? (
        <First {...common} state={isPublic ? 'published' : stateOf(message)}>
          {said}
        </First>
      ) : (
        <TurnBubble {...common} $isWide={hasMedia}>
          {said}
        </TurnBubble>
      )}
      {reply !== null && (
        <TurnBubble $mine data-testid="turn">
          <Spoken>{t('messages.conversation.own')}</Spoken>
          <FoldedText dir="auto">
            <Marked text={reply.content} words={searched} />
          </FoldedText>
          <Time at={reply.createdAt} />
        </TurnBubble>
      )}
    </>
  );
}

function Time({ at }: { at: string }) {
  const { relative } = useTimes();
  return <time dateTime={at}>{relative(at)}</time>;
}

export function Answer({ message, account }: { message: Message; account: number }) {
  const { t } = useTranslation();
  const { text, isReady, fault, busy, write, submit } = useReply(message, account);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && busy === undefined) void submit();
      }}
    >
      <Pen>
        <textarea
          rows={1}
          value={text}
          disabled={busy !== undefined}
          aria-label={t('messages.conversation.label')}
          placeholder={t('messages.conversation.label')}
          aria-invalid={fault !== undefined}
          dir={directionOf(text)}
          onChange={({ target }) => write(withoutForbidden(target.value))}
        />
        <Button type="submit" variant={isReady ? 'primary' : 'soft'} aria-disabled={!isReady} busy={busy}>
          {t('messages.conversation.send')}
        </Button>
      </Pen>
      {fault !== undefined && <FieldError>{fault}</FieldError>}
    </form>
  );
}

const First = styled(MessageShape)`
  padding: 20px 18px 10px;
  box-shadow: none;
  > svg:first-child {
    inline-size: 50px;
    block-size: 13.2px;
    inset-inline-end: 18px;
  }
  > p[dir] {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    text-align: start;
    ${textSize('22px', '19.5px')}
    line-height: 1.68;
  }
  time {
    color: var(--ink-2);
    ${tiny}
  }
`;

const Pen = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: 8px;
  align-items: end;
  padding: 6px;
  padding-inline-start: 16px;
  border: 1px solid var(--field);
  border-radius: 22px;
  border-end-start-radius: 6px;
  background: var(--surface);
  &:focus-within {
    border-color: var(--violet);
    box-shadow: 0 0 0 3px color-mix(in srgb, var(--violet) 24%, transparent);
  }
  textarea {
    min-block-size: 44px;
    max-block-size: 40vh;
    padding-block: 8px;
    border: 0;
    outline: 3px solid transparent;
    background: none;
    resize: none;
    field-sizing: content;
  }
  button {
    min-inline-size: 96px;
  }
`;
