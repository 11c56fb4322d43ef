import { CirclePause, Waves } from 'lucide-react';
import { useState } from 'react';
import { Button, Callout, useOutcome } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useGetStatsQuery } from '../inbox/index.js';
import {
  type ReceivingSettings,
  useGetReceivingQuery,
  useUpdateReceivingMutation,
} from '../../shared/receiving/index.js';

/** A burst of messages, with a button to pause and resume the page. */
export function WaveNotice() {
  const { t } = useTranslation();
  const say = useOutcome();
  const { data: stats } = useGetStatsQuery();
  const wave = stats?.wave ?? null;
  /** Setting to restore on resume. Null unless paused here. */
  const [resumeFrom, setResumeFrom] = useState<ReceivingSettings['from'] | null>(null);
  const { data: receiving, refetch } = useGetReceivingQuery(undefined, {
    skip: wave === null && resumeFrom === null,
  });
  const [update, { isLoading }] = useUpdateReceivingMutation();
  const busy = isLoading ? t('receiving.saving') : undefined;

  const change = async (from: ReceivingSettings['from'], next: ReceivingSettings['from'] | null) => {
    const { error } = await update({ from });
    if (error === undefined) setResumeFrom(next);
    else say.failed(t('receiving.failed', { text: say.errors.text(error) }));
  };
  const pause = async (known: ReceivingSettings) => {
    const { data: now = known } = await refetch();
    await change('nobody', now.from);
  };
  const resume = async (from: ReceivingSettings['from']) => {
    const { data: now } = await refetch();
    // Another device may have reopened the page.
    if (now !== undefined && now.from !== 'nobody') setResumeFrom(null);
    else await change(from, null);
  };

  if (resumeFrom !== null && receiving?.from === 'nobody')
    return (
      <Callout
        tone="gold"
        icon={CirclePause}
        title={t('profile.wave.paused')}
        text={t('profile.wave.pausedText')}
        alert
      >
        <Button busy={busy} onClick={() => void resume(resumeFrom)}>
          {t('profile.wave.resume')}
        </Button>
      </Callout>
    );
  if (wave === null || receiving === undefined || receiving.from === 'nobody') return null;
  return (
    <Callout tone="gold" icon={Waves} title={t('profile.wave.title')} text={t('profile.wave.text', wave)} alert>
      <Button busy={busy} onClick={() => void pause(receiving)}>
        {t('profile.wave.pause')}
      </Button>
    </Callout>
  );
}
