import { type Ground, GROUNDS, languageOf, picturePath, PICTURES, qrCodePath } from '@najwa/proto/http/client';
import { Check, Copy, Download, Printer, Share2 } from 'lucide-react';
import { useState } from 'react';
import { css, styled } from 'styled-components';
import { Button, Dialog, Icon, Skeleton, Tab, TabList, TabPanel, Tabs, useToast } from '../../ui/index.js';
import { useLanguage, useNow, useTranslation } from '../../i18n/index.js';
import { semibold, textSize } from '../../theme/index.js';
import { withoutBidiControls } from '../../lib/text.js';
import { isUndrawable, savePicture, sharePicture } from '../../shared/message/index.js';
import type { User } from '../../shared/session/index.js';
import { AskFault, type Prompt, questionsOfDay, useAsk } from '../prompts/index.js';
import { useGetNewestPublicQuery } from './api.js';
import { CopyBar, CopyButton, ShareTargets } from './share-parts.js';
import { CodeRow, GroundPicker, PicturePreview, StickerPlace } from './share-pictures.js';
import { useShare } from './use-share.js';

interface Props {
  user: User;
  /** A question that is shared instead of the page. */
  asked: Prompt | null;
  onAsked: (prompt: Prompt) => void;
  open: boolean;
  onClose: () => void;
}

const CODE_SIDE = 1024;
const CARDS = { ar: 'getArabicCard', en: 'getEnglishCard' } as const;
const OF_MESSAGES = { getMessageStory: 'story', getMessagePicture: 'question' } as const;
type MessagePictureId = keyof typeof OF_MESSAGES;

export function ShareDialog({ user, asked, onAsked, open, onClose }: Props) {
  const { t } = useTranslation();
  const { language } = useLanguage();
  const toast = useToast();
  const share = useShare(user.username, asked?.id);
  const { data: published, isLoading } = useGetNewestPublicQuery(user.id, { skip: !open || asked !== null });
  const [chosen, setChosen] = useState<MessagePictureId>('getMessageStory');
  const [ground, setGround] = useState<Ground>(GROUNDS[0]);
  const { username } = user;
  const [message] = asked === null ? (published ?? []) : [];

  const pageId = asked === null ? 'getProfilePicture' : 'getPromptStory';
  const id = message === undefined ? pageId : chosen;
  const file = `najwa-${message?.id ?? asked?.id ?? username}.png`;
  const path = picturePath(id, message?.id ?? username, ground, asked?.id);

  const reportFailure = async (task: Promise<void>) => {
    try {
      await task;
    } catch (error) {
      const title = t(isUndrawable(error) ? 'profile.sharing.undrawable' : 'profile.sharing.failed');
      toast({ variant: 'destructive', title });
    }
  };

  const offerStory = () => {
    share.copyForStory();
    if (asked !== null) void reportFailure(sharePicture(path, file));
    if (message !== undefined)
      void reportFailure(sharePicture(picturePath('getMessageStory', message.id, ground), file));
  };

  const controls = (
    <>
      <GroundPicker grounds={PICTURES[id].grounds} chosen={ground} onChoose={setGround} />
      <Button variant="soft" block onClick={() => void reportFailure(savePicture(path, file))}>
        <Icon of={Download} />
        {t('profile.sharing.save')}
      </Button>
    </>
  );

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={asked === null ? t('profile.sharing.title') : withoutBidiControls(asked.content)}
      {...(asked !== null && { description: t('profile.questions.asked') })}
      isWide
    >
      <Link dir="ltr">
        <span>
          {share.host}
          <b>{share.page}</b>
        </span>
        <CopyButton label={t('profile.link.copy')} onClick={share.copyLink}>
          <Icon of={share.copied ? Check : Copy} />
        </CopyButton>
      </Link>
      <Targets>
        <ShareTargets url={share.url} onStory={offerStory} />
        {share.canShare && (
          <li>
            <button type="button" aria-label={t('profile.sharing.device')} onClick={share.share}>
              <Icon of={Share2} />
              {t('profile.sharing.more')}
            </button>
          </li>
        )}
      </Targets>
      {isLoading ? (
        <Skeleton $inline="100%" $block="190px" />
      ) : (
        <Picture
          value={chosen}
          onValueChange={(next) => {
            setChosen(next as MessagePictureId);
          }}
        >
          <PicturePreview {...PICTURES[id]} path={path} alt={t(`profile.sharing.preview.${id}`)}>
            {PICTURES[id].height > PICTURES[id].width && (
              <StickerPlace ground={ground} side={languageOf(asked?.content ?? message?.content ?? '')} />
            )}
          </PicturePreview>
          <Controls>
            {message === undefined ? (
              controls
            ) : (
              <>
                <TabList aria-label={t('profile.sharing.pictures')}>
                  {Object.entries(OF_MESSAGES).map(([value, name]) => (
                    <Tab key={value} value={value}>
                      {t(`profile.sharing.${name}`)}
                    </Tab>
                  ))}
                </TabList>
                <Panel value={chosen}>{controls}</Panel>
              </>
            )}
          </Controls>
        </Picture>
      )}
      {asked === null && <Daily account={user.id} onAsked={onAsked} />}
      {asked === null && (
        <CodeRow path={qrCodePath('getQrCodeAsSvg', username)}>
          <Button
            size="sm"
            onClick={() =>
              void reportFailure(savePicture(picturePath(CARDS[language], username), `najwa-card-${language}.png`))
            }
          >
            <Icon of={Printer} />
            {t('profile.sharing.card')}
          </Button>
          <Button
            size="sm"
            onClick={() =>
              void reportFailure(
                savePicture(qrCodePath('getQrCodeAsPng', username, CODE_SIDE), `najwa-${username}-code.png`),
              )
            }
          >
            <Icon of={Download} />
            {t('profile.sharing.codeFile')}
          </Button>
        </CodeRow>
      )}
    </Dialog>
  );
}

