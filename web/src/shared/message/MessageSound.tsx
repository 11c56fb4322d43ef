import { Lock } from 'lucide-react';
import { styled } from 'styled-components';
import { Icon } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { mediaSrc } from '../../lib/media.js';
import { tiny } from '../../theme/index.js';
import { Clock, Player, SoundBar } from '../player/index.js';
import type { Message } from './types.js';

export function MessageSound({
  message,
  failure,
}: {
  message: Pick<Message, 'audioUrl' | 'audioDuration' | 'audioPeaks'>;
  failure: string;
}) {
  const { audioUrl, audioDuration, audioPeaks } = message;
  if (audioUrl === null) return null;
  return <Player src={mediaSrc(audioUrl)} duration={audioDuration ?? 0} peaks={audioPeaks} failure={failure} />;
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
