import { LIMITS, type ProfileFields } from '@najwa/proto/http/client';
import { useWatch } from 'react-hook-form';
import { styled } from 'styled-components';
import { useTranslation } from '../../i18n/index.js';
import { FACTS_GAP, Button, InputField, Stack, TextareaField, useOutcome } from '../../ui/index.js';
import { accountRules, describeFault } from '../../lib/account-rules.js';
import { usePicture, WRONG_FILE_TEXTS } from '../../lib/media.js';
import { directionOf } from '../../lib/text.js';
import { showFaults } from '../../ui/show-faults.js';
import { tiny } from '../../theme/index.js';
import { useKeptState, type User, useUpdateUserMutation } from '../../shared/session/index.js';
import { AvatarEditor } from './AvatarEditor.js';
import { SettingsSection } from './SettingsSection.js';
import { useKeptPhoto } from './use-kept-photo.js';
import { useStoredForm } from './use-stored-form.js';

/** The gender is only shown. */
type Fields = Omit<ProfileFields, 'gender'>;

const trimmed = ({ name, bio }: Fields): Fields => ({ name: name.trim(), bio: bio.trim() });

export function ProfileForm({ user }: { user: User }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [update, { isLoading }] = useUpdateUserMutation();
  const [removed, setRemoved] = useKeptState('photo-removed', false);
  const picture = usePicture({
    maxBytes: LIMITS.avatarBytes,
    onRefuse: (reason) => {
      const text = t(reason === 'tooLarge' ? 'settings.avatar.tooLargeText' : WRONG_FILE_TEXTS[reason]);
      say.toast({
        variant: 'destructive',
        title: t(`common.picture.${reason === 'tooLarge' ? reason : 'wrongFile'}`),
        text,
      });
    },
  });
  useKeptPhoto(picture, user.id);
  const chosen = picture.image ?? (removed ? null : undefined);
  const { register, control, handleSubmit, changesOf, settle, setError, formState } = useStoredForm<Fields>(
    'profile',
    trimmed(user),
  );
  const written = useWatch({ control });

  const submit = handleSubmit(async (form) => {
    const changes = { ...changesOf(trimmed(form)), ...(chosen !== undefined && { avatar: chosen }) };
    try {
      const isChanged = Object.keys(changes).length > 0;
      settle(form, trimmed(isChanged ? await update(changes).unwrap() : user));
      picture.clear();
      setRemoved(false);
      say.done(t('settings.profile.saved'));
    } catch (error) {
      say.failed(t('settings.profile.failed', { text: say.errors.text(error) }));
      showFaults(error, form, setError);
    }
  });

  return (
    <SettingsSection title={t('settings.profile.title')} text={t('settings.profile.text')}>
      <Stack as="form" onSubmit={(event) => void submit(event)} noValidate aria-label={t('settings.profile.title')}>
        <AvatarEditor
          user={chosen === undefined ? user : { ...user, avatar: chosen }}
          disabled={isLoading || picture.reading}
          onChoose={(file) => void picture.choose(file)}
          onRemove={() => {
            picture.clear();
            setRemoved(true);
          }}
        />
        <InputField
          {...register('name', { validate: accountRules.name })}
          label={t('settings.profile.name')}
          error={describeFault('name', formState.errors.name?.message, t)}
          dir={directionOf(written.name ?? '')}
          autoComplete="name"
        />
        <TextareaField
          {...register('bio', { validate: accountRules.bio })}
          label={t('settings.profile.bio')}
          error={describeFault('bio', formState.errors.bio?.message, t)}
          dir={directionOf(written.bio ?? '')}
          rows={3}
        />
        <div>
          <Button
            type="submit"
            variant="primary"
            disabled={picture.reading}
            busy={isLoading ? t('settings.profile.saving') : undefined}
          >
            {t('settings.profile.save')}
          </Button>
        </div>
        <Gender>
          {t('settings.profile.gender')}
          {FACTS_GAP}
          {t(`settings.profile.${user.gender}`)}
          {FACTS_GAP}
          {t('settings.profile.readOnly')}
        </Gender>
      </Stack>
    </SettingsSection>
  );
}

const Gender = styled.p`
  color: var(--ink-3);
  ${tiny}
`;
