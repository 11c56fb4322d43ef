import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { LoadingDots } from '../../ui/index.js';
import { small, visuallyHidden } from '../../theme/index.js';
import { BotBubble, BotMessage, BotRow, UserMessage } from './ChatMessage.js';
import { splitReply } from './split-reply.js';
import type { ShownMessage } from './conversations.js';

/** The log is laid out in reverse: position 0 is its end, and stays so when the panel shrinks. */
const END = 0;

interface Props {
  messages: ShownMessage[];
  openedAt: string;
  waiting: boolean;
  onSuggestion: (question: string) => void;
}

export function ChatLog({ messages, openedAt, waiting, onSuggestion }: Props) {
  const { t } = useTranslation();
  const log = useRef<HTMLDivElement>(null);
  const last = messages.at(-1);
  const { heading, suggestions } = splitReply(last?.role === 'bot' && !waiting ? last.content : '');

  useLayoutEffect(() => {
    if (log.current !== null) log.current.scrollTop = END;
  }, [messages.length, waiting]);

  return (
    <Log ref={log} role="log" aria-label={t('chat.log')} tabIndex={0}>
      <div>
        <ol>
          <BotMessage text={t('chat.greeting')} timestamp={messages[0]?.timestamp ?? openedAt} />
          {messages.map((message) =>
            message.role === 'user' ? (
              <UserMessage key={message.id} message={message} />
            ) : (
              <BotMessage
                key={message.id}
                text={message.failed ? t('chat.failed') : splitReply(message.content).text}
                timestamp={message.timestamp}
              />
            ),
          )}
          {waiting && (
            <BotRow data-testid="chat-typing">
              <BotBubble>
                <Typing>
                  <LoadingDots />
                  <span>{t('chat.typing')}</span>
                </Typing>
              </BotBubble>
            </BotRow>
          )}
        </ol>
        {suggestions.length > 0 && (
          <Suggestions>
            <p id="chat-suggestions" dir="auto">
              {heading}
            </p>
            <ul aria-labelledby="chat-suggestions">
              {suggestions.map((suggestion) => (
                <li key={suggestion}>
                  <button
                    type="button"
                    dir="auto"
                    onClick={() => {
                      log.current?.focus();
                      onSuggestion(suggestion);
                    }}
                  >
                    {suggestion}
                  </button>
                </li>
              ))}
            </ul>
          </Suggestions>
        )}
      </div>
    </Log>
  );
}

const Log = styled.div`
  flex: 1;
  min-block-size: 0;
  overflow-y: auto;
  overscroll-behavior: contain;
  padding: 18px;
  display: flex;
  flex-direction: column-reverse;
  &:focus-visible {
    outline-offset: -3px;
  }
  ol {
    display: flex;
    flex-direction: column;
    gap: 12px;
  }
`;

const Typing = styled.span`
  display: flex;
  align-items: center;
  block-size: 28px;
  color: var(--ink-2);
  > span:last-child {
    ${visuallyHidden}
  }
`;

const Suggestions = styled.div`
  margin-block-start: 12px;
  padding-inline-start: 44px;
  display: grid;
  gap: 8px;
  > p {
    color: var(--ink-3);
    ${small}
  }
  ul {
    display: grid;
    gap: 6px;
    justify-items: start;
  }
  button {
    ${small}
    ${({ theme }) => theme.bubble.chip}
    min-block-size: 36px;
    padding: 5px 14px;
    border: 1px solid var(--line-strong);
    color: var(--violet-text);
    font-weight: 500;
    text-align: start;
    ${({ theme }) => theme.media.phone} {
      min-block-size: 44px;
    }
    &:hover {
      background: var(--sunken);
    }
  }
`;
