import { Check, Copy, ImageOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { css, styled } from 'styled-components';
import { AssistantAvatar, Icon, IconButtonBase, Spoken, useToast } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { mediaSrc } from '../../lib/media.js';
import { useCopied } from '../../lib/hooks.js';
import { textSize } from '../../theme/index.js';
import type { ShownMessage } from './conversations.js';

interface BotProps {
  text: string;
  timestamp: string;
}

export function BotMessage({ text, timestamp }: BotProps) {
  const { t } = useTranslation();
  const toast = useToast();
  const { copied, copy } = useCopied();

  const copyText = async () => {
    if (!(await copy(text))) toast({ variant: 'destructive', title: t('chat.copyFailed') });
  };

  return (
    <BotRow data-testid="chat-reply">
      <Spoken>{t('chat.assistant')}</Spoken>
      <BotBubble>
        <p dir="auto">{text}</p>
      </BotBubble>
      <Meta>
        <Time timestamp={timestamp} />
        <CopyButton type="button" aria-label={t(copied ? 'chat.copied' : 'chat.copy')} onClick={() => void copyText()}>
          <Icon of={copied ? Check : Copy} size="sm" />
        </CopyButton>
      </Meta>
    </BotRow>
  );
}

export function UserMessage({ message }: { message: ShownMessage }) {
  const { t } = useTranslation();
  const { content, timestamp, hasImage, imageUrl, preview } = message;
  const src = preview ?? (imageUrl === null ? null : mediaSrc(imageUrl));
  return (
    <UserRow data-testid="chat-question">
      <Spoken>{t('chat.you')}</Spoken>
      {hasImage && <Picture src={src} />}
      {content !== '' && (
        <UserBubble>
          <p dir="auto">{content}</p>
        </UserBubble>
      )}
      <Meta>
        <Time timestamp={timestamp} />
      </Meta>
    </UserRow>
  );
}

function Picture({ src }: { src: string | null }) {
  const { t } = useTranslation();
  const [broken, setBroken] = useState<string | null>(null);
  if (src === null || src === broken) {
    return (
      <MissingPicture role="img" aria-label={t('chat.picture.missing')}>
        <Icon of={ImageOff} size="lg" />
      </MissingPicture>
    );
  }
  return <PictureElement src={src} alt={t('chat.picture.alt')} onError={() => setBroken(src)} />;
}

function Time({ timestamp }: { timestamp: string }) {
  const { time } = useFormats();
  return <time dateTime={timestamp}>{time(timestamp)}</time>;
}

export function BotRow({ children, ...rest }: { children: ReactNode; 'data-testid': string }) {
  return (
    <Row {...rest}>
      <AssistantAvatar />
      <div>{children}</div>
    </Row>
  );
}

const bubble = css`
  inline-size: fit-content;
  padding: 10px 16px;
  border-radius: 20px;
  ${textSize('17px', '15.5px')}
  line-height: 1.7;
  :lang(en) & {
    line-height: 1.55;
  }
  p {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    text-align: start;
  }
`;

export const BotBubble = styled.div`
  ${bubble}
  border-start-start-radius: 5px;
  background: var(--sunken);
`;

const UserBubble = styled.div`
  ${bubble}
  border-end-end-radius: 5px;
  background: var(--violet);
  color: var(--on-violet);
`;

const Row = styled.li`
  display: flex;
  gap: 10px;
  max-inline-size: 88%;
  > div {
    min-inline-size: 0;
  }
`;

const UserRow = styled.li`
  align-self: flex-end;
  max-inline-size: 88%;
  display: grid;
  justify-items: end;
  gap: 6px;
`;

const Meta = styled.span`
  display: flex;
  gap: 4px;
  align-items: center;
  color: var(--ink-3);
  ${textSize('14px', '12.5px')}
  min-block-size: 26px;
  padding-inline: 6px;
`;

const CopyButton = styled(IconButtonBase)`
  inline-size: 30px;
  block-size: 26px;
  border-radius: 9px;
  border-end-start-radius: 3px;
  /* Enlarges the touch target. */
  &::after {
    content: '';
    position: absolute;
    inset: -5px -3px;
  }
`;

const photo = css`
  inline-size: 120px;
  border-radius: 16px;
  border-end-end-radius: 5px;
`;

const PictureElement = styled.img`
  ${photo}
  max-block-size: 180px;
  object-fit: cover;
`;

const MissingPicture = styled.span`
  ${photo}
  block-size: 90px;
  display: grid;
  place-items: center;
  background: var(--sunken);
  color: var(--ink-3);
`;
