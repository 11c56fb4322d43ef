import { GROUNDS, picturePath, PICTURES, qrCodePath } from '@najwa/proto/http/client';
import {
  Check,
  Copy,
  Download,
  Feather,
  Image,
  MessageCircle,
  Mic,
  Printer,
  QrCode,
  Rows2,
  Share2,
} from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Button, Dialog, Icon, IconButton, Note, Ornament, Skeleton, useToast } from '../../ui/index.js';
import { useLanguage, useNow, useTranslation } from '../../i18n/index.js';
import { semibold, textSize } from '../../theme/index.js';
import { withoutBidiControls } from '../../lib/text.js';
import { canSharePictures, isUndrawable, type Message, savePicture, sharePicture } from '../../shared/message/index.js';
import type { User } from '../../shared/session/index.js';
import { AskFault, type Prompt, questionsOfDay, useAsk } from '../prompts/index.js';
import { useGetNewestPublicQuery } from './api.js';
import { CopyBar, CopyButton } from './share-parts.js';
import { Choice, CodeRow, GroundPicker, PicturePreview } from './share-pictures.js';
import { type Share, useShare } from './use-share.js';

/** Of the page, unless a question or a message is named. */
export interface Shared {
  asked?: Prompt;
  /** Is chosen at first. */
  message?: Message;
}

interface Props extends Shared {
  user: User;
  onAsked: (prompt: Prompt) => void;
  open: boolean;
  onClose: () => void;
}

const CODE_SIDE = 1024;
const CARDS = { ar: 'getArabicCard', en: 'getEnglishCard' } as const;

const showChosen = (strip: HTMLElement | null) => {
  strip?.querySelector(':checked')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
};

function useSave() {
  const { t } = useTranslation();
  const toast = useToast();
  return (from: string, name: string, hand = savePicture) => {
    hand(from, name).catch((error: unknown) => {
      const title = t(isUndrawable(error) ? 'profile.sharing.undrawable' : 'profile.sharing.failed');
      toast({ variant: 'destructive', title });
    });
  };
}

export function ShareDialog({ user: { id: account, username }, asked, message: first, onAsked, open, onClose }: Props) {
  const { t } = useTranslation();
  const share = useShare(username, asked?.id);
  const isOfPage = asked === undefined;
  const { data: newest = [], isLoading } = useGetNewestPublicQuery(account, { skip: !open || !isOfPage });
  const published = first === undefined || newest.some(({ id }) => id === first.id) ? newest : [first, ...newest];
  const [chosen, setChosen] = useState(first?.id);
  const [ground, setGround] = useState<(typeof GROUNDS)[number]>(GROUNDS[0]);
  const [hasCopied, setHasCopied] = useState(false);
  const [showsCode, setShowsCode] = useState(false);
  const message = isOfPage ? (published.find(({ id }) => id === chosen) ?? published[0]) : undefined;

  const ofPage = isOfPage ? 'getProfilePicture' : 'getPromptStory';
  const id = message === undefined ? ofPage : 'getMessageStory';
  const file = `najwa-${message?.id ?? asked?.id ?? username}.png`;
  const path = picturePath(id, message?.id ?? username, ground, asked?.id);

  const save = useSave();
  const savesOnly = !canSharePictures();
  const saveLabel = (
    <>
      <Icon of={Download} size="sm" />
      {t('profile.sharing.save')}
    </>
  );

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={isOfPage ? t('profile.sharing.title') : withoutBidiControls(asked.content)}
      {...(!isOfPage && { description: t('profile.questions.asked') })}
    >
      {published.length > 0 && isOfPage && <Which of={published} chosen={message?.id} onChoose={setChosen} />}
      {isLoading && first === undefined ? (
        <Skeleton $inline="100%" $block="366px" />
      ) : (
        <>
          <Picture>
            <PicturePreview {...PICTURES[id]} path={path} alt={t(`profile.sharing.preview.${id}`)} />
            <div>
              <GroundPicker chosen={ground} ornament={message?.ornament} onChoose={setGround} />
              {!savesOnly && (
                <TextButton type="button" onClick={() => save(path, file)}>
                  {saveLabel}
                </TextButton>
              )}
              <Note role="status">{hasCopied && t('profile.link.storyText')}</Note>
            </div>
          </Picture>
          <Button
            variant="primary"
            size="lg"
            block
            onClick={() => {
              if (!savesOnly) share.copy(() => setHasCopied(true));
              save(path, file, savesOnly ? savePicture : sharePicture);
            }}
          >
            {savesOnly ? saveLabel : t('profile.sharing.post')}
          </Button>
        </>
      )}
      <Elsewhere share={share} />
      <Link dir="ltr">
        <span>
          {share.host}
          <b>{share.page}</b>
        </span>
        {isOfPage && (
          <IconButton
            label={t('profile.sharing.code')}
            aria-expanded={showsCode}
            onClick={() => setShowsCode(!showsCode)}
          >
            <Icon of={QrCode} />
          </IconButton>
        )}
        <CopyButton label={t('profile.link.copy')} onClick={share.copyLink}>
          <Icon of={share.copied ? Check : Copy} />
        </CopyButton>
      </Link>
      {isOfPage && showsCode && <Codes username={username} />}
      {isOfPage && <Daily account={account} onAsked={onAsked} />}
    </Dialog>
  );
}

