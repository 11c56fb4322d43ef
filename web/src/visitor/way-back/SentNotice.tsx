import type { Answer } from '@najwa/proto/http/client';
import { ArrowRight, Bookmark, Check, ChevronDown, Copy, Info, PencilLine } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { keyframes, styled } from 'styled-components';
import { Button, Glyph, Icon, IconButton, MessageShape, SiteHost, SwitchRow } from '../../ui/index.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';
import type { NewWayBack } from '../../lib/add-way.js';
import { isInApp } from '../../lib/in-app.js';
import { canSaveWaysBack, forgetWayBack, saveWayBack, useSavedWaysBack } from '../../lib/kept-ways.js';
import { accountHere } from '../../lib/signed-in.js';
import { headline, semibold, textSize } from '../../theme/index.js';
import { ReplyPushToggle } from '../../shared/push/index.js';
import { KeepInApp } from './KeepInApp.js';
import { OwnOrnament } from './OwnOrnament.js';
import { useCopyWayBack } from './use-copy-way.js';

export interface SentNoticeProps {
  sent: Answer<'createMessage'>;
  /** The recipient's. */
  username: string;
  onAgain: () => void;
}

export function SentNotice(props: SentNoticeProps) {
  return (
    <div>
      <SentCard {...props} />
      <DoorStrip />
    </div>
  );
}

function SentCard({ sent, username, onAgain }: SentNoticeProps) {
  const [way] = useState<NewWayBack>({
    path: sent.wayBack ?? '',
    messageId: sent.id,
    username,
    sentAt: sent.createdAt,
  });
  const { t } = useTranslation();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const isKept = useSavedWaysBack(accountHere()).some(({ path }) => path === way.path);
  const { copied, copyWayBack, shareWayBack } = useCopyWayBack(way.path);
  const token = way.path.slice('/r/'.length);
  const isLater = sent.arrivesBy !== undefined;
  useDocumentTitle(t(isLater ? 'wayBack.status.later' : 'wayBack.plain.title'));

  useEffect(() => {
    saveWayBack(way);
    heading.current?.focus();
  }, [way]);

  return (
    <Card element="section" state="sent" aria-labelledby={id} data-testid="sent-notice">
      <Head>
        <Own bits={sent.ornament} size={128} />
        <div>
          <h2 id={id} ref={heading} tabIndex={-1}>
            {t(isLater ? 'wayBack.status.later' : 'wayBack.sent.title')}
          </h2>
          <p>{t(isLater ? 'wayBack.sent.later' : 'wayBack.sent.text')}</p>
        </div>
      </Head>
      {isInApp() && <KeepInApp path={way.path} />}
      <Actions data-last-action>
        {!isInApp() && (
          <Button variant="primary" onClick={() => void shareWayBack()}>
            <Icon of={copied ? Check : Bookmark} />
            {t(copied ? 'wayBack.copied' : 'wayBack.sent.save')}
          </Button>
        )}
        <Button onClick={onAgain}>
          <Icon of={PencilLine} />
          {t('wayBack.sent.again')}
        </Button>
      </Actions>
      {/* The address itself counts where nothing can be stored. */}
      <More open={!canSaveWaysBack()}>
        <summary>
          <Icon of={Info} size="sm" />
          <span>{t('wayBack.sent.more')}</span>
          <Icon of={ChevronDown} size="sm" />
        </summary>
        <Way>
          <ul>
            {(['remove', 'secret'] as const).map((line) => (
              <li key={line}>{t(`wayBack.sent.${line}`)}</li>
            ))}
          </ul>
          <CopyBar dir="ltr">
            <span data-testid="way-back">
              <SiteHost />
              /r/<b>{token}</b>
            </span>
            <CopyButton label={t('wayBack.copy')} size="sm" tip onClick={() => void copyWayBack()}>
              <Icon of={copied ? Check : Copy} />
            </CopyButton>
          </CopyBar>
          <SwitchRow
            label={t('wayBack.sent.keep')}
            hint={t(canSaveWaysBack() ? 'wayBack.sent.keepHint' : 'wayBack.sent.keepRefused')}
            checked={isKept}
            pending={false}
            disabled={!canSaveWaysBack()}
            onChange={(keeps) => {
              if (keeps) saveWayBack(way);
              else forgetWayBack(way.path);
            }}
          />
          {canSaveWaysBack() && <ReplyPushToggle token={token} />}
        </Way>
      </More>
    </Card>
  );
}

