import { useTranslation } from 'react-i18next';
import { Waveform } from '../player/index.js';
import type { VoiceType } from './api.js';
import { Choice, Choices } from './recorder-parts.js';

/** Decorative waveforms of the two voices: the female one is denser. */
const PICTURES: Record<VoiceType, readonly number[]> = {
  male: [80, 46, 33, 21, 66, 23, 25, 34, 25, 28, 81, 45, 29, 62],
  female: [26, 13, 86, 48, 53, 29, 37, 34, 35, 27, 27, 25, 16, 40],
};

const VOICES = ['male', 'female'] as const;

interface Props {
  chosen: VoiceType | null;
  disabled: boolean;
  /** The id of the element that describes the choice. */
  describedBy: string;
  onChoose: (voice: VoiceType) => void;
}

export function VoiceChoice({ chosen, disabled, describedBy, onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <Choices aria-describedby={describedBy} disabled={disabled}>
      <legend>{t('recorder.choose')}</legend>
      {VOICES.map((voice) => (
        <Choice key={voice} $dense={voice === 'female'}>
          <input
            type="radio"
            name="voice-type"
            value={voice}
            required
            checked={chosen === voice}
            onChange={() => {
              onChoose(voice);
            }}
          />
          <Waveform bars={PICTURES[voice]} />
          <b>{t(`recorder.${voice}`)}</b>
        </Choice>
      ))}
    </Choices>
  );
}
