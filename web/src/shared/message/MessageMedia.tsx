import { Lock } from 'lucide-react';
import { styled } from 'styled-components';
import { Icon } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { mediaSrc } from '../../lib/media.js';
import { tiny } from '../../theme/index.js';
import { Clock, Player, SoundBar } from '../player/index.js';
import { Photo } from './message-parts.js';
import type { Message } from './types.js';

type Media = Pick<Message, 'audioUrl' | 'audioDuration' | 'audioPeaks' | 'imageUrl' | 'createdAt'>;

interface Props {
  message: Media;
  /** Shown beneath the whole picture, with the minute by default. */
  time?: string;
  isFile?: boolean;
}

/** The voice and the picture of a message. */
export function MessageMedia({ message, time, isFile = false }: Props) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const { audioUrl, audioDuration, audioPeaks, imageUrl, createdAt } = message;
  return (
    <>
      {audioUrl !== null && (
        <Player
          src={mediaSrc(audioUrl)}
          duration={audioDuration ?? 0}
          peaks={audioPeaks}
          failure={t(isFile ? 'player.failedFile' : 'player.failed')}
        />
      )}
      {imageUrl !== null && <Photo url={imageUrl} caption={time ?? dateTime(createdAt)} />}
    </>
  );
}

export function LockedSound({ message }: { message: Message }) {
  const { t } = useTranslation();
  const { duration: clock } = useFormats();
  return (
    <SoundBar data-testid="sealed-sound">
      <LockCircle>
        <Icon of={Lock} />
      </LockCircle>
      <Explanation>
        <b>{t('messages.card.voice')}</b>
        {t('messages.card.voiceSealed')}
      </Explanation>
      {message.audioDuration !== null && <Clock>{clock(message.audioDuration)}</Clock>}
    </SoundBar>
  );
}

const LockCircle = styled.span`
  inline-size: 44px;
  block-size: 44px;
  border-radius: 50%;
  border-end-start-radius: 14%;
  background: var(--surface);
  color: var(--ink-3);
  display: grid;
  place-items: center;
  flex: none;
`;

const Explanation = styled.p`
  flex: 1;
  ${tiny}
  color: var(--ink-2);
  b {
    display: block;
    color: var(--ink);
  }
`;
