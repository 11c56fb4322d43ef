import { ButtonLink, NoticePage } from '../../ui/index.js';
import { useTexts, useTranslation } from '../../i18n/index.js';
import { RecoveryCodes } from './RecoveryCodes.js';

interface Props {
  username: string;
  host: string;
  /** Null if none could be generated. */
  codes: readonly string[] | null;
  onContinue: () => void;
}

/** Codes of an account created without scripts. */
export function WrittenRecoveryCodes({ codes, ...rest }: Props) {
  useTexts(['access']);
  const { t } = useTranslation();
  if (codes !== null) return <RecoveryCodes codes={codes} {...rest} />;
  return (
    <NoticePage title={t('access.recovery.failed')} text={t('access.recovery.laterText')}>
      <ButtonLink to="/profile" variant="primary">
        {t('access.recovery.continue')}
      </ButtonLink>
    </NoticePage>
  );
}