function Which({
  of,
  chosen,
  onChoose,
}: {
  of: Message[];
  chosen: number | undefined;
  onChoose: (id: number) => void;
}) {
  const { t } = useTranslation();
  return (
    <Strip aria-label={t('profile.sharing.which')} ref={showChosen}>
      {of.map(({ id, ornament, content, audioUrl, imageUrl }) => (
        <Choice
          key={id}
          name="message"
          label={content.slice(0, 100) || t('messages.card.voice')}
          isChosen={id === chosen}
          onChoose={() => onChoose(id)}
        >
          <Ornament bits={ornament} size={44} />
          {(audioUrl ?? imageUrl) !== null && <Icon of={audioUrl === null ? Image : Mic} />}
        </Choice>
      ))}
    </Strip>
  );
}

const SITES = [
  ['whatsapp', MessageCircle, 'https://wa.me/?text='],
  ['facebook', Rows2, 'https://www.facebook.com/sharer/sharer.php?u='],
  ['x', Feather, 'https://x.com/intent/post?url='],
] as const;

function Elsewhere({ share }: { share: Share }) {
  const { t } = useTranslation();
  return (
    <Targets>
      {SITES.map(([name, icon, start]) => (
        <li key={name}>
          <a href={start + encodeURIComponent(share.url)} target="_blank" rel="noopener noreferrer">
            <Icon of={icon} size="sm" flip={icon === MessageCircle} />
            {t(`profile.link.${name}`)}
          </a>
        </li>
      ))}
      {share.canShare && (
        <li>
          <button type="button" onClick={share.share}>
            <Icon of={Share2} size="sm" />
            {t('profile.sharing.more')}
          </button>
        </li>
      )}
    </Targets>
  );
}

function Codes({ username }: { username: string }) {
  const { t } = useTranslation();
  const { language } = useLanguage();
  const save = useSave();
  return (
    <CodeRow path={qrCodePath('getQrCodeAsSvg', username)}>
      <Button size="sm" onClick={() => save(picturePath(CARDS[language], username), `najwa-card-${language}.png`)}>
        <Icon of={Printer} />
        {t('profile.sharing.card')}
      </Button>
      <Button
        size="sm"
        onClick={() => save(qrCodePath('getQrCodeAsPng', username, CODE_SIDE), `najwa-${username}-code.png`)}
      >
        <Icon of={Download} />
        {t('profile.sharing.codeFile')}
      </Button>
    </CodeRow>
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

const Strip = styled.fieldset`
  display: flex;
  gap: 8px;
  overflow-x: auto;
  scrollbar-width: none;
  min-inline-size: 0;
  margin: -9px -28px;
  padding: 9px 28px;
  border: 0;
  ${({ theme }) => theme.media.phone} {
    margin-inline: -20px;
    padding-inline: 20px;
  }
  label {
    flex: none;
    inline-size: 60px;
    block-size: 60px;
    border-radius: 18px;
    border-end-start-radius: 6px;
    background: var(--sunken);
    &:has(:checked) {
      background: var(--violet-tint);
      [data-part='ornament'] {
        stroke: var(--on-violet-tint);
      }
    }
  }
  [data-part='ornament'] ~ svg {
    position: absolute;
    inset-block-end: -4px;
    inset-inline-end: -4px;
    inline-size: 22px;
    block-size: 22px;
    padding: 4px;
    color: var(--ink-2);
    background: var(--surface);
    border-radius: 8px;
    border-end-start-radius: 3px;
  }
`;

const Picture = styled.div`
  display: grid;
  grid-template-columns: 168px minmax(0, 1fr);
  gap: 18px;
  align-items: start;
  > :last-child {
    display: grid;
    gap: 14px;
    justify-items: start;
  }
`;

const TextButton = styled.button`
  display: flex;
  gap: 8px;
  align-items: center;
  min-block-size: 44px;
  text-align: start;
  color: var(--violet-text);
  ${semibold}
  ${textSize('16px', '14px')}
  text-decoration: underline;
  text-underline-offset: 4px;
`;

const Targets = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: 6px;
  li {
    flex: 1 1 auto;
  }
  a,
  button {
    display: flex;
    gap: 6px;
    align-items: center;
    justify-content: center;
    inline-size: 100%;
    min-block-size: 44px;
    padding-inline: 6px;
    border: 1px solid var(--line-strong);
    border-radius: 13px;
    border-end-start-radius: 4px;
    font-weight: 500;
    ${textSize('15px', '12.5px')}
    white-space: nowrap;
    &:hover {
      background: var(--sunken);
    }
  }
  svg {
    color: var(--ink-3);
  }
`;

const Link = styled(CopyBar)`
  margin: 0;
  > span {
    flex: 1;
  }
  > button:last-child {
    background: var(--surface);
    color: var(--ink);
    &:hover {
      color: var(--violet-text);
    }
  }
`;
