import { picturePath, qrCodePath } from '@najwa/proto/http/client';
import { Check, Copy, Download, Share2 } from 'lucide-react';
import { styled } from 'styled-components';
import { Button, Dialog, Icon, useToast } from '../../components/index.js';
import { useLanguage, useTranslation } from '../../i18n/index.js';
import { semibold, textSize, tiny } from '../../theme/index.js';
import { sharePicture } from '../messages/index.js';
import type { User } from '../session/index.js';
import { useGetNewestPublicQuery } from './api.js';
import { CopyBar, CopyButton, shareTarget } from './share-parts.js';
import type { Share } from './use-share.js';

interface Props {
  user: User;
  share: Share;
  open: boolean;
  onClose: () => void;
}

const CARDS = { ar: 'getArabicCard', en: 'getEnglishCard' } as const;

/** The link of a page as a code, as pictures, and through the device's own share sheet. */
export function ShareDialog({ user, share, open, onClose }: Props) {
  const { t } = useTranslation();
  const { language } = useLanguage();
  const toast = useToast();
  const { data: newest } = useGetNewestPublicQuery(user.id, { skip: !open });
  const { username } = user;

  const offer = async (path: string, file: string) => {
    try {
      await sharePicture(path, file);
    } catch {
      toast({ variant: 'destructive', title: t('profile.sharing.failed') });
    }
  };

  const card = (of: 'ar' | 'en') => ({
    name: t(`profile.sharing.card.${of}`),
    hint: t('profile.sharing.cardHint'),
    path: picturePath(CARDS[of], username),
    file: `najwa-card-${of}.png`,
  });
  const pictures = [
    ...(language === 'ar' ? [card('ar'), card('en')] : [card('en'), card('ar')]),
    {
      name: t('profile.sharing.page'),
      hint: t('profile.sharing.pageHint'),
      path: picturePath('getProfilePicture', username),
      file: 'najwa-page.png',
    },
    ...(newest?.[0] === undefined
      ? []
      : [
          {
            name: t('profile.sharing.story'),
            hint: t('profile.sharing.newest'),
            path: picturePath('getMessageStory', newest[0].id),
            file: `najwa-${String(newest[0].id)}.png`,
          },
          {
            name: t('profile.sharing.question'),
            hint: t('profile.sharing.newest'),
            path: picturePath('getMessagePicture', newest[0].id),
            file: `najwa-${String(newest[0].id)}.png`,
          },
        ]),
  ];

  return (
    <Dialog open={open} onClose={onClose} title={t('profile.sharing.title')} description={t('profile.sharing.text')}>
      <Two>
        <Code src={qrCodePath('getQrCodeAsSvg', username)} width={208} height={208} alt={t('profile.sharing.code')} />
        <div>
          <CopyBar dir="ltr">
            <span>
              {share.host}
              <b>{username}</b>
            </span>
            <CopyButton label={t('profile.link.copy')} size="sm" onClick={share.copyLink}>
              <Icon of={share.copied ? Check : Copy} />
            </CopyButton>
          </CopyBar>
          {share.canShare && (
            <Button variant="primary" block onClick={share.share}>
              <Icon of={Share2} />
              {t('profile.sharing.device')}
            </Button>
          )}
          <Files>
            <a href={qrCodePath('getQrCodeAsPng', username, 1024)} download={`najwa-${username}.png`}>
              <Icon of={Download} />
              PNG
            </a>
            <a href={qrCodePath('getQrCodeAsSvg', username, 1024)} download={`najwa-${username}.svg`}>
              <Icon of={Download} />
              SVG
            </a>
          </Files>
        </div>
      </Two>
      <Pictures>
        {pictures.map(({ name, hint, path, file }) => (
          <li key={path}>
            <button type="button" onClick={() => void offer(path, file)}>
              <Thumb>
                <img src={path} alt="" loading="lazy" />
              </Thumb>
              <b>{name}</b>
              <Hint>{hint}</Hint>
            </button>
          </li>
        ))}
      </Pictures>
    </Dialog>
  );
}

const Two = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 24px;
  align-items: center;
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    gap: 12px;
    > div {
      inline-size: 100%;
    }
  }
`;

const Code = styled.img`
  inline-size: 208px;
  block-size: 208px;
  background: #fff;
  border-radius: 18px;
  border-end-start-radius: 6px;
`;

const Files = styled.div`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 8px;
  margin-block-start: 8px;
  direction: ltr;
  a {
    ${shareTarget}
    justify-content: center;
  }
`;

const Pictures = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 8.5rem), 1fr));
  gap: 10px;
  button {
    display: grid;
    gap: 4px;
    justify-items: start;
    align-content: start;
    text-align: start;
    inline-size: 100%;
    block-size: 100%;
    padding: 10px;
    border: 1px solid var(--line-strong);
    border-radius: 18px;
    border-end-start-radius: 6px;
    line-height: 1.5;
    &:hover {
      background: var(--sunken);
    }
  }
  b {
    ${semibold}
    ${textSize('16px', '14px')}
  }
`;

const Thumb = styled.span`
  inline-size: 100%;
  block-size: 104px;
  display: grid;
  place-items: center;
  overflow: hidden;
  margin-block-end: 4px;
  background: var(--sunken);
  border-radius: 12px;
  border-end-start-radius: 4px;
  img {
    max-inline-size: 90%;
    max-block-size: 92px;
    border-radius: 8px;
    box-shadow: var(--shadow-2);
  }
`;

const Hint = styled.span`
  color: var(--ink-2);
  ${tiny}
`;
