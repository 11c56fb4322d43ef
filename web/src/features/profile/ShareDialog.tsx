import { picturePath, PICTURES, qrCodePath } from '@najwa/proto/http/client';
import { Check, Copy, Download, Share2 } from 'lucide-react';
import { styled } from 'styled-components';
import { Button, Dialog, Icon, useToast } from '../../components/index.js';
import { useLanguage, useTranslation } from '../../i18n/index.js';
import { isUndrawable, sharePicture } from '../messages/index.js';
import type { User } from '../session/index.js';
import { useGetNewestPublicQuery } from './api.js';
import { CopyBar, CopyButton, shareTarget } from './share-parts.js';
import { CodePicture, PictureTile } from './share-pictures.js';
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
    } catch (error) {
      const title = t(isUndrawable(error) ? 'profile.sharing.undrawable' : 'profile.sharing.failed');
      toast({ variant: 'destructive', title });
    }
  };

  const card = (of: 'ar' | 'en') => ({
    name: t(`profile.sharing.card.${of}`),
    hint: t('profile.sharing.cardHint'),
    id: CARDS[of],
    subject: username,
    file: `najwa-card-${of}.png`,
  });
  const pictures = [
    ...(language === 'ar' ? [card('ar'), card('en')] : [card('en'), card('ar')]),
    {
      name: t('profile.sharing.page'),
      hint: t('profile.sharing.pageHint'),
      id: 'getProfilePicture' as const,
      subject: username,
      file: 'najwa-page.png',
    },
    ...(newest?.[0] === undefined
      ? []
      : [
          {
            name: t('profile.sharing.story'),
            hint: t('profile.sharing.newest'),
            id: 'getMessageStory' as const,
            subject: newest[0].id,
            file: `najwa-${String(newest[0].id)}.png`,
          },
          {
            name: t('profile.sharing.question'),
            hint: t('profile.sharing.newest'),
            id: 'getMessagePicture' as const,
            subject: newest[0].id,
            file: `najwa-${String(newest[0].id)}.png`,
          },
        ]),
  ];

  return (
    <Dialog open={open} onClose={onClose} title={t('profile.sharing.title')} description={t('profile.sharing.text')}>
      <Two>
        <CodePicture path={qrCodePath('getQrCodeAsSvg', username)} />
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
        {pictures.map(({ name, hint, id, subject, file }) => {
          const path = picturePath(id, subject);
          const { width, height } = PICTURES[id];
          return (
            <li key={path}>
              <PictureTile {...{ name, hint, path, width, height }} onOffer={() => void offer(path, file)} />
            </li>
          );
        })}
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
`;