/** Loads a new document without a referrer: nothing of the message reaches sign-up. */
function DoorStrip() {
  const { t } = useTranslation();
  return (
    <Strip href="/auth" rel="noreferrer">
      <Glyph dots={1} />
      <span>{t('wayBack.sent.door')}</span>
      <Icon of={ArrowRight} flip />
    </Strip>
  );
}

const Strip = styled.a`
  display: flex;
  gap: 14px;
  align-items: center;
  min-block-size: 64px;
  margin-block-start: 16px;
  padding: 10px 20px;
  background: var(--gold-tint);
  color: var(--on-gold-tint);
  border-radius: 20px;
  border-end-start-radius: 6px;
  ${semibold}
  ${textSize('18px', '16px')}
  line-height: 1.5;
  &:hover {
    background: color-mix(in srgb, var(--gold) 30%, var(--gold-tint));
  }
  svg:first-child {
    inline-size: 34px;
    block-size: 34px;
    flex: none;
    translate: 0 -2px;
  }
  svg:last-child {
    margin-inline-start: auto;
  }
  [data-part='dots'] {
    fill: var(--rose-strong);
  }
`;

const dropDot = keyframes`
  50% { transform: translateY(16px); }
`;

const Card = styled(MessageShape)`
  [data-part='dot'] {
    animation: ${dropDot} var(--base) var(--ease-drop);
  }
  padding: 26px 28px 12px;
  box-shadow: var(--shadow-2);
  ${({ theme }) => theme.media.phone} {
    padding: 18px 18px 8px;
  }
`;

const More = styled.details`
  margin-block-start: 4px;
  summary {
    display: flex;
    gap: 8px;
    align-items: center;
    min-block-size: 44px;
    list-style: none;
    cursor: pointer;
    color: var(--ink-2);
    ${textSize('16px', '14.5px')}
    border-radius: 12px;
    &::-webkit-details-marker {
      display: none;
    }
  }
  summary > svg:last-child {
    margin-inline-start: auto;
    transition: rotate var(--base) var(--ease);
  }
  &[open] > summary > svg:last-child {
    rotate: 180deg;
  }
`;

const Head = styled.div`
  display: flex;
  gap: 18px;
  align-items: center;
  h2 {
    ${headline('34px', '30px', 1.3, 1.3)}
    &:focus {
      outline: none;
    }
  }
  p {
    color: var(--ink-2);
  }
  ${({ theme }) => theme.media.phone} {
    gap: 14px;
    h2 {
      ${textSize('30px', '26px')}
    }
    p {
      ${textSize('16px', '14px')}
    }
  }
`;

const Own = styled(OwnOrnament)`
  ${({ theme }) => theme.media.phone} {
    inline-size: 88px;
    block-size: 88px;
  }
`;

const Way = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 12px;
  margin-block: 4px 10px;
  padding: 20px 22px;
  background: var(--sunken);
  border-radius: 22px;
  border-end-start-radius: 7px;
  ul {
    display: grid;
    gap: 6px;
    color: var(--ink-2);
  }
  li {
    display: flex;
    gap: 12px;
    align-items: baseline;
    &::before {
      content: '';
      flex: none;
      inline-size: 7px;
      block-size: 7px;
      border-radius: 28%;
      background: var(--violet-text);
      transform: translateY(-2px) rotate(45deg);
    }
  }
  small {
    color: var(--ink-2);
  }
  ${({ theme }) => theme.media.phone} {
    padding: 18px 16px;
  }
`;

const CopyBar = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 8px;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 15px;
  border-end-start-radius: 5px;
  padding-block: 6px;
  padding-inline: 16px 6px;
  font-family: ${({ theme }) => theme.font.latin};
  font-size: 0.9375rem;
  > span {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    color: var(--ink-3);
  }
  b {
    color: var(--ink);
    font-weight: 600;
  }
`;

const CopyButton = styled(IconButton)`
  inline-size: 44px;
  block-size: 44px;
  background: var(--violet);
  color: var(--on-violet);
  &:hover {
    background: var(--violet-hover);
    color: var(--on-violet);
  }
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  margin-block-start: 16px;
  > button {
    flex: 1 1 auto;
    ${({ theme }) => theme.media.phone} {
      padding-inline: 4px;
      gap: 6px;
    }
  }
`;
