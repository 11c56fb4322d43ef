import { AGE_STEPS, ageStepOf, countCharacters, LIMITS } from '@najwa/proto/http/client';
import { useWatch } from 'react-hook-form';
import { styled } from 'styled-components';
import { Button, Chip, ChipGroup, OptionList, Row, Stack, TextareaField, useOutcome } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { directionOf } from '../../lib/text.js';
import { type ReceivingSettings, useUpdateReceivingMutation } from '../../shared/receiving/index.js';
import { SettingsSection } from './SettingsSection.js';
import { useStoredForm } from './use-stored-form.js';

const CHOICES = ['everyone', 'accounts', 'established', 'nobody'] as const;
const { max: MAX_NOTICE } = LIMITS.text.notice;

export function ReceivingForm({ settings }: { settings: ReceivingSettings }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const { number } = useFormats();
  const [update, { isLoading }] = useUpdateReceivingMutation();
  const fieldsOf = ({ from, minimumDays, notice }: ReceivingSettings) => ({
    from,
    minimumDays: ageStepOf(minimumDays),
    notice,
  });
  const { control, register, setValue, handleSubmit, changesOf, settle } = useStoredForm(
    'receiving',
    fieldsOf(settings),
  );
  const [from, minimumDays, notice] = useWatch({ control, name: ['from', 'minimumDays', 'notice'] });
  const used = countCharacters(notice.trim());
  const isTooLong = used > MAX_NOTICE;

  const save = handleSubmit(async (form) => {
    const { minimumDays: days, ...changes } = changesOf(form);
    const body = { ...changes, ...(from === 'established' && days !== undefined && { minimumDays: days }) };
    try {
      const isChanged = Object.keys(body).length > 0;
      settle(form, fieldsOf(isChanged ? await update(body).unwrap() : settings));
      say.done(t('receiving.saved'));
    } catch (error) {
      say.failed(t('receiving.failed', { text: say.errors.text(error) }));
    }
  });

  const daysField = (
    <Days $gap={10}>
      <span id="minimum-days">{t('receiving.atLeast')}</span>
      <ChipGroup
        type="single"
        value={String(minimumDays)}
        aria-labelledby="minimum-days"
        onValueChange={(value) => {
          if (value !== '') setValue('minimumDays', Number(value), { shouldDirty: true });
        }}
      >
        {AGE_STEPS.map((days) => (
          <Chip key={days} value={String(days)}>
            {number(days)} {t('receiving.days', { count: days })}
          </Chip>
        ))}
      </ChipGroup>
    </Days>
  );

  return (
    <SettingsSection title={t('receiving.title')} text={t('receiving.text')}>
      <Stack
        as="form"
        $gap={20}
        aria-label={t('receiving.title')}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isTooLong && !isLoading) void save();
        }}
      >
        <OptionList
          label={t('receiving.title')}
          name="from"
          value={from}
          disabled={isLoading}
          options={CHOICES.map((value) => ({
            value,
            label: t(`receiving.from.${value}`),
            ...(value !== 'everyone' && { hint: t(`receiving.hint.${value}`) }),
            ...(value === 'established' && { details: daysField }),
          }))}
          onChange={(value) => setValue('from', value, { shouldDirty: true })}
        />
        <TextareaField
          {...register('notice')}
          label={t('receiving.notice')}
          optional={t('receiving.optional')}
          hint={t('receiving.count', { used, limit: MAX_NOTICE })}
          error={isTooLong ? t('receiving.tooLong', { used, limit: MAX_NOTICE }) : undefined}
          rows={2}
          dir={directionOf(notice)}
        />
        <div>
          <Button
            type="submit"
            variant="primary"
            disabled={isTooLong}
            busy={isLoading ? t('receiving.saving') : undefined}
          >
            {t('receiving.save')}
          </Button>
        </div>
      </Stack>
    </SettingsSection>
  );
}

const Days = styled(Row)`
  > [role='group'] {
    flex-wrap: wrap;
    margin: 0;
    padding: 0;
  }
`;
