import type { Answer } from '@najwa/proto/http/client';
import { Check, Copy } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { keyframes, styled } from 'styled-components';
import { Button, Glyph, Icon, IconButton, MessageShape, SiteHost, SwitchRow } from '../../components/index.js';
import { useTranslation } from '../../i18n/index.js';
import type { NewWay } from '../../lib/add-way.js';
import { canKeepWays, forgetWay, keepWay, useKeptWays } from '../../lib/kept-ways.js';
import { accountHere } from '../../lib/remembered-user.js';
import { textSize } from '../../theme/index.js';
import { TellOfReply } from './TellOfReply.js';
import { useCopyWay } from './use-copy-way.js';

export interface SentNoticeProps {
  sent: Answer<'createMessage'>;
  /** The recipient's. */
  username: string;
  onAgain: () => void;
}

/** Replaces the form once a message was sent, and shows the way back to it. */
export function SentNotice({ sent, username, onAgain }: SentNoticeProps) {
  const [way] = useState<NewWay>({
    path: sent.wayBack ?? '',
    messageId: sent.id,
    username,
    sentAt: sent.createdAt,
  });
  const { t } = useTranslation();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const isKept = useKeptWays(accountHere()).some(({ path }) => path === way.path);
  const { copied, copyWay } = useCopyWay(way.path);
  const token = way.path.slice('/r/'.length);

  useEffect(() => {
    keepWay(way);
    heading.current?.focus();
  }, [way]);

  return (
    <Card element="section" state="sent" aria-labelledby={id} data-testid="sent-notice">
      <Head>
        <Bowl dots={1} />
        <div>
          <h2 id={id} ref={heading} tabIndex={-1}>
            {t('wayBack.sent.title')}
          </h2>
          <p>{t('wayBack.sent.text')}</p>
        </div>
      </Head>
      <Way>
        <h3>{t('wayBack.sent.heading')}</h3>
        <ul>
          {(['reply', 'remove', 'secret'] as const).map((line) => (
            <li key={line}>{t(`wayBack.sent.${line}`)}</li>
          ))}
        </ul>
        <CopyBar dir="ltr">
          <span data-testid="way-back">
            <SiteHost />
            /r/<b>{token}</b>
          </span>
          <CopyButton label={t('wayBack.copy')} size="sm" tip onClick={() => void copyWay()}>
            <Icon of={copied ? Check : Copy} />
          </CopyButton>
        </CopyBar>
        <SwitchRow
          label={t('wayBack.sent.keep')}
          hint={t(canKeepWays() ? 'wayBack.sent.keepHint' : 'wayBack.sent.keepRefused')}
          checked={isKept}
          pending={false}
          disabled={!canKeepWays()}
          onChange={(keeps) => {
            if (keeps) keepWay(way);
            else forgetWay(way.path);
          }}
        />
        <TellOfReply token={token} />
      </Way>
      <Actions data-part="last-action">
        <Button variant="primary" onClick={() => void copyWay()}>
          <Icon of={Copy} />
          {t('wayBack.copy')}
        </Button>
        <Button onClick={onAgain}>{t('wayBack.sent.again')}</Button>
      </Actions>
    </Card>
  );
}

const dropDot = keyframes`
  50% { transform: translateY(16px); }
`;

const Card = styled(MessageShape)`
  [data-part='dot'] {
    animation: ${dropDot} var(--base) var(--ease-drop);
  }
  padding: 26px 28px 22px;
  box-shadow: var(--shadow-2);
  ${({ theme }) => theme.media.phone} {
    padding: 22px 18px 18px;
  }
`;

const Head = styled.div`
  display: flex;
  gap: 16px;
  align-items: center;
  h2 {
    font-weight: 900;
    ${textSize('30px', '27px')}
    line-height: 1.4;
    :lang(en) & {
      font-weight: 800;
      letter-spacing: -0.022em;
    }
    &:focus {
      outline: none;
    }
  }
  p {
    color: var(--ink-2);
  }
`;

const Bowl = styled(Glyph)`
  inline-size: 72px;
  block-size: 72px;
  flex: none;
  color: var(--violet);
  [data-part='dots'] {
    fill: var(--gold);
  }
  ${({ theme }) => theme.media.phone} {
    inline-size: 56px;
    block-size: 56px;
  }
`;

const Way = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 12px;
  margin-block-start: 20px;
  padding: 20px 22px;
  background: var(--sunken);
  border-radius: 22px;
  border-end-start-radius: 7px;
  h3 {
    ${textSize('19px', '17px')}
  }
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
  gap: 10px;
  flex-wrap: wrap;
  margin-block-start: 20px;
  ${({ theme }) => theme.media.phone} {
    > button {
      flex: 1 1 100%;
    }
  }
`;
