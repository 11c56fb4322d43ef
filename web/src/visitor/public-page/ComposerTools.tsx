import { Dices, Image, Mic, Plus, Smile } from 'lucide-react';
import { type Ref, useState } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { Icon, ImageInput } from '../../ui/index.js';
import { ImageTool, PALETTE, RECORDER, Tool, Tools } from './composer-parts.js';
import type { VoiceMode } from './use-voice-mode.js';

interface Props {
  disabled: boolean;
  voice: VoiceMode;
  paletteOpen: boolean;
  imageInput: Ref<HTMLInputElement>;
  onImage: (file: File) => void;
  onPalette: (open: boolean) => void;
  onSuggest: false | (() => void);
}

export function ComposerTools({
  disabled,
  voice: { button, Recorder, preload, hasRecording, toggle, close },
  paletteOpen,
  imageInput,
  onImage,
  onPalette,
  onSuggest,
}: Props) {
  const { t } = useTranslation();
  const [hasMore, setMore] = useState(false);
  const isRecording = Recorder !== null;
  const closeRecorderAnd = (act: () => void) => () => {
    close();
    act();
  };

  return (
    <Tools data-writing="tools" data-open={hasMore || undefined}>
      <Tool
        type="button"
        data-scripts
        data-writing="more"
        aria-label={t('publicPage.composer.tools')}
        aria-expanded={hasMore}
        // Keeps the on-screen keyboard open.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setMore(!hasMore)}
      >
        <Icon of={Plus} />
      </Tool>
      <ImageTool>
        <ImageInput
          ref={imageInput}
          name="image"
          label={t('publicPage.composer.image')}
          disabled={disabled || hasRecording}
          onChoose={(file) => {
            close();
            onImage(file);
          }}
        />
        <Icon of={Image} />
        <span>{t('publicPage.composer.image')}</span>
      </ImageTool>
      <Tool
        type="button"
        data-scripts
        aria-label={t('publicPage.composer.emoji')}
        aria-expanded={paletteOpen && !isRecording}
        aria-controls={paletteOpen && !isRecording ? PALETTE : undefined}
        disabled={hasRecording}
        onClick={closeRecorderAnd(() => onPalette(isRecording || !paletteOpen))}
      >
        <Icon of={Smile} />
        <span>{t('publicPage.composer.emoji')}</span>
      </Tool>
      {onSuggest && (
        <Tool
          type="button"
          data-scripts
          aria-label={t('publicPage.composer.suggest')}
          disabled={disabled || hasRecording}
          onClick={closeRecorderAnd(onSuggest)}
        >
          <Icon of={Dices} />
          <span>{t('publicPage.composer.suggest')}</span>
        </Tool>
      )}
      <Tool
        ref={button}
        type="button"
        data-scripts
        aria-label={t('publicPage.composer.voice')}
        aria-expanded={isRecording}
        aria-controls={isRecording ? RECORDER : undefined}
        disabled={disabled || hasRecording}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={toggle}
      >
        <Icon of={Mic} />
        <span>{t('publicPage.composer.voice')}</span>
      </Tool>
    </Tools>
  );
}
