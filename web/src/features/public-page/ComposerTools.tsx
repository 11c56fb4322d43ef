import { Dices, Image, Mic, Smile } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../components/index.js';
import { Tool, Tools } from './composer-parts.js';
import type { VoiceMode } from './use-voice-mode.js';

interface Props {
  disabled: boolean;
  voice: VoiceMode;
  recorderId: string;
  paletteId: string;
  paletteOpen: boolean;
  onImage: () => void;
  onPalette: (open: boolean) => void;
  onSuggest: () => void;
}

/** Buttons that add something to a message. While there is a recording they are disabled. */
export function ComposerTools({
  disabled,
  voice: { tool, Recorder, isOccupied, toggle, close },
  recorderId,
  paletteId,
  paletteOpen,
  onImage,
  onPalette,
  onSuggest,
}: Props) {
  const { t } = useTranslation();
  const speaking = Recorder !== null;
  const writing = (act: () => void) => () => {
    close();
    act();
  };

  return (
    <Tools>
      <Tool
        type="button"
        aria-label={t('publicPage.composer.image')}
        disabled={disabled || isOccupied}
        onClick={writing(onImage)}
      >
        <Icon of={Image} />
        <span>{t('publicPage.composer.image')}</span>
      </Tool>
      <Tool
        type="button"
        aria-label={t('publicPage.composer.emoji')}
        aria-expanded={paletteOpen && !speaking}
        aria-controls={paletteOpen && !speaking ? paletteId : undefined}
        disabled={isOccupied}
        onClick={writing(() => {
          onPalette(speaking || !paletteOpen);
        })}
      >
        <Icon of={Smile} />
        <span>{t('publicPage.composer.emoji')}</span>
      </Tool>
      <Tool
        type="button"
        aria-label={t('publicPage.composer.suggest')}
        disabled={disabled || isOccupied}
        onClick={writing(onSuggest)}
      >
        <Icon of={Dices} />
        <span>{t('publicPage.composer.suggest')}</span>
      </Tool>
      <Tool
        ref={tool}
        type="button"
        aria-label={t('publicPage.composer.voice')}
        aria-expanded={speaking}
        aria-controls={speaking ? recorderId : undefined}
        disabled={disabled || isOccupied}
        onClick={toggle}
      >
        <Icon of={Mic} />
        <span>{t('publicPage.composer.voice')}</span>
      </Tool>
    </Tools>
  );
}
