import { Maximize2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { styled } from 'styled-components';
import { Avatar, DeveloperAvatar, FoldedText, Icon, OptionalView } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { firstName, isolate } from '../../lib/text.js';
import { mediaSrc, previewSrc } from '../../lib/media.js';
import { textSize, tiny, visuallyHidden } from '../../theme/index.js';
import type { Reply } from './types.js';
import { lazyPart } from '../../lib/on-demand.js';

const ImageViewer = lazyPart(async () => (await import('./ImageViewer.js')).ImageViewer);

interface MetaProps {
  avatar: ReactNode;
  name?: ReactNode;
  time: string;
  createdAt: string;
}

export function MessageMeta({ avatar, name, time, createdAt }: MetaProps) {
  const { t } = useTranslation();
  return (
    <Meta>
      {avatar}
      <div>
        <b>{name ?? t('common.person.anonymous')}</b>
        <time dateTime={createdAt} suppressHydrationWarning>
          {time}
        </time>
      </div>
    </Meta>
  );
}

export const MessageText = styled(FoldedText).attrs({ dir: 'auto', 'data-testid': 'message-text' })`
  ${textSize('19px', '16.5px')}
  line-height: 1.8;
  margin-block-start: 14px;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
  text-align: start;
  :lang(en) & {
    line-height: 1.62;
  }
`;

export function AnsweredPrompt({ prompt }: { prompt: { content: string } | undefined }) {
  const { t } = useTranslation();
  if (prompt === undefined) return null;
  return (
    <Answered data-testid="message-prompt">
      <span>{t('common.message.question')} </span>
      <q dir="auto">{prompt.content}</q>
    </Answered>
  );
}

/** In pixels. Reserves space before the picture loads. */
const PHOTO = { width: 380, height: 285 };

export function Photo({ url, caption }: { url: string; caption: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <>
      <PhotoButton
        type="button"
        aria-label={t('common.message.openImage')}
        onClick={() => {
          setWasOpened(true);
          setOpen(true);
        }}
      >
        <img
          src={previewSrc(url)}
          alt={t('common.message.image')}
          width={PHOTO.width}
          height={PHOTO.height}
          loading="lazy"
          data-testid="message-image"
        />
        <ZoomIcon>
          <Icon of={Maximize2} size="sm" />
        </ZoomIcon>
      </PhotoButton>
      {wasOpened && (
        <OptionalView onClose={() => setWasOpened(false)}>
          <ImageViewer open={open} src={mediaSrc(url)} caption={caption} onClose={() => setOpen(false)} />
        </OptionalView>
      )}
    </>
  );
}

interface ReplyProps {
  reply: Pick<Reply, 'createdAt'> & { content: ReactNode };
  owner: { id: number; name: string; avatar: string | null };
  premium: boolean;
}

export function ReplyBubble({ reply, owner, premium }: ReplyProps) {
  const { t } = useTranslation();
  const { date } = useFormats();
  return (
    <OwnerBubble owner={owner} premium={premium} text={reply.content} data-testid="reply">
      {t('common.message.replied', { name: isolate(firstName(owner.name)) })}
      <time dateTime={reply.createdAt} suppressHydrationWarning>
        {date(reply.createdAt)}
      </time>
    </OwnerBubble>
  );
}

interface BubbleProps extends Omit<ReplyProps, 'reply'> {
  text: ReactNode;
  children: ReactNode;
  'data-testid'?: string;
}

/** The owner's words next to their picture. */
export function OwnerBubble({ owner, premium, text, children, ...rest }: BubbleProps) {
  return (
    <ReplyRow {...rest}>
      {premium && owner.avatar === null ? <DeveloperAvatar $size={36} /> : <Avatar person={owner} size="sm" />}
      <Bubble $gold={premium}>
        <header>{children}</header>
        <FoldedText dir="auto">{text}</FoldedText>
      </Bubble>
    </ReplyRow>
  );
}

const Answered = styled.p`
  margin-block-start: 14px;
  color: var(--ink-2);
  ${textSize('16px', '14.5px')}
  overflow-wrap: anywhere;
  span {
    ${visuallyHidden}
  }
  q {
    display: block;
    padding-inline-start: 12px;
    border-inline-start: 3px solid var(--violet-tint);
    text-align: start;
    quotes: none;
  }
`;

const Meta = styled.div`
  display: flex;
  gap: 12px;
  align-items: center;
  min-block-size: 44px;
  > div {
    min-inline-size: 0;
  }
  b {
    display: block;
    line-height: 1.45;
    font-weight: 700;
    ${textSize('17px', '15px')}
    :lang(en) & {
      font-weight: 600;
    }
  }
  time {
    display: block;
    color: var(--ink-3);
    ${tiny}
  }
`;

const PhotoButton = styled.button`
  margin-block-start: 16px;
  ${({ theme }) => theme.bubble.photo}
  overflow: hidden;
  inline-size: min(${PHOTO.width}px, 100%);
  display: block;
  position: relative;
  border: 1px solid var(--line);
  img {
    inline-size: 100%;
    block-size: auto;
    aspect-ratio: ${PHOTO.width} / ${PHOTO.height};
    object-fit: cover;
    background: var(--sunken);
  }
`;

const ZoomIcon = styled.span`
  position: absolute;
  inset-block-end: 10px;
  inset-inline-end: 10px;
  inline-size: 36px;
  block-size: 36px;
  border-radius: 11px;
  background: var(--photo-tool);
  color: var(--on-violet);
  display: grid;
  place-items: center;
`;

const ReplyRow = styled.div`
  margin-block-start: 18px;
  display: flex;
  gap: 12px;
  > :first-child {
    margin-block-start: 2px;
  }
`;

const Bubble = styled.div<{ $gold: boolean }>`
  background: ${({ $gold }) => ($gold ? 'var(--gold-tint)' : 'var(--violet-tint)')};
  border-radius: 20px;
  border-start-start-radius: 5px;
  padding: 12px 18px 14px;
  flex: 1;
  min-inline-size: 0;
  overflow-wrap: anywhere;
  header {
    display: flex;
    gap: 8px;
    align-items: baseline;
    flex-wrap: wrap;
    ${textSize('15px', '14px')}
    font-weight: 700;
    color: ${({ $gold }) => ($gold ? 'var(--on-gold-tint)' : 'var(--on-violet-tint)')};
    :lang(en) & {
      font-weight: 600;
    }
  }
  time {
    font-weight: 400;
    color: var(--ink-2);
    ${textSize('14px', '13px')}
  }
  p {
    line-height: 1.75;
    margin-block-start: 2px;
    white-space: pre-wrap;
    text-align: start;
    :lang(en) & {
      line-height: 1.6;
    }
  }
`;