function Daily({ account, onAsked }: { account: number; onAsked: (prompt: Prompt) => void }) {
  const { t } = useTranslation();
  const { language } = useLanguage();
  const [question = ''] = questionsOfDay(language, useNow(), account);
  const { ask, asking, fault } = useAsk(onAsked);
  return (
    <div>
      <Today>
        <p>
          <small>{t('profile.questions.daily')}</small>
          {question}
        </p>
        <Button
          size="sm"
          busy={asking === undefined ? undefined : t('profile.questions.asking')}
          onClick={() => void ask(question)}
        >
          {t('profile.questions.ask')}
        </Button>
      </Today>
      <AskFault fault={fault} />
    </div>
  );
}

const Today = styled.div`
  display: flex;
  gap: 12px;
  align-items: center;
  p {
    flex: 1;
    min-inline-size: 0;
    font-weight: 500;
    line-height: 1.5;
  }
  small {
    display: block;
    font-weight: 400;
    ${textSize('15px', '13px')}
    color: var(--ink-3);
  }
`;

const Link = styled(CopyBar)`
  margin: 0;
  > button {
    background: var(--surface);
    color: var(--ink);
    &:hover {
      background: var(--surface);
      color: var(--violet-text);
    }
  }
`;

const Targets = styled.ul`
  display: grid;
  grid-auto-columns: minmax(0, 1fr);
  grid-auto-flow: column;
  gap: 8px;
  ${({ theme }) => theme.media.phone} {
    gap: 6px;
  }
  a,
  button {
    display: grid;
    gap: 6px;
    justify-items: center;
    align-content: center;
    inline-size: 100%;
    min-block-size: 76px;
    border: 1px solid var(--line-strong);
    ${({ theme }) => theme.bubble.large}
    font-weight: 500;
    ${textSize('15.5px', '13.5px')}
    line-height: 1.4;
    &:hover {
      background: var(--sunken);
    }
  }
  ${({ theme }) => theme.media.phone} {
    grid-auto-flow: row;
    grid-template-columns: repeat(auto-fit, minmax(3.75rem, 1fr));
    :lang(en) & :is(a, button) {
      font-size: 0.75rem;
    }
  }
  /* Five names do not fit in a row. */
  @media (max-width: 379px) {
    grid-template-columns: repeat(3, minmax(0, 1fr));
  }
  li:first-child > a {
    background: var(--violet);
    border-color: transparent;
    color: var(--on-violet);
    ${semibold}
    &:hover {
      background: var(--violet-hover);
    }
  }
`;

const Picture = styled(Tabs)`
  display: grid;
  grid-template-columns: 138px minmax(0, 1fr);
  gap: 20px;
  align-items: center;
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: 96px minmax(0, 1fr);
    gap: 14px;
  }
  [role='tab'] {
    padding-inline: 8px;
  }
`;

const controlsGrid = css`
  display: grid;
  gap: 12px;
`;

const Controls = styled.div`
  ${controlsGrid}
`;

const Panel = styled(TabPanel)`
  ${controlsGrid}
`;
