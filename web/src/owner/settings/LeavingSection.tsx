import { LIMITS } from '@najwa/proto/http/client';
import { Undo2 } from 'lucide-react';
import { styled } from 'styled-components';
import { Button, Card, CardTitle, Icon, useOutcome, Row } from '../../ui/index.js';
import { useFormats, useNow, useTranslation } from '../../i18n/index.js';
import { useKeepAccountMutation } from './data-api.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export function LeavingSection({ deletesAt }: { deletesAt: string }) {
  const { t } = useTranslation();
  const { date } = useFormats();
  const now = useNow();
  const say = useOutcome();
  const [keep, { isLoading }] = useKeepAccountMutation();
  const days = LIMITS.deletionDays;
  const left = Math.min(days, Math.max(0, Math.ceil((new Date(deletesAt).getTime() - now) / DAY_MS)));

  const onKeep = async () => {
    try {
      await keep().unwrap();
      say.done(t('data.leaving.kept'), t('data.leaving.keptText'));
    } catch (error) {
      say.failed(t('data.leaving.failed'), error);
    }
  };

  return (
    <Panel aria-labelledby="leaving">
      <Row $gap={16} $between>
        <CardTitle id="leaving">{t('data.leaving.title', { date: date(deletesAt) })}</CardTitle>
        <Week role="img" aria-label={t('data.leaving.week', { count: left, days })}>
          {Array.from({ length: days }, (_, day) => (
            <i key={day} data-over={day < days - left || undefined} />
          ))}
        </Week>
      </Row>
      <p>{t('data.leaving.left', { count: left })}</p>
      <div>
        <Button
          variant="primary"
          busy={isLoading ? t('data.leaving.keeping') : undefined}
          onClick={() => void onKeep()}
        >
          <Icon of={Undo2} flip />
          {t('data.leaving.keep')}
        </Button>
      </div>
    </Panel>
  );
}

const Panel = styled(Card)`
  display: grid;
  gap: 16px;
  padding: 28px 32px 32px;
  p {
    color: var(--ink-2);
  }
  ${({ theme }) => theme.media.phone} {
    padding: 22px 18px;
  }
`;

/** A dot per day of the week, filled once it is over. */
const Week = styled.span`
  display: flex;
  gap: 12px;
  i {
    inline-size: 20px;
    block-size: 20px;
    border-radius: 28%;
    transform: rotate(45deg);
    border: 1.6px solid var(--danger-text);
  }
  i[data-over] {
    background: var(--danger-text);
  }
`;
