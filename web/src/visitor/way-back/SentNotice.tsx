import type { Answer } from '@najwa/proto/http/client';
import { ArrowRight, ChevronDown, Info, PencilLine } from 'lucide-react';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { Button, Glyph, Icon, MessageShape, SiteHost, SwitchRow } from '../../ui/index.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';
import type { NewWayBack } from '../../lib/add-way.js';
import { isInApp } from '../../lib/in-app.js';
import { canSaveWaysBack, forgetWayBack, saveWayBack, useSavedWaysBack } from '../../lib/kept-ways.js';
import { accountHere } from '../../lib/signed-in.js';
import { headline, semibold, textSize } from '../../theme/index.js';
import { ReplyPushToggle } from '../../shared/push/index.js';
import { CopyWay } from './CopyWay.js';
import { beginFold } from './fold.js';
import { Hint } from './NarrowColumn.js';
import { OwnOrnament } from './OwnOrnament.js';

export interface SentNoticeProps {
  sent: Answer<'createMessage'>;
  /** The recipient's. */
  username: string;
  onAgain: () => void;
}

export function SentNotice({ sent, username, onAgain }: SentNoticeProps) {
  const [way] = useState<NewWayBack>({
    path: sent.wayBack ?? '',
    messageId: sent.id,
    username,
    sentAt: sent.createdAt,
  });
  const { t } = useTranslation();
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isKept = useSavedWaysBack(accountHere()).some(({ path }) => path === way.path);
  const token = way.path.slice('/r/'.length);
  const isLater = sent.arrivesBy !== undefined;
  useDocumentTitle(t(isLater ? 'wayBack.status.later' : 'wayBack.plain.title'));

  const [fold] = useState(beginFold);
  useLayoutEffect(() => {
    if (card.current !== null) fold(card.current);
    saveWayBack(way);
    heading.current?.focus();
  }, [fold, way]);

  return (
    <div>
      <Card ref={card} element="section" state="sent" aria-labelledby={id} data-testid="sent-notice">
        <Head>
          <Own bits={sent.ornament} size={128} />
          <div>
            <h2 id={id} ref={heading} tabIndex={-1}>
              {t(isLater ? 'wayBack.status.later' : 'wayBack.sent.title')}
            </h2>
            <Hint>{t(isLater ? 'wayBack.sent.later' : 'wayBack.sent.text')}</Hint>
          </div>
        </Head>
        <Actions data-last-action>
          {isInApp() && <Hint>{t('wayBack.inApp')}</Hint>}
          <CopyWay path={way.path} shares />
          <Button variant="ghost" onClick={onAgain}>
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
            <Hint>{t('wayBack.sent.secret')}</Hint>
            <Address dir="ltr" data-testid="way-back">
              <SiteHost />
              /r/<b>{token}</b>
            </Address>
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
      {/* Loads a new document without a referrer: nothing of the message reaches sign-up. */}
      <Strip href="/auth" rel="noreferrer">
        <Glyph dots={1} />
        <span>{t('wayBack.sent.door')}</span>
        <Icon of={ArrowRight} flip />
      </Strip>
    </div>
  );
}

const Strip = styled.a`
  display: flex;
  gap: 14px;
  align-items: center;
  min-block-size: 64px;
  margin-block-start: 14px;
  padding: 8px 20px;
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

const Card = styled(MessageShape)`
  /* The sheet that folds lies between its ground and its words. */
  isolation: isolate;
  padding: 26px 28px 12px;
  box-shadow: var(--shadow-2);
  ${({ theme }) => theme.media.phone} {
    padding: 18px 18px 8px;
  }
`;

const More = styled.details`
  summary {
    display: flex;
    gap: 8px;
    align-items: center;
    min-block-size: 44px;
    list-style: none;
    cursor: pointer;
    color: var(--ink-2);
    ${textSize('15px', '13px')}
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
  flex-wrap: wrap;
  gap: 18px;
  align-items: center;
  /* With large texts below the ornament. */
  > div {
    flex: 1 1 6rem;
    min-inline-size: 0;
  }
  h2 {
    ${headline('34px', '30px', 1.3, 1.3)}
    &:focus {
      outline: none;
    }
  }
  ${({ theme }) => theme.media.phone} {
    gap: 14px;
    h2 {
      ${textSize('30px', '26px')}
    }
  }
`;

/* Its dot is the card's, which falls from the scoop. */
const Own = styled(OwnOrnament)`
  position: relative;
  z-index: 1;
  overflow: visible;
  > path:last-child {
    fill: var(--gold);
    stroke: var(--gold);
  }
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
  small {
    color: var(--ink-2);
  }
  ${({ theme }) => theme.media.phone} {
    padding: 18px 16px;
  }
`;

const Address = styled.p`
  padding: 13px 16px;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 15px;
  border-end-start-radius: 5px;
  font-family: ${({ theme }) => theme.font.latin};
  font-size: 0.9375rem;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0 8px;
  margin-block-start: 10px;
  > button {
    flex: 1 1 auto;
  }
  ${({ theme }) => theme.media.phone} {
    > button {
      padding-inline: 4px;
    }
    > [data-scripts] {
      flex-basis: 100%;
      min-block-size: 48px;
    }
  }
`;
