import { styled } from 'styled-components';
import type { Upload } from '../../api/progress.js';
import { Button, ProgressBar, ProgressPanel } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { small } from '../../theme/index.js';

/** Once all has left the device it may have arrived, and cannot be cancelled. */
export function UploadProgress({ share, cancel }: Upload) {
  const { t } = useTranslation();
  const percent = Math.floor(100 * share);
  const words = t('outbox.upload.going', { percent });
  return (
    <Going data-testid="upload">
      <ProgressPanel>
        <Row>
          <b aria-hidden="true">{words}</b>
          {share < 1 && (
            <Button variant="ghost" size="sm" onClick={cancel}>
              {t('outbox.upload.cancel')}
            </Button>
          )}
        </Row>
        <ProgressBar label={words} percent={percent} />
      </ProgressPanel>
    </Going>
  );
}

const Going = styled.div`
  margin-block-start: 14px;
`;

const Row = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  min-block-size: 44px;
  ${small}
`;
